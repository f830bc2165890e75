package proof

import (
	"encoding/json"
	"fmt"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Proof proves that a content hash is at a position in a tree.
type Proof struct {
	Head        Head
	Seq         int64 // the event's place: its sequence number in a bundle
	ContentHash evidence.Sum
	Path        []evidence.Sum // the neighbours on the way from the leaf to the root
}

const (
	schema    = "cupel.proof/1"
	algorithm = "rfc6962-sha256"
)

// MaxBytes limits a proof. The longest path takes 5 KiB.
const MaxBytes = 64 << 10

// maxSize limits a tree, because of the precision of JSON numbers.
const maxSize = 1 << 53

// maxPath is the longest path of a tree of maxSize.
const maxPath = 53

type document struct {
	Schema      string   `json:"schema"`
	Algorithm   string   `json:"algorithm"`
	TreeSize    int64    `json:"tree_size"`
	Root        string   `json:"root"`
	Seq         int64    `json:"seq"`
	ContentHash string   `json:"content_hash"`
	Path        []string `json:"path"`
}

// MarshalJSON returns the proof in the form that [Read] parses.
func (p Proof) MarshalJSON() ([]byte, error) {
	d := document{schema, algorithm, p.Head.Size, p.Head.Root.String(), p.Seq, p.ContentHash.String(), []string{}}
	for _, h := range p.Path {
		d.Path = append(d.Path, h.String())
	}
	return json.Marshal(d)
}

// Read parses a proof, strict JSON of at most MaxBytes, and checks that its path leads from the content hash to the
// root. The finding is the first fault, or nil. Use [Proof.IsOf] to compare the root.
func Read(text []byte) (Proof, *evidence.Finding) {
	doc, err := strictjson.NewScanner(strictjson.Limits{TextBytes: MaxBytes, Depth: 8}).Scan(text)
	if err != nil {
		return Proof{}, fault(ruleShape, "", "the proof is not strict JSON: "+err.Error())
	}
	r := reader{object: doc.Root()}
	r.fixed("schema", schema)
	r.fixed("algorithm", algorithm)
	p := Proof{Head: Head{r.number("tree_size", 1, maxSize), r.sum("root")}}
	p.Seq = r.number("seq", 0, max(0, p.Head.Size-1))
	p.ContentHash = r.sum("content_hash")
	p.Path = r.path("path")
	if r.fault == nil && !p.holds() {
		r.fault = fault(rulePath, "/path", "the path does not lead from the content hash to the root")
	}
	return p, r.fault
}

func (p Proof) holds() bool {
	path := make(tlog.RecordProof, len(p.Path))
	for i, h := range p.Path {
		path[i] = tlog.Hash(h)
	}
	leaf := tlog.RecordHash(p.ContentHash.AppendText(nil))
	return tlog.CheckRecord(path, p.Head.Size, tlog.Hash(p.Head.Root), p.Seq, leaf) == nil
}

// IsOf compares the proof's root with a trusted one. It returns nil if they are equal.
func (p Proof) IsOf(trusted Head) *evidence.Finding {
	switch {
	case p.Head.Root != trusted.Root:
		return differs(ruleHead, "/root", "the proof belongs to another tree: its root differs", trusted.Root.String(), p.Head.Root.String())
	case trusted.Size > 0 && p.Head.Size != trusted.Size:
		return differs(ruleHead, "/tree_size", "the proof belongs to another tree: its size differs", strconv.FormatInt(trusted.Size, 10), strconv.FormatInt(p.Head.Size, 10))
	}
	return nil
}

// Unpinned returns a finding that the root was not compared with a trusted one.
func (p Proof) Unpinned() *evidence.Finding {
	f := fault(ruleUnpinned, "/root", "nothing confirms that the root of the proof is the root of the run")
	f.Help = "give the root with --root, or an attestation with --attestation and --key"
	return f
}

// Shows compares an event's content hash with the proof's. It returns nil if they are equal.
func (p Proof) Shows(contentHash evidence.Sum) *evidence.Finding {
	if p.ContentHash == contentHash {
		return nil
	}
	return differs(ruleEvent, "/content_hash", "the proof belongs to another event: its content hash differs", p.ContentHash.String(), contentHash.String())
}

// reader reads the members of an object. It keeps the first fault.
type reader struct {
	object strictjson.Node
	fault  *evidence.Finding
}

func (r *reader) refuse(name, expected string) {
	if r.fault != nil {
		return
	}
	found := "absent"
	if n := r.object.Get(name); n.Exists() {
		found = say.Preview(n.Raw(), say.Usual)
	}
	r.fault = fault(ruleShape, "/"+name, fmt.Sprintf("this is not a proof: its member %s is %s, expected %s", name, found, expected))
}

func (r *reader) fixed(name, want string) {
	if text, ok := r.object.Get(name).Text(); !ok || text != want {
		r.refuse(name, strconv.Quote(want))
	}
}

func (r *reader) number(name string, least, most int64) int64 {
	n, ok := r.object.Get(name).Int()
	if !ok || n < least || n > most {
		r.refuse(name, fmt.Sprintf("an integer from %d to %d", least, most))
	}
	return n
}

func (r *reader) sum(name string) evidence.Sum {
	sum, ok := digest.Parse(r.object.Get(name).TextBytes(nil))
	if !ok {
		r.refuse(name, digest.Form)
	}
	return sum
}

func (r *reader) path(name string) (path []evidence.Sum) {
	list := r.object.Get(name)
	if !list.Is(strictjson.Array) || list.Len() > maxPath {
		r.refuse(name, fmt.Sprintf("an array of at most %d digests", maxPath))
		return nil
	}
	for n := range list.Children() {
		sum, ok := digest.Parse(n.TextBytes(nil))
		if !ok {
			r.refuse(name, "an array of "+digest.Form)
		}
		path = append(path, sum)
	}
	return path
}

package format

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
)

type claimMember uint8

const (
	claimSupports claimMember = iota
	claimID
	claimStatement
	claimType
	claimStatus
	claimConfidence
	claimStructured
)

var claimShape = shape[claimMember]{
	claimSupports:   {name: "supports", want: anArray, must: true, alias: "support_refs"},
	claimID:         {name: "id", want: aString},
	claimStatement:  {name: "statement", want: aString},
	claimType:       {name: "claim_type", want: aString},
	claimStatus:     {name: "status", want: aString},
	claimConfidence: {name: "confidence", want: aNumber},
	claimStructured: {name: "structured", want: anObject},
}

type supportMember uint8

const (
	supportSpan supportMember = iota
	supportSnippet
	supportKind
	supportRefID
	supportEvidenceID
	supportAlgo
)

var supportShape = shape[supportMember]{
	supportSpan:       {name: "span", want: aSpan, must: true},
	supportSnippet:    {name: "snippet_sha256", want: aString, must: true},
	supportKind:       {name: "kind", want: aString},
	supportRefID:      {name: "ref_id", want: aString},
	supportEvidenceID: {name: "evidence_id", want: aString},
	supportAlgo:       {name: "hash_algo", want: aString},
}

// claimReader reads claims, their supports and the markers in their statements.
type claimReader struct {
	*objects
	at       location
	supports string // the path of the supports
	keys     siphash.Key
	stated   statements
	markers  []marker // of the current claim
}

func newClaimReader(o *objects, path string, keys siphash.Key) claimReader {
	return claimReader{
		objects: o, at: location{path, -1}, supports: path + ".supports", keys: keys,
		stated: statements{seed: maphash.MakeSeed(), known: map[uint64]struct{}{}},
	}
}

func (r *claimReader) read(n strictjson.Node) (id Text, c Claim) {
	out := read(r.objects, n, r.at, claimShape)
	kind, supports := out.at(claimType), out.at(claimSupports)
	c = Claim{Type: textOf(kind), Statement: textOf(out.at(claimStatement)), SupportsAt: fault.PlaceOf(supports)}
	c.Derived = kind.Missing() || !kind.TextIs("assumed") && !kind.TextIs("observed")
	r.addSupports(&c, supports)
	return textOf(out.at(claimID)), c
}

func (r *claimReader) addSupports(c *Claim, supports strictjson.Node) {
	b := r.block
	first := len(b.supports)
	if supports.Is(strictjson.Array) {
		for element := range supports.Children() {
			b.supports = append(b.supports, r.support(element, len(b.supports)-first))
		}
	}
	c.Supports = b.supports[first:len(b.supports):len(b.supports)]
	if c.Derived {
		r.addMarkers(c)
	}
	c.Cited = b.supports[first:len(b.supports):len(b.supports)]
}

func (r *claimReader) support(n strictjson.Node, index int) Support {
	at := location{r.supports, index}
	s := Support{Index: index, At: fault.Opening(n)}
	if !n.Is(strictjson.Object) {
		r.wrongType(n, at.String(), fmt.Sprintf("supports[%d]", index), anObject)
		return s
	}
	out := read(r.objects, n, at, supportShape)
	s.Kind, s.Algo = textOf(out.at(supportKind)), textOf(out.at(supportAlgo))
	s.Target = targetOf(s.Kind)
	s.Span, s.Snippet = spanOf(out.at(supportSpan)), hashOf(textOf(out.at(supportSnippet)))
	ref := textOf(out.at(supportRefID))
	if len(ref.Bytes) == 0 {
		ref = textOf(out.at(supportEvidenceID))
	}
	s.Ref = idOf(ref, r.keys)
	return s
}

func targetOf(kind Text) Target {
	switch {
	case kind.Bytes == nil, string(kind.Bytes) == "evidence":
		return CitesEvidence
	case string(kind.Bytes) == "claim":
		return CitesClaim
	case string(kind.Bytes) == "tool_call":
		return CitesCall
	}
	return CitesUnknown
}

func (r *claimReader) addMarkers(c *Claim) {
	r.markers = findMarkers(r.markers[:0], c.Statement)
	if len(r.markers) == 0 {
		return
	}
	b := r.block
	c.Marked = true
	r.stated.reset(c.Supports)
	first := len(b.markers)
	for i := range r.markers {
		m := &r.markers[i]
		switch {
		case m.form != fullMarker:
			b.markers = append(b.markers, Marker{m.support.At, m.text, m.lacks})
		case !r.stated.has(&m.support):
			m.support.Ref.Key = r.keys.Sum64(m.support.Ref.Bytes)
			b.supports = append(b.supports, m.support)
		}
	}
	c.Loose = b.markers[first:len(b.markers):len(b.markers)]
}

// statements indexes a claim's citations by a hash of what a support and its marker have in common.
type statements struct {
	seed  maphash.Seed
	known map[uint64]struct{}
	text  []byte
}

func (s *statements) reset(supports []Support) {
	clear(s.known)
	for i := range supports {
		s.known[s.key(&supports[i])] = struct{}{}
	}
}

func (s *statements) has(c *Support) bool {
	_, ok := s.known[s.key(c)]
	return ok
}

func (s *statements) key(c *Support) uint64 {
	s.text = append(s.text[:0], c.Ref.Bytes...)
	s.text = binary.LittleEndian.AppendUint64(s.text, uint64(c.Span.From))
	s.text = binary.LittleEndian.AppendUint64(s.text, uint64(c.Span.To))
	s.text = append(s.text, c.Snippet.Bytes...)
	return maphash.Bytes(s.seed, s.text)
}

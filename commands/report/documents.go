package reportcmd

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Joined reports can exceed memory. They are read twice: first for an index, then in the order of the joined report.

// Limits of reports.
const (
	maxElement   = 16 << 20 // bytes of one element, or of another member
	maxElements  = 1 << 19  // stretches of elements about one input, of all reports
	maxNames     = 64 << 20 // bytes of the inputs' names
	maxFailures  = 1000     // different errors that are repeated
	maxDocuments = 4096     // reports in a report
)

// errManyInputs is the error of reports that are beyond them.
var errManyInputs = &cmdline.Hinted{Err: fmt.Errorf("the reports cover more than %d inputs, or the names have more than %d bytes", maxElements, maxNames), Hint: "merge fewer reports at a time"}

type reportIndex struct {
	source    int32  // index of its file
	schema    string // "cupel.trace/1"
	failed    bool   // its status is "error"
	failures  []string
	bound     report.Bound
	decided   []decided.File
	shards    []walk.Shard // its shards; none if not sharded
	shardList string       // the digest of the names of all inputs, in whatever shard
	summary   json.RawMessage
	lists     []string
	runs      []elementRun
	checks    []*selfCheck   // of the kinds that it can be
	documents []*reportIndex // the reports of other commands in it
	sum       [sha256.Size]byte
}

// elementRun is a range of consecutive list elements about one input.
type elementRun struct {
	list, about string
	rank        int   // runs of a list are in the order of their ranks
	source      int32 // the file
	report      int32 // of all reports
	from, to    int64 // size limit in bytes
	sum         [sha256.Size]byte
	log         string // the log whose summaries are in place of elements; "": they are in the file
}

// errNoReport is returned for a document that is not a report.
var errNoReport = errors.New("the file is not a report of cupel")

// reportReader reads the reports in a file, which can contain several.
type reportReader struct {
	dec     *json.Decoder
	metered *meteredReader
	scanner *strictjson.Scanner
	kinds   Kinds // that reports can be
	inside  bool  // the current report is inside another
}

func newReportReader(r io.Reader) *reportReader {
	metered := &meteredReader{r: r}
	return &reportReader{dec: json.NewDecoder(metered), metered: metered, scanner: strictjson.NewScanner(elementLimits)}
}

// elementLimits allow any content that elements can quote from inputs.
var elementLimits = strictjson.Limits{Depth: 1000, WideNumbers: true}

// meteredReader fails if a member exceeds the size limit.
type meteredReader struct {
	r    io.Reader
	left int
}

var errLargeMember = fmt.Errorf("a member of the report has more than %d bytes", maxElement)

func (m *meteredReader) Read(b []byte) (int, error) {
	if m.left <= 0 {
		return 0, errLargeMember
	}
	n, err := m.r.Read(b[:min(len(b), m.left)])
	m.left -= n
	return n, err
}

// token reads the next token, which must be want, or any text if nil.
func (r *reportReader) token(want json.Token) (string, error) {
	r.metered.left = 2 * maxElement
	found, err := r.dec.Token()
	if err != nil {
		return "", err
	}
	name, isText := found.(string)
	if want == nil && isText || want != nil && found == want {
		return name, nil
	}
	return "", errNoReport
}

// value reads the next value, valid until the next call.
func (r *reportReader) value(into *json.RawMessage) error {
	r.metered.left = 2 * maxElement
	*into = (*into)[:0]
	if err := r.dec.Decode(into); err != nil {
		return err
	}
	if len(*into) > maxElement {
		return errLargeMember
	}
	return nil
}

// next reads a report. It returns io.EOF after the last one.
func (r *reportReader) next(source int32) (*reportIndex, error) {
	if _, err := r.token(json.Delim('{')); err != nil {
		return nil, err
	}
	x := &reportIndex{source: source}
	whole, seen := sha256.New(), map[string]bool{}
	for r.dec.More() {
		name, err := r.token(nil)
		if err == nil && seen[name] {
			err = fmt.Errorf("the report has the member %q twice", name)
		}
		seen[name] = true
		if err == nil {
			fmt.Fprintf(whole, "%q", name)
			err = r.member(x, name, whole)
		}
		if err != nil {
			return nil, cut(err)
		}
	}
	if _, err := r.token(json.Delim('}')); err != nil {
		return nil, cut(err)
	}
	whole.Sum(x.sum[:0])
	if x.schema == "" || !seen["status"] || x.summary == nil {
		return nil, errNoReport
	}
	return x, x.status()
}

// cut returns the error of a report that ends too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r *reportReader) member(x *reportIndex, name string, whole hash.Hash) error {
	if _, isList := aboutMember[name]; isList {
		return r.list(x, name, whole)
	}
	if name == documentsList {
		return r.documents(x, whole)
	}
	var raw json.RawMessage
	if err := r.value(&raw); err != nil {
		return err
	}
	whole.Write(raw)
	var err error
	switch name {
	case "schema":
		err = json.Unmarshal(raw, &x.schema)
	case "status":
		status := ""
		err = json.Unmarshal(raw, &status)
		if x.failed = status == "error"; !x.failed && status != "ok" {
			return fmt.Errorf("the report has the status %s, expected \"ok\" or \"error\"", say.Quoted(status))
		}
	case "errors":
		err = json.Unmarshal(raw, &x.failures)
	case "shards":
		if r.inside {
			return errors.New("a report inside the report has the member \"shards\", which belongs to the outer report")
		}
		x.shards, err = readShards(raw)
	case "shard_list":
		err = json.Unmarshal(raw, &x.shardList)
	case "cupel_version":
		err = json.Unmarshal(raw, &x.bound.Version)
	case "options":
		x.bound.Options = slices.Clone(raw)
	case "decided_with":
		err = json.Unmarshal(raw, &x.decided)
	case "summary":
		x.summary = slices.Clone(raw)
	default:
		return fmt.Errorf("the report has the member %s, which this version does not know", say.Quoted(name))
	}
	return err
}

// documents reads the reports inside a report, which are not nested further.
func (r *reportReader) documents(x *reportIndex, whole hash.Hash) error {
	if r.inside {
		return errors.New("a report inside the report contains further reports")
	}
	r.inside = true
	defer func() { r.inside = false }()
	x.lists = append(x.lists, documentsList)
	if _, err := r.token(json.Delim('[')); err != nil {
		return err
	}
	for r.dec.More() {
		document, err := r.next(x.source)
		if err != nil {
			return err
		}
		whole.Write(document.sum[:])
		if x.documents = append(x.documents, document); len(x.documents) > maxDocuments {
			return fmt.Errorf("the report contains more than %d reports", maxDocuments)
		}
	}
	_, err := r.token(json.Delim(']'))
	return err
}

func (r *reportReader) list(x *reportIndex, name string, whole hash.Hash) error {
	x.lists = append(x.lists, name)
	if x.checks == nil {
		x.checks = r.kinds.selfChecks(x.schema)
	}
	if _, err := r.token(json.Delim('[')); err != nil {
		return err
	}
	var raw json.RawMessage
	run, sum := elementRun{list: name, source: x.source}, sha256.New()
	end := func() {
		if run.to > 0 {
			sum.Sum(run.sum[:0])
			whole.Write(run.sum[:])
			x.runs = append(x.runs, run)
		}
	}
	for r.dec.More() {
		if err := r.value(&raw); err != nil {
			return err
		}
		element, err := r.element(raw)
		if err != nil {
			return err
		}
		about, named := element.Get(aboutMember[name]).Text()
		if !named {
			return fmt.Errorf("an element of %q does not name its subject: the string %q is missing", name, aboutMember[name])
		}
		if at := r.dec.InputOffset(); run.to == 0 || about != run.about {
			end()
			run.about, run.from, run.rank = about, at-int64(len(raw)), rankOf(name, element)
			sum.Reset()
		}
		run.to = r.dec.InputOffset()
		sum.Write(raw)
		for _, check := range x.checks {
			check.element(name, about, element)
		}
		if len(x.runs) > maxElements {
			return errManyInputs // before all of them take memory
		}
	}
	end()
	_, err := r.token(json.Delim(']'))
	return err
}

func (r *reportReader) element(raw []byte) (strictjson.Node, error) {
	doc, err := r.scanner.Scan(raw)
	if err != nil {
		return strictjson.Node{}, fmt.Errorf("an element of the report is not valid JSON: %w", err)
	}
	return doc.Root(), nil
}

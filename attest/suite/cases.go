package suite

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/rule"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Limits of the cases of a suite.
const (
	MaxCases     = 10_000
	maxExpanded  = 100_000  // assertions, each counted once per case
	maxSideBytes = 16 << 20 // of a file that a suite names
)

const splitHint = "split the suite into several; --assertions is repeatable"

// Opener opens a file that a suite names: its cases or a golden trajectory. The name is relative to the suite's
// folder.
type Opener func(name string) (io.ReadCloser, error)

var errEmpty = errors.New("it is empty")

// suiteCase is a case of a suite: the traces that it is about, and the values of its variables.
type suiteCase struct {
	id     string
	traces selector
	values map[string]json.RawMessage
	place  finding.Finding // its place in the suite
}

// Members of a case that are not variables, and variables that prompts use.
var (
	caseKeys = []string{"id", "traces"}
	reserved = []string{"id", "traces", "input", "output"}
)

// readCases reads the member "cases": a list, or the name of a file with one.
func (r *reader) readCases(doc document, n strictjson.Node) {
	if n.Missing() {
		return
	}
	name, isName := n.Text()
	if !isName {
		r.caseList(doc, n)
		return
	}
	start, _ := n.Span()
	place := doc.at(start)
	data, ok := r.side(place, name)
	if !ok {
		return
	}
	list, err := casesIn(name, data, r.depth)
	if err != nil {
		r.report(rule.SuiteCase, place, fmt.Sprintf("cannot read the cases in %q: %v", wording.Preview(name), err), "")
		return
	}
	r.caseList(document{list.Root(), func(int) int { return place }}, list.Root())
}

// side reads a file that the suite names. It reports a file that cannot be read.
func (r *reader) side(place int, name string) ([]byte, bool) {
	if r.open == nil {
		message := fmt.Sprintf("the suite names the file %q, but no files can be read here", wording.Preview(name))
		r.report(rule.SuiteCase, place, message, "")
		return nil, false
	}
	var data []byte
	file, err := r.open(name)
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(file, maxSideBytes+1))
		err = errors.Join(err, file.Close())
	}
	if err == nil && len(data) > maxSideBytes {
		err = fmt.Errorf("it has more than %d bytes", maxSideBytes)
	}
	if err != nil {
		r.report(rule.SuiteCase, place, fmt.Sprintf("cannot read the file %q: %v", wording.Preview(name), err),
			"give a path relative to the suite, in its folder or below")
		return nil, false
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), true
}

// casesIn reads a file of cases as a JSON list: CSV with a row of names, JSON lines, JSON, or YAML.
func casesIn(name string, data []byte, depth int) (*strictjson.Document, error) {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv":
		list, err := csvCases(data)
		if err != nil {
			return nil, err
		}
		data = list
	case ".jsonl", ".ndjson":
		blank := func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
		lines := slices.DeleteFunc(bytes.Split(data, []byte("\n")), blank)
		data = slices.Concat([]byte("["), bytes.Join(lines, []byte(",\n")), []byte("]"))
	case ".yaml", ".yml":
		inner := newText(name, data, depth)
		docs := inner.yamlDocument(inner.data)
		switch {
		case len(inner.findings) > 0:
			return nil, fmt.Errorf("%s in line %d", inner.findings[0].Message, inner.findings[0].Line)
		case len(docs) == 0:
			return nil, errEmpty
		}
		data = docs[0].root.Raw()
	}
	return strictjson.NewScanner(strictjson.Limits{Depth: depth}).Scan(data)
}

// csvCases converts CSV to a JSON list of objects. The first row has the names. As in YAML, a cell that is a JSON
// number, true, false or null is that value, and any other cell is a string.
func csvCases(data []byte) ([]byte, error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("it has no row of names")
	}
	b := []byte{'['}
	for i, row := range rows[1:] {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		for k, cell := range row {
			if k > 0 {
				b = append(b, ',')
			}
			b = append(wording.AppendQuoted(b, rows[0][k]), ':')
			if slices.Contains(caseKeys, rows[0][k]) || !isJSONScalar(cell) {
				b = wording.AppendQuoted(b, cell)
			} else {
				b = append(b, cell...)
			}
		}
		b = append(b, '}')
	}
	return append(b, ']'), nil
}

// caseList reads the list of cases.
func (r *reader) caseList(doc document, list strictjson.Node) {
	if !list.Is(strictjson.Array) || list.Len() == 0 {
		r.fault(doc, list, rule.SuiteCase, "cases must be a list with at least one case, or the name of a file with one", "")
		return
	}
	if list.Len() > MaxCases {
		message := fmt.Sprintf("the suite has %d cases, at most %d are allowed", list.Len(), MaxCases)
		r.fault(doc, list, rule.SuiteCase, message, splitHint)
		return
	}
	known := map[string]bool{}
	for n := range list.Children() {
		c, ok := r.oneCase(doc, n)
		switch {
		case !ok:
		case known[c.id]:
			r.fault(doc, n, rule.SuiteCase, fmt.Sprintf("two cases have the id %q", wording.Preview(c.id)), "give each case a unique id")
		default:
			known[c.id] = true
			r.file.cases = append(r.file.cases, c)
		}
	}
}

func (r *reader) oneCase(doc document, n strictjson.Node) (c suiteCase, ok bool) {
	id, _ := n.Get("id").Text()
	if !n.Is(strictjson.Object) || id == "" || len(id) > 100 {
		r.fault(doc, n, rule.SuiteCase, `a case must be an object with an "id", a text of at most 100 bytes`, "")
		return c, false
	}
	start, _ := n.Span()
	c = suiteCase{id: id, values: map[string]json.RawMessage{}}
	r.point(&c.place, doc.at(start))
	before := len(r.findings)
	c.traces = r.selector(doc, n.Get("traces"))
	for m := range n.Children() {
		if name := m.Key(); !slices.Contains(reserved, name) {
			c.values[name] = bytes.Clone(m.Raw())
		} else if !slices.Contains(caseKeys, name) {
			message := fmt.Sprintf("a variable cannot be called %q: prompts of judges have that name", name)
			r.fault(doc, m, rule.SuiteCase, message, "give the variable another name")
		}
	}
	return c, len(r.findings) == before
}

// selector reads the member "traces" of a suite or case: a glob of paths, or an object.
func (r *reader) selector(doc document, n strictjson.Node) (s selector) {
	if n.Missing() {
		return s
	}
	s.given = true
	wrong := func(at strictjson.Node, message string) { r.fault(doc, at, rule.SuiteCase, message, "") }
	glob := func(n strictjson.Node) string {
		pattern, ok := n.Text()
		if _, err := path.Match(pattern, ""); n.Exists() && (!ok || pattern == "" || err != nil) {
			wrong(n, "traces are selected by a glob such as \"runs/refund-*.json\"")
		}
		return pattern
	}
	if !n.Is(strictjson.Object) {
		s.path = glob(n)
		return s
	}
	r.checkKeys(doc, n, selectorKeys, "traces")
	if n.Len() == 0 {
		wrong(n, "traces needs one of "+strings.Join(selectorKeys, ", "))
	}
	s.path, s.id = glob(n.Get("path")), glob(n.Get("trace_id"))
	for tag := range n.Get("tags").Children() {
		text, ok := tag.Text()
		if !ok {
			r.fault(doc, tag, rule.SuiteCase, notATag(tag), "")
		}
		s.tags = append(s.tags, text)
	}
	s.metadata = map[string]string{}
	for m := range n.Get("metadata").Children() {
		if m.Is(strictjson.Object) || m.Is(strictjson.Array) {
			wrong(m, fmt.Sprintf("metadata.%s is compared with a string, number or literal, got %s",
				wording.Preview(m.Key()), m.Kind()))
		}
		s.metadata[m.Key()] = scalar(m.Raw())
	}
	return s
}

// selects reports whether a case is about a trace. Without "traces", it is the trace whose metadata.case or trace_id
// is the case's id.
func (c *suiteCase) selects(d *described) bool {
	if c.traces.given {
		return c.traces.selects(d)
	}
	var name string
	_ = json.Unmarshal(d.Metadata["case"], &name)
	return name == c.id || d.TraceID == c.id
}

// expanded returns the assertions that an assertion of the suite stands for, with the case of each: one without cases,
// else one for each case with its values. changed means that texts differ from the suite's.
func (r *reader) expanded(doc document, n strictjson.Node) (list []assertionText, changed, ok bool) {
	spec := n.Get("spec")
	golden := spec.Get("golden")
	if len(r.file.cases) == 0 && (golden.Missing() || !isCalls(n)) {
		return []assertionText{{n.Raw(), noCase}}, false, true
	}
	d := json.NewDecoder(bytes.NewReader(n.Raw()))
	d.UseNumber()
	var whole map[string]any
	if d.Decode(&whole) != nil || len(r.file.cases)*(r.count+1) > maxExpanded {
		message := fmt.Sprintf("the suite has more than %d assertions in all its cases", maxExpanded)
		r.fault(doc, n, rule.SuiteCase, message, splitHint)
		return nil, true, false
	}
	cases := r.file.cases
	if len(cases) == 0 {
		cases = []suiteCase{{}}
	}
	for i := range cases {
		c := &cases[i]
		filled := fillIn{values: c.values, cases: len(r.file.cases) > 0}
		one := maps.Clone(whole)
		one["spec"] = filled.in(whole["spec"])
		if filled.missing != "" {
			message := fmt.Sprintf("case %q has no value for {{%s}}", wording.Preview(c.id), wording.Preview(filled.missing))
			r.fault(doc, spec, rule.SuiteCase, message, "add it to the case")
			return nil, true, false
		}
		if !golden.Missing() && isCalls(n) && !r.golden(doc, golden, one["spec"]) {
			return nil, true, false
		}
		at := noCase
		if len(r.file.cases) > 0 {
			one["assertion_id"] = fmt.Sprintf("%v[%s]", whole["assertion_id"], c.id)
			at = i
		}
		text, err := json.Marshal(one)
		if err != nil {
			r.fault(doc, n, rule.SuiteCase, "the assertion cannot be written: "+err.Error(), "")
			return nil, true, false
		}
		list = append(list, assertionText{text, at})
	}
	return list, true, true
}

// assertionText is an assertion as JSON, for a case.
type assertionText struct {
	json []byte
	at   int // index of the case; noCase: for every trace
}

const noCase = -1

// isCalls reports whether an assertion is the check "calls", which can expect a golden trajectory.
func isCalls(n strictjson.Node) bool {
	check, _ := n.Get("spec").Get("check").Text()
	return check == "calls"
}

// fillIn replaces {{name}} in texts by the values of a case.
type fillIn struct {
	values  map[string]json.RawMessage
	cases   bool   // there are cases; otherwise texts stay
	missing string // a name without value
}

func (f *fillIn) in(v any) any {
	switch x := v.(type) {
	case map[string]any:
		filled := make(map[string]any, len(x))
		for _, key := range slices.Sorted(maps.Keys(x)) {
			filled[key] = f.in(x[key])
		}
		return filled
	case []any:
		filled := make([]any, len(x))
		for i := range x {
			filled[i] = f.in(x[i])
		}
		return filled
	case string:
		if f.cases {
			return f.text(x)
		}
	}
	return v
}

// text returns a text with its variables replaced. A text that is one variable becomes its value, of any type.
func (f *fillIn) text(text string) any {
	var b strings.Builder
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "{{")
		name, behind, closed := strings.Cut(after, "}}")
		if !found || !closed {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteString(before)
		rest = behind
		name = strings.TrimSpace(name)
		value, known := f.values[name]
		switch {
		case slices.Contains([]string{"input", "output"}, name):
			b.WriteString("{{" + name + "}}")
		case !known:
			f.missing = name
			return text
		case before == "" && behind == "" && b.Len() == 0:
			return value
		default:
			b.WriteString(plainText(value))
		}
	}
}

// plainText returns a value as it occurs in a text: a string without quotes, anything else as JSON.
func plainText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

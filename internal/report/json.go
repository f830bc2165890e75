package report

import (
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// jsonDocument writes one JSON document. Its lists are streamed in the order of
// Run.Lists: elements of the list that is open go out at once, those of a later one
// wait until Close. What is known only at the end (status, errors, summary) follows.
type jsonDocument struct {
	*sink
	lists    []string
	open     int              // index of the list that is being written
	elements int              // already in it
	waiting  map[string][]any // elements of later lists
	failures []string

	margin string // before every line but the first: of a section
}

func newJSON(w io.Writer, run Run, _ Options) Writer { return beginJSON(&sink{w: w}, run, "") }

func beginJSON(s *sink, run Run, margin string) *jsonDocument {
	d := &jsonDocument{sink: s, lists: run.Lists, waiting: map[string][]any{}, margin: margin}
	d.text("{", d.line(), "  \"schema\": ")
	d.json(run.Schema)
	if len(run.Shards) > 0 {
		d.text(",", d.line(), "  \"shards\": ")
		d.json(run.Shards)
	}
	if run.Bound != nil {
		d.text(",", d.line(), "  \"cupel_version\": ")
		d.json(run.Bound.Version)
		d.text(",", d.line(), "  \"options\": ")
		d.json(run.Bound.Options)
	}
	if len(d.lists) > 0 {
		d.begin()
	}
	return d
}

// line ends a line and begins the next.
func (d *jsonDocument) line() string { return "\n" + d.margin }

// section is the next element of the list that is open.
func (d *jsonDocument) section(run Run) Writer {
	d.next()
	return noting{beginJSON(d.sink, run, d.margin+"    "), &d.failures}
}

// begin opens the current list.
func (d *jsonDocument) begin() {
	d.text(",", d.line(), "  ")
	d.json(d.lists[d.open])
	d.text(": [")
	d.elements = 0
}

// end closes the current list.
func (d *jsonDocument) end() {
	if d.elements > 0 {
		d.text(d.line(), "  ")
	}
	d.text("]")
}

func (d *jsonDocument) element(v any) {
	d.next()
	d.json(v)
}

// next begins an element.
func (d *jsonDocument) next() {
	if d.elements > 0 {
		d.text(",")
	}
	d.text(d.line(), "    ")
	d.elements++
}

// add puts v into a list.
func (d *jsonDocument) add(list string, v any) error {
	switch i := slices.Index(d.lists, list); {
	case i == d.open:
		d.element(v)
	case i > d.open:
		d.waiting[list] = append(d.waiting[list], v)
	default:
		panic("report: no list " + list + " in this run")
	}
	return d.err
}

func (d *jsonDocument) Finding(f finding.Finding) error {
	if !slices.Contains(d.lists, "findings") {
		return d.err
	}
	return d.add("findings", f)
}

func (d *jsonDocument) Answer(a Answer) error {
	if a.List == "" {
		return d.err
	}
	return d.add(a.List, a.Value)
}

func (d *jsonDocument) Fail(message string) error {
	d.failures = append(d.failures, message)
	return d.err
}

func (d *jsonDocument) Close(s Summary) error {
	for len(d.lists) > 0 {
		d.end()
		if d.open++; d.open == len(d.lists) {
			break
		}
		d.begin()
		for _, v := range d.waiting[d.lists[d.open]] {
			d.element(v)
		}
	}
	d.text(",", d.line(), "  \"status\": ")
	d.json(status(d.failures))
	if len(d.failures) > 0 {
		d.text(",", d.line(), "  \"errors\": ")
		d.json(d.failures)
	}
	d.text(",", d.line(), "  \"summary\": ")
	d.json(summaryOr(s))
	d.text(d.line(), "}")
	if d.margin == "" {
		d.text("\n")
	}
	return d.err
}

// status is the document's "status": "error" after a failure.
func status(failures []string) string {
	if len(failures) > 0 {
		return "error"
	}
	return "ok"
}

// summaryOr is the summary, or an empty object when the run ended before it had one.
func summaryOr(s Summary) any {
	if s.Value == nil {
		return struct{}{}
	}
	return s.Value
}

package report

import (
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// jsonDocument writes one JSON document. It streams its lists in the order of Run.Lists and buffers elements of
// later lists. Status, errors and summary are at the end.
type jsonDocument struct {
	*sink
	lists    []string
	open     int              // index of the current list
	elements int              // elements in the current list
	waiting  map[string][]any // elements of later lists
	failures []string

	margin string // indentation of a section
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

func (d *jsonDocument) line() string { return "\n" + d.margin }

func (d *jsonDocument) section(run Run) Writer {
	d.next()
	return failureNoter{beginJSON(d.sink, run, d.margin+"    "), &d.failures}
}

func (d *jsonDocument) begin() {
	d.text(",", d.line(), "  ")
	d.json(d.lists[d.open])
	d.text(": [")
	d.elements = 0
}

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

func (d *jsonDocument) next() {
	if d.elements > 0 {
		d.text(",")
	}
	d.text(d.line(), "    ")
	d.elements++
}

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
	if s.ShardList != "" {
		d.text(",", d.line(), "  \"shard_list\": ")
		d.json(s.ShardList)
	}
	d.text(",", d.line(), "  \"status\": ")
	d.json(status(d.failures))
	if len(d.failures) > 0 {
		d.text(",", d.line(), "  \"errors\": ")
		d.json(d.failures)
	}
	if len(s.DecidedWith) > 0 {
		d.text(",", d.line(), "  \"decided_with\": ")
		d.json(s.DecidedWith)
	}
	d.text(",", d.line(), "  \"summary\": ")
	d.json(summaryOr(s))
	d.text(d.line(), "}")
	if d.margin == "" {
		d.text("\n")
	}
	return d.err
}

func status(failures []string) string {
	if len(failures) > 0 {
		return "error"
	}
	return "ok"
}

// summaryOr returns the summary, or an empty object if the run ended early.
func summaryOr(s Summary) any {
	if s.Value == nil {
		return struct{}{}
	}
	return s.Value
}

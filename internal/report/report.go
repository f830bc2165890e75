// Package report writes what a command found: one writer per output format
// behind one small interface. A command makes its records, findings and summary;
// the writers only lay them out, so every format says the same and exits alike.
package report

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/finding"
)

// Formats are the names that New accepts, in the order the help shows them.
var Formats = []string{"text", "short", "json", "jsonl", "sarif", "github", "junit"}

// Run describes the command whose output is written.
type Run struct {
	Command string                // "trace verify"
	Schema  string                // the JSON document's "schema", e.g. "cupel.trace/1"
	Lists   []string              // the document's lists, in order; each is present even when empty
	Rules   func() []finding.Rule // the rules that findings may name, asked for when needed; nil: none
	Version string                // cupel's own version
}

// KnownRules returns the rules that findings may name.
func (r Run) KnownRules() []finding.Rule {
	if r.Rules == nil {
		return nil
	}
	return r.Rules()
}

// Record is one element of the answer: the verdict on one input, the hash of one
// event, the result of one assertion.
type Record struct {
	List string // the JSON list it belongs to, one of Run.Lists; "": it is no element of its own
	JSON any    // its element there
	Line any    // its line in jsonl; nil: JSON again, if there is any

	Text  string // what a person reads after the record's findings; may hold several lines; "" for nothing
	Style Style  // how text output colours Text
	Short string // its line in the short format; "" for nothing

	Name     string            // JUnit: the test case's name; "" when the record is no case
	Class    string            // JUnit: the test case's class name
	Failure  string            // JUnit: why the case failed; "" when it passed
	Findings []finding.Finding // JUnit: shown under Failure
}

// Style is the weight of a line of text output.
type Style uint8

// The styles of a record's text.
const (
	Plain Style = iota
	Good
	Bad
	Caution
)

// Summary closes the answer.
type Summary struct {
	JSON  any    // the value of the member "summary"
	Text  string // the closing line for a person; "" for none
	Style Style
}

// Writer lays out one run in one format. Calls come in the order of the answer:
// an input's findings, then its record. Close must be called once, also after
// Fail; it writes what completes the document.
type Writer interface {
	// Finding writes one finding. The json writer uses it only when the run has
	// a list called "findings"; elsewhere findings are part of the records.
	Finding(f finding.Finding) error
	// Record writes one element of the answer.
	Record(r Record) error
	// Fail notes that the run could not answer (exit 2): the document's status
	// becomes "error" and message joins its "errors". Standard error is the
	// caller's business.
	Fail(message string) error
	Close(s Summary) error
}

// Options tune a writer to its stream.
type Options struct {
	Color bool // text and short: colour
	Quiet bool // text and short: leave out good records and the closing line
	Width int  // text: the terminal's width in columns; 0 when unknown
}

// New returns the writer for a format, or an error that names the known formats.
func New(format string, w io.Writer, run Run, opt Options) (Writer, error) {
	if !slices.Contains(Formats, format) {
		return nil, fmt.Errorf("unknown format %q", format)
	}
	out := &sink{w: w}
	switch format {
	case "text":
		return once{newText(out, run, opt)}, nil
	case "short":
		return once{newShort(out, opt)}, nil
	case "json":
		return newJSON(out, run), nil
	case "jsonl":
		return &jsonLines{sink: out, schema: run.Schema}, nil
	case "sarif":
		return once{newSARIF(out, run)}, nil
	case "github":
		return once{&github{sink: out}}, nil
	default:
		return newJUnit(out, run), nil
	}
}

// once leaves out findings that repeat another one under a second rule id.
type once struct{ Writer }

func (o once) Finding(f finding.Finding) error {
	if f.Repeats != "" {
		return nil
	}
	return o.Writer.Finding(f)
}

// Several writes the same run to several writers: `--format text --format sarif=out.sarif`.
type Several []Writer

// Finding passes f to every writer.
func (s Several) Finding(f finding.Finding) error {
	return s.each(func(w Writer) error { return w.Finding(f) })
}

// Record passes r to every writer.
func (s Several) Record(r Record) error {
	return s.each(func(w Writer) error { return w.Record(r) })
}

// Fail passes message to every writer.
func (s Several) Fail(message string) error {
	return s.each(func(w Writer) error { return w.Fail(message) })
}

// Close closes every writer, also when one of them fails.
func (s Several) Close(sum Summary) error {
	return s.each(func(w Writer) error { return w.Close(sum) })
}

func (s Several) each(do func(Writer) error) error {
	var errs []error
	for _, w := range s {
		errs = append(errs, do(w))
	}
	return errors.Join(errs...)
}

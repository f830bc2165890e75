// Package report writes the results of a command. Each output format implements Writer. Commands pass typed
// answers, findings and a summary; formats decide on the presentation, which keeps them consistent. A new format is
// a new file and a row in the list of formats.
package report

import (
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/page"
)

// Run describes the command that reports.
type Run struct {
	Command  string                // "trace verify"
	Schema   string                // "schema" of the JSON document, such as "cupel.trace/1"
	Lists    []string              // lists of the document in order; present even if empty
	Outcomes []string              // result words of a run over a table of cases, such as "pass" and "fail"
	Columns  []Column              // of the table, for answers that are rows
	Formats  []string              // formats of its answer; nil for the general ones
	Rules    func() []finding.Rule // rules for findings, loaded on demand; nil for none
	Version  string                // cupel's version
	Shards   []string              // shards that were read, such as "1/3"; nil for all inputs

	Binds bool   // its JSON documents say what their verdicts depend on
	Bound *Bound // that; nil: they do not say it

	// Baseline is a sentence for the help on how accepted findings affect the result.
	Baseline string

	// NotProved lists what no answer of the command proves. Pages show it at the top.
	NotProved []string

	// Hide returns a text without what html and markdown must not show, in cells, facts and figures of answers. It is
	// nil if they show everything.
	Hide func(text string) string
}

// Bound is the version and options that verdicts depend on, besides the inputs.
type Bound struct {
	Version string // cupel's version
	Options any    // the options that can change a verdict, as a JSON object
}

func (r Run) KnownRules() []finding.Rule {
	if r.Rules == nil {
		return nil
	}
	return r.Rules()
}

// Answer is a result: the verdict on an input, the hashes of an event or the result of an assertion. Its findings
// are written before it.
type Answer struct {
	List  string // list of the JSON document; "" if contained in a later element
	Value any    // JSON element, possibly a Briefer; nil for none
	Type  string // of its line in jsonl; "" for that of List, such as "input" for "inputs"; needed without List

	Subject string   // subject: an input, event or case
	Group   string   // group of the subject, such as a suite; "" for the run
	Title   string   // the subject in words
	Scope   []string // what was checked: "reasoning", "12 events"
	Outcome

	Row        []string          // cells of the run's table
	Facts      []Fact            // further information on the subject
	Figures    *Figures          // what the command counted, for html and markdown; nil for none
	NotCovered []string          // what the answer does not prove, as sentences
	Remarks    []string          // independent sentences
	Listing    string            // lines in a machine-readable list such as sha256sum's, with subject and result
	Findings   []finding.Finding // findings about the subject

	// View returns the page's view of the subject, or is nil. The html writer calls it once, while the answer is
	// written. An error explains a missing view and does not end the run.
	View func() (page.View, error)

	Transcript *page.Transcript // of a coding agent's transcript: its row in a page's index of sessions

	// Guarded means that findings and the Listing can repeat sensitive values. A page shows only the findings that its
	// view clears; html and markdown show the Subject instead of the Listing.
	Guarded bool

	// Annotation represents the answer in formats that show only findings. It is nil if earlier findings do.
	Annotation *finding.Finding

	Brief     bool // show facts on a passed subject only with --not-verified and in machine formats
	Implied   bool // findings, or their absence, imply the outcome
	OneOfMany bool // of the inputs: text leaves it out when it is good, unless it lists the limits
	Silent    bool // text and short omit it: one of many valid subjects
	Total     bool // it sums up earlier answers
}

// Outcome is the result for a subject.
type Outcome struct {
	Weight Weight
	Word   string // "valid", "fail", …; "" for the weight's word
	Reason string // reason of a failure, possibly multi-line, or ""

	Expected, Found string // expected and actual result, for comparisons
}

// Weight is the severity of an outcome.
type Weight uint8

// The weights. Plain is neutral; Unanswered means no result, for a reason passed to Fail.
const (
	Plain Weight = iota
	Good
	Bad
	Caution
	Unanswered
)

// ListedInputs is the number of inputs up to which text output lists those that passed.
const ListedInputs = 3

// NotCovered is the name of facts about limitations.
const NotCovered = "not covered"

type Fact struct {
	Name    string
	Value   string
	Members []Fact // parts, instead of a value
	Kept    bool   // text also shows it of a subject that passed, because a flag asked for it
}

// Figures are the counts that a command reports.
type Figures struct {
	Facts  []Fact
	Tables []Table
}

// Table is a table of figures. Each row has a cell per column.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string
}

// Briefer is the Value of an answer with parts that are also reported separately, such as findings. Brief returns
// the rest.
type Briefer interface{ Brief() any }

// Summary is the result of a run.
type Summary struct {
	Value     any    // value of the member "summary"
	Text      string // closing sentence, or ""
	Word      string // result in a word; "" for the weight's word
	Weight    Weight
	ShardList string // SHA-256 of the names of the inputs of all shards; "" for a run over all inputs

	No     bool // exit code 1, unless Failed
	Failed bool // exit code 2: an input could not be read or checked

	// Text is made from No and Failed. If nil, the verdict is prepended to Text.
	Tally *Tally

	DecidedWith []decided.File // the files, other than the inputs, that took part
	Figures     *Figures       // of the whole run, for html and markdown; nil for none
	Accepted    bool           // Text counts the findings that a baseline accepts

	// View returns the page's view of the whole run (see [Answer.View]), or is nil.
	View func() (page.View, error)
}

// Writer writes a run in one format. Write an input's findings first, then its answer. Call Close once, also after
// Fail; it completes the document.
type Writer interface {
	// Finding writes a finding. The json writer uses it only for runs with a list "findings"; otherwise findings
	// are part of the answers' values.
	Finding(f finding.Finding) error
	Answer(a Answer) error
	// Fail records a failure (exit code 2): the status becomes "error" and message is added to "errors". Callers
	// also write to stderr.
	Fail(message string) error
	Close(s Summary) error
}

// Options adapts a writer to its stream.
type Options struct {
	Color  bool // text and short: use color
	Links  bool // text and short: link rule ids to their pages
	Quiet  bool // text and short: omit good answers and the closing sentence
	Width  int  // text: terminal width in columns; 0 if unknown
	Limits bool // text: list limitations, and facts on passed inputs
	Apart  bool // text and short: stderr is not visible with the report; include failures

	Now func() time.Time // junit: clock for the duration of cases; nil for none
}

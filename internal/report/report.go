// Package report writes what a command found out: one writer per output format behind
// one small interface. A command hands over typed answers, findings and a summary; what
// is shown of them, and how, is each format's own business, so every format says the
// same, and a new one is a new file and a row in the list of formats.
package report

import (
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
)

// Run describes the command whose output is written.
type Run struct {
	Command  string                // "trace verify"
	Schema   string                // the JSON document's "schema", e.g. "cupel.trace/1"
	Lists    []string              // the document's lists, in order; each is present even when empty
	Outcomes []string              // the words of a run that goes through a table of cases, such as "pass" and "fail"
	Columns  []Column              // of the answers that are rows of a table
	Formats  []string              // the formats of its answer; nil: those of every report
	Rules    func() []finding.Rule // the rules that findings may name, asked for when needed; nil: none
	Version  string                // cupel's own version
	Shards   []string              // the shards of the inputs that were read, such as "1/3"; nil: all inputs were

	Binds bool   // its JSON documents say what their verdicts depend on
	Bound *Bound // that; nil: they do not say it

	// Baseline says for the help what it means for the answer that a baseline accepts its findings.
	Baseline string

	// NotProved are sentences on what no answer of the command proves, whatever it says: pages
	// have them on top.
	NotProved []string
}

// Bound is what the verdicts of a run depend on besides its inputs.
type Bound struct {
	Version string // cupel's
	Options any    // the options that can change a verdict, as a JSON object
}

// KnownRules returns the rules that findings may name.
func (r Run) KnownRules() []finding.Rule {
	if r.Rules == nil {
		return nil
	}
	return r.Rules()
}

// Answer is one element of what a run found out: the verdict on an input, the hashes of
// an event, the result of an assertion. The findings that belong to it went out before it.
type Answer struct {
	List  string // the list of the JSON document that it is an element of; "": it is inside a later element
	Value any    // the element, for machines, perhaps a Briefer; nil: there is none

	Subject string   // what is answered about: an input, an event, a case
	Group   string   // what the subject is one of, such as a suite; "": of the run
	Title   string   // the subject in words
	Scope   []string // what was looked at: "reasoning", "12 events"
	Outcome

	Row        []string          // its cells in the run's table, one for each column
	Facts      []Fact            // what else is known about the subject
	NotCovered []string          // what the answer does not prove, each a sentence
	Remarks    []string          // sentences that stand on their own
	Listing    string            // its lines in a list that other programs read, such as sha256sum's; they name subject and outcome
	Findings   []finding.Finding // those of the subject

	// View makes what a page shows of the subject beside its facts and findings; nil: there is
	// nothing else. Only the html writer asks, once, while the answer is written. An error says
	// why there is no view; it does not end the run.
	View func() (page.View, error)

	// Guarded says that the findings may repeat values that should not be shared: a page shows of
	// what they repeat what its view clears.
	Guarded bool

	// Annotation is the finding that says the answer where only findings are shown; nil: no
	// finding does, or those that went out before have said it.
	Annotation *finding.Finding

	Brief     bool // the facts on a subject that passed are for --not-verified and the machine formats
	Implied   bool // findings, or the lack of them, say the outcome already
	OneOfMany bool // of the inputs: text leaves it out when it is good, unless it lists the limits
	Silent    bool // text and short leave it out: it is one of many subjects that are fine
	Total     bool // it sums up answers that went out before it
}

// Outcome is how the question about a subject came out.
type Outcome struct {
	Weight Weight
	Word   string // "valid", "fail", …; "": it has no name of its own
	Reason string // why the answer is no, perhaps in several lines; "": it is not no

	Expected, Found string // for comparisons: what had to come out, and what did
}

// Weight is how good or bad an outcome is.
type Weight uint8

// The weights. Plain is an outcome that is neither good nor bad; Unanswered one that
// could not be had, for a reason that Fail says.
const (
	Plain Weight = iota
	Good
	Bad
	Caution
	Unanswered
)

// ListedInputs is up to how many inputs of a run text lists those that passed.
const ListedInputs = 3

// NotCovered is the name of the facts that say what an answer leaves open.
const NotCovered = "not covered"

// Fact is a named value, or a remark when it has no name.
type Fact struct {
	Name    string
	Value   string
	Members []Fact // what it consists of, instead of a value
	Kept    bool   // text shows it of a subject that passed, too: it answers what a flag asked
}

// Briefer is the Value of an answer that holds what the run also reports on its own,
// such as findings. Brief is the rest of it.
type Briefer interface{ Brief() any }

// Summary closes the answer.
type Summary struct {
	Value  any    // the value of the member "summary"
	Text   string // the closing sentence for a person; "" for none
	Word   string // how the run came out, for a headline; "": the weight says it
	Weight Weight
	No     bool // exit code 1, unless Failed
	Failed bool // exit code 2: something could not be read or checked

	// Tally makes Text, once No and Failed are known; nil: Text gets the verdict before it.
	Tally *Tally

	// View makes what a page shows of the run as a whole, as [Answer.View] does of a subject; nil:
	// there is nothing.
	View func() (page.View, error)
}

// Writer lays out one run in one format. Calls come in the order of the answer:
// an input's findings, then its answer. Close must be called once, also after
// Fail; it writes what completes the document.
type Writer interface {
	// Finding writes one finding. The json writer uses it only when the run has
	// a list called "findings"; elsewhere findings are part of the answers' values.
	Finding(f finding.Finding) error
	// Answer writes one element of the answer.
	Answer(a Answer) error
	// Fail notes that the run could not answer (exit 2): the document's status
	// becomes "error" and message joins its "errors". Standard error is the
	// caller's business.
	Fail(message string) error
	Close(s Summary) error
}

// Options tune a writer to its stream.
type Options struct {
	Color  bool // text and short: colour
	Links  bool // text and short: ids of rules lead to the pages on them
	Quiet  bool // text and short: leave out good answers and the closing sentence
	Width  int  // text: the terminal's width in columns; 0 when unknown
	Limits bool // text: list what the answers do not prove, and facts on inputs that passed
	Apart  bool // text and short: nobody sees standard error beside it, so that it says what could not be answered, too

	Now func() time.Time // junit: the clock by which cases take their time; nil: it says of none
}

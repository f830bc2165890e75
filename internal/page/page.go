// Package page writes what a command found out as one HTML file that needs nothing else: no
// network, no other file, and no script for what it says. It knows no command. It is told
// findings and sections, each perhaps with a [View], and what stands on top of them.
//
// Nothing that comes from a record becomes markup: every value passes html/template, and what
// cannot be seen or changes the order of what is seen is written as say.Visible writes it. The
// page's policy (Content Security Policy, level 3) allows its one script and its one style
// sheet by their hashes, and nothing else.
//
// A page is the same bytes for the same answer: it holds no time and no name of a machine.
package page

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// The limits of a page. What they leave out is counted, and the page says so.
const (
	MaxFindings = 10_000   // findings: nobody reads more
	MaxRows     = 10_000   // sections, and rows of each of the two tables
	MaxText     = 12 << 20 // bytes of what findings and sections say
	MaxListed   = 4 << 20  // of those, bytes of answers that have a row in the list and no section
	keptText    = 1 << 20  // of those, bytes that only sections with a view take
	MaxViews    = 32 << 20 // bytes of HTML of all views
	maxKinds    = 8        // kinds of subjects of a sentence
	maxList     = 200      // facts of a section, remarks of a finding, failures
)

// Page is a page in the making. It is not safe for concurrent use.
type Page struct {
	index    failingFirst // the rows of the list of what was looked at
	results  failingFirst // the rows of the table of results
	sections failingFirst

	columns []Column
	kinds   []string  // of the views
	only    *headline // of what is answered about, while there is but one
	done    []string  // what was done to its subject
	first   *Finding  // of the findings at the worst severity, the first that follows from no other

	answers, rows, numbers int  // rows of the index, of the results, and sections
	listed                 bool // an answer has a row in the index alone
	counts                 [3]int
	taken                  int // bytes of text
	listing                int // of those, bytes of answers without a section
	views                  int // bytes of HTML
	causes                 map[cause]string
	rules                  []ruleKey
	unproved               []*unproved
	failures               []string
	left                   leftOut
}

// headline is what stands on top of a page about one subject.
type headline struct {
	Subject, Word string
	Scope         []string
}

type (
	cause   struct{ file, at string }
	ruleKey struct{ id, revision string }
)

// unproved is a sentence on what an answer does not prove, and whose answer that is.
type unproved struct {
	Text, Subject string
	Subjects      int
	kinds         []string // of the subjects
}

// leftOut counts what the limits have left out.
type leftOut struct {
	Findings      [3]int // by severity
	Answers, Rows int
	Sections      int
	Unproved      int
	Failures      int
}

// Top is what is known when everything else is said.
type Top struct {
	Command   string // "trace verify"
	Version   string // cupel's
	Mark      Mark   // how the run came out
	Word      string // … in a word; "": the mark says it
	No        bool   // the answer is no: exit code 1
	Summary   string // the closing sentence
	NotProved []string
	Rules     []finding.Rule
	View      View   // of the run as a whole, before its answers; nil: there is none
	NoView    string // why there is none, when one was asked for
}

// New begins a page. Columns are those of its table of results, when it has one.
func New(columns []Column) *Page {
	return &Page{columns: columns, causes: map[cause]string{}}
}

// Fail notes why the run could not answer: exit code 2.
func (p *Page) Fail(message string) {
	if len(p.failures) == maxList {
		p.left.Failures++
		return
	}
	p.failures = append(p.failures, kept(message))
}

// take reports whether there is room for a text, which is then taken.
func (p *Page) take(size int) bool { return p.takeUpTo(MaxText-keptText, size) }

// takeUpTo is take where all texts together may have so many bytes.
func (p *Page) takeUpTo(most, size int) bool {
	if p.taken+size > most {
		return false
	}
	p.taken += size
	return true
}

// Write writes the page.
func (p *Page) Write(w io.Writer, top Top) error {
	out := &clean{w: w}
	overview, refused := p.rendered(&Shown{View: top.View})
	p.begin(out, top)
	shown := p.shownTop(top)
	execute(out, "page.tmpl", shown)
	if top.View != nil || top.NoView != "" {
		execute(out, "overview-begin", nil)
		overview.pass(out)
		execute(out, "overview-end", cmp.Or(refused, top.NoView))
	}
	if p.listed || p.answers > 1 {
		execute(out, "index-begin", nil)
		p.index.pass(out)
		execute(out, "index-end", p.left.Answers)
	}
	if p.rows > 0 {
		execute(out, "results-begin", p.columns)
		p.results.pass(out)
		execute(out, "results-end", p.left.Rows)
	}
	p.sections.pass(out)
	execute(out, "rules.tmpl", p.shownRules(top.Rules))
	execute(out, "unproved.tmpl", shown)
	execute(out, "foot.tmpl", top)
	p.end(out)
	return out.err
}

// execute writes one of the templates into w, which remembers its own error. Another one is a
// bug: the data is the page's own.
func execute(w *clean, name string, data any) {
	if err := templates().ExecuteTemplate(w, name, data); err != nil && w.err == nil {
		panic(fmt.Sprintf("page: template %s: %v", name, err))
	}
}

// kind notes that a view of a kind stands on the page.
func (p *Page) kind(name string) {
	if !slices.Contains(p.kinds, name) {
		p.kinds = append(p.kinds, name)
	}
}

// ruleID is the id of a rule on the page, in the order in which findings name them.
func (p *Page) ruleID(id, revision string) string {
	key := ruleKey{id, revision}
	i := slices.Index(p.rules, key)
	if i < 0 {
		i = len(p.rules)
		p.rules = append(p.rules, key)
	}
	return fmt.Sprintf("r%d", i+1)
}

// Take keeps a finding for the section that will show it, and gives it its id. It returns false
// when there is no room left: then the finding is counted, and the page says so.
func (p *Page) Take(f finding.Finding, remarks [][2]string) (Finding, bool) {
	p.counts[f.Severity]++
	shown := Finding{
		Severity: f.Severity, Rule: kept(f.Rule), Message: kept(f.Message), File: kept(f.File), Inside: kept(f.Inside()), Line: f.Line, Column: f.Column, Path: kept(f.Path),
		Expected: kept(f.Expected), Found: kept(f.Found), Source: snippet(f.Source), CausedBy: kept(f.CausedBy),
	}
	for i, r := range remarks {
		if i == maxList {
			shown.Remarks = append(shown.Remarks, Remark{"more", fmt.Sprintf("%d remarks are left out", len(remarks)-i)})
			break
		}
		shown.Remarks = append(shown.Remarks, Remark{r[0], kept(r[1])})
	}
	if p.found() > MaxFindings || !p.take(shown.size()) {
		p.left.Findings[f.Severity]++
		return Finding{}, false
	}
	p.number(&shown, f.Revision())
	return shown, true
}

// found is how many findings there were.
func (p *Page) found() int { return p.counts[0] + p.counts[1] + p.counts[2] }

// number gives a finding its id, and finds those that it points to.
func (p *Page) number(f *Finding, revision string) {
	f.ID, f.RuleID = fmt.Sprintf("f%d", p.found()), p.ruleID(f.Rule, revision)
	if f.CausedBy != "" {
		f.Cause = p.causes[cause{f.File, f.CausedBy}]
		return
	}
	if at := (cause{f.File, fmt.Sprintf("%s@%d", f.Rule, f.Line)}); p.causes[at] == "" {
		p.causes[at] = f.ID
	}
	if p.first == nil || f.Severity > p.first.Severity {
		first := *f
		p.first, p.done = &first, nil
	}
}

// Package page writes the result of a command as one self-contained HTML file: no network, no other
// file, and readable without scripts. It takes findings and sections, each with an optional [View],
// and does not depend on any command.
//
// Input never becomes markup: every value goes through html/template, and say.Visible escapes
// invisible and direction-changing characters. The Content Security Policy (level 3) allows only
// the page's script and style sheet, by hash.
//
// Output is reproducible: it contains no time and no machine name.
package page

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Limits of a page. The page reports how much they omit.
const (
	MaxFindings = 20_000   // findings
	MaxRows     = 10_000   // sections, and rows of each table
	MaxText     = 12 << 20 // bytes of text in findings and sections
	MaxListed   = 4 << 20  // of those, bytes for answers without a section
	keptText    = 1 << 20  // of those, bytes reserved for sections with a view
	MaxViews    = 32 << 20 // bytes of HTML of all views
	maxKinds    = 8        // kinds of subjects in a sentence
	maxList     = 200      // facts per section, remarks per finding, failures
)

// Page collects the content of a page. It is not safe for concurrent use.
type Page struct {
	index    failingFirst // rows of the list of inputs
	results  failingFirst // rows of the results table
	sections failingFirst
	sessions failingFirst // rows of the index of sessions

	last  func(alone bool) // writes the last section
	leads [2]string        // ids of the first section, and of the first one that failed

	columns []Column
	kinds   []string  // kinds of views
	only    *headline // headline while there is one answer
	done    []string  // damage to its subject
	first   *Finding  // first root finding of the highest severity

	answers, rows, numbers int  // rows of the index and of the results, and sections
	listed                 bool // some answer appears only in the index
	counts                 [3]int
	taken                  int // bytes of text
	listing                int // of those, for answers without a section
	views                  int // bytes of view HTML
	sessionRows            int
	figures                bool // the index of sessions has figures
	untold                 int  // of those, good ones without a view
	noRoom                 bool // for further views of good sessions
	causes                 map[cause]string
	rules                  []ruleKey
	byRule                 [][3]int // findings of each rule, by severity
	unproved               []*unproved
	failures               []string
	left                   leftOut
}

// headline is the top of a page about one subject.
type headline struct {
	Subject, Word string
	Scope         []string
}

type (
	cause   struct{ file, at string }
	ruleKey struct{ id, revision string }
)

// unproved is a limitation of answers and their subjects.
type unproved struct {
	Text, Subject string
	Subjects      int
	kinds         []string // kinds of the subjects
}

// leftOut counts what the limits omitted.
type leftOut struct {
	Findings      [3]int // by severity
	Answers, Rows int
	Sections      int
	Unproved      int
	Failures      int
}

// Top is the result of the run, known at its end.
type Top struct {
	Command   string // "trace verify"
	Version   string // cupel's version
	Mark      Mark   // result of the run
	Word      string // result in a word; "" for the mark's word
	No        bool   // exit code 1
	Summary   string // closing sentence
	NotProved []string
	Rules     []finding.Rule
	Facts     []Fact // about the whole run
	Tables    []Table
	View      View   // view of the whole run, or nil
	NoView    string // why a requested view is missing
}

// New starts a page. columns are those of the results table, if any.
func New(columns []Column) *Page {
	return &Page{columns: columns, causes: map[cause]string{}}
}

// Fail records why the run failed with exit code 2.
func (p *Page) Fail(message string) {
	if len(p.failures) == maxList {
		p.left.Failures++
		return
	}
	p.failures = append(p.failures, kept(message))
}

// take reserves room for a text. It returns false if the text does not fit.
func (p *Page) take(size int) bool { return p.takeUpTo(MaxText-keptText, size) }

// takeUpTo is take with a limit on the total text.
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
	overview, refused := p.rendered(&Shown{View: top.View}, MaxViews)
	p.begin(out, top)
	several := p.listed || p.answers > 1
	p.writeLast(!several)
	shown := p.shownTop(top)
	shown.Overview = len(top.Facts)+len(top.Tables) > 0 || top.View != nil || top.NoView != ""
	shown.Several = several
	shown.Sessions, shown.Answers = several && p.sessionRows > 0, several && p.answers > p.sessionRows
	execute(out, "page.tmpl", shown)
	if shown.Overview {
		execute(out, "overview-begin", top)
		overview.pass(out)
		execute(out, "overview-end", cmp.Or(refused, top.NoView))
	}
	if shown.Sessions {
		execute(out, "sessions-begin", p.figures)
		p.sessions.pass(out, "tr", 0)
		execute(out, "sessions-end", p.untold)
	}
	if shown.Answers {
		execute(out, "index-begin", nil)
		p.index.pass(out, "tr", stillRows)
		execute(out, "index-end", p.left.Answers)
	}
	if p.rows > 0 {
		execute(out, "results-begin", p.columns)
		p.results.pass(out, "tr", stillRows)
		execute(out, "results-end", p.left.Rows)
	}
	execute(out, "by-rule", shown.ByRule)
	p.sections.pass(out, "", stillSections)
	execute(out, "rules.tmpl", p.shownRules(top.Rules))
	execute(out, "unproved.tmpl", shown)
	execute(out, "foot.tmpl", top)
	p.end(out)
	return out.err
}

// executed returns what a template writes.
func executed(name string, data any) []byte {
	var text bytes.Buffer
	execute(&clean{w: &text}, name, data)
	return text.Bytes()
}

// execute runs a template into w, which keeps write errors. Other errors are bugs.
func execute(w *clean, name string, data any) {
	if err := templates().ExecuteTemplate(w, name, data); err != nil && w.err == nil {
		panic(fmt.Sprintf("page: template %s: %v", name, err))
	}
}

// kind registers a kind of view for its assets.
func (p *Page) kind(name string) {
	if !slices.Contains(p.kinds, name) {
		p.kinds = append(p.kinds, name)
	}
}

// ruleID returns a rule's id on the page, numbered by first use.
func (p *Page) ruleID(id, revision string) string {
	key := ruleKey{id, revision}
	i := slices.Index(p.rules, key)
	if i < 0 {
		i = len(p.rules)
		p.rules, p.byRule = append(p.rules, key), append(p.byRule, [3]int{})
	}
	return fmt.Sprintf("r%d", i+1)
}

// Take keeps a finding for a later section and assigns its id. If the limits are reached, it counts
// the finding and returns false.
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

// found returns the number of findings.
func (p *Page) found() int { return p.counts[0] + p.counts[1] + p.counts[2] }

// number assigns a finding's id and resolves its references.
func (p *Page) number(f *Finding, revision string) {
	f.ID, f.RuleID = fmt.Sprintf("f%d", p.found()), p.ruleID(f.Rule, revision)
	p.byRule[slices.Index(p.rules, ruleKey{f.Rule, revision})][f.Severity]++
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

package report

import (
	"cmp"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
)

// htmlPage writes an HTML file at the end of the run.
type htmlPage struct {
	*sink
	run     Run
	page    *page.Page
	pending []keyedFinding
}

// keyedFinding is a finding on the page and its identity in an answer.
type keyedFinding struct {
	page.Finding
	key findingKey
}

func newHTML(w io.Writer, run Run, _ Options) Writer {
	return &htmlPage{sink: &sink{w: w}, run: run, page: page.New(pageColumns(run.Columns))}
}

func pageColumns(list []Column) []page.Column {
	columns := make([]page.Column, len(list))
	for i, c := range list {
		columns[i] = page.Column{Name: c.Name, Right: c.Right}
	}
	return columns
}

func pageTables(list []Table) []page.Table {
	tables := make([]page.Table, len(list))
	for i, t := range list {
		tables[i] = page.Table{Title: t.Title, Columns: pageColumns(t.Columns), Rows: t.Rows}
	}
	return tables
}

func (h *htmlPage) Finding(f finding.Finding) error {
	if shown, ok := h.page.Take(f, remarks(f)); ok {
		h.pending = append(h.pending, keyedFinding{shown, saidOf(f)})
	}
	return h.err
}

// remarks returns a finding's details, without message, position and comparison.
func remarks(f finding.Finding) (list [][2]string) {
	for _, note := range f.Notes {
		list = append(list, [2]string{"note", note})
	}
	if f.Detail != nil {
		list = append(list, f.Detail.Remarks()...)
	}
	list = append(list, [2]string{"help", f.Help})
	return slices.DeleteFunc(list, func(r [2]string) bool { return r[1] == "" })
}

// Answer adds a section or a table row. Findings before a row wait for the next section or the end.
func (h *htmlPage) Answer(a Answer) error {
	a = h.run.shared(a)
	if a.Row != nil {
		h.page.Row(a.Row, marks[a.Weight])
		return h.err
	}
	if a.Subject == "" && a.Word == "" && a.View == nil {
		return h.err
	}
	s := page.Section{
		Subject: a.Subject, Group: a.Group, Title: a.Title, Scope: a.Scope, Mark: marks[a.Weight], Word: a.Word, Reason: a.Reason,
		Expected: a.Expected, Found: a.Found, Facts: pageFacts(a.Facts), Remarks: a.Remarks, NotProved: a.NotCovered, Listing: a.Listing,
		Findings: h.its(a), Guarded: a.Guarded, Total: a.Total, Transcript: a.Transcript,
	}
	if a.Figures != nil {
		s.Facts, s.Tables = append(s.Facts, pageFacts(a.Figures.Facts)...), pageTables(a.Figures.Tables)
	}
	if a.View != nil && !h.page.Spares(&s) {
		view, err := a.View()
		if s.View = view; err != nil {
			s.View, s.NoView = nil, err.Error()
		}
	}
	h.page.Add(s)
	return h.err
}

// its removes and returns the pending findings of an answer: those it names, otherwise all.
func (h *htmlPage) its(a Answer) (own []page.Finding) {
	named := map[findingKey]bool{}
	for _, f := range a.Findings {
		named[saidOf(f)] = true
	}
	rest := h.pending[:0]
	for _, f := range h.pending {
		if a.Findings == nil || named[f.key] {
			own = append(own, f.Finding)
		} else {
			rest = append(rest, f)
		}
	}
	h.pending = rest
	return own
}

var marks = [...]page.Mark{Plain: page.Plain, Good: page.Good, Bad: page.Bad, Caution: page.Caution, Unanswered: page.Unanswered}

func pageFacts(list []Fact) []page.Fact {
	facts := make([]page.Fact, len(list))
	for i, f := range list {
		facts[i] = page.Fact{Name: f.Name, Value: f.Value, Members: pageFacts(f.Members)}
	}
	return facts
}

func (h *htmlPage) Fail(message string) error {
	h.page.Fail(message)
	return h.err
}

func (h *htmlPage) Close(s Summary) error {
	h.leftover()
	top := page.Top{
		Command: h.run.Command, Version: h.run.Version, Mark: marks[s.Weight], Word: s.Word, No: s.No, Summary: s.Text,
		NotProved: h.run.NotProved, Rules: h.run.KnownRules(),
	}
	if s.Figures != nil {
		top.Facts, top.Tables = pageFacts(s.Figures.Facts), pageTables(s.Figures.Tables)
	}
	if s.View != nil {
		view, err := s.View()
		if top.View = view; err != nil {
			top.View, top.NoView = nil, err.Error()
		}
	}
	switch {
	case s.No:
		top.Mark = page.Bad
	case s.Weight == Bad: // all of it is accepted
		top.Mark = page.Caution
	}
	if err := h.page.Write(h.w, top); h.err == nil {
		h.err = err
	}
	return h.err
}

// leftover adds a section per file for findings without an answer.
func (h *htmlPage) leftover() {
	for len(h.pending) > 0 {
		file, worst := h.pending[0].File, page.Plain
		var own []page.Finding
		for len(h.pending) > 0 && h.pending[0].File == file {
			f := h.pending[0].Finding
			own, h.pending, worst = append(own, f), h.pending[1:], max(worst, severityMarks[f.Severity])
		}
		h.page.Add(page.Section{Subject: cmp.Or(file, h.run.Command), Mark: worst, Word: "findings", Findings: own})
	}
}

var severityMarks = [...]page.Mark{finding.Info: page.Plain, finding.Warning: page.Caution, finding.Error: page.Bad}

// section returns the writer for another command's part. Its view appears with its answers.
func (h *htmlPage) section(run Run) Writer { return pagePart{passage{h}, run.Command} }

type pagePart struct {
	passage
	command string
}

func (p pagePart) Close(s Summary) error {
	if s.View == nil {
		return nil
	}
	return p.whole.Answer(Answer{
		Subject: p.command, Outcome: Outcome{Weight: s.Weight, Word: s.Text}, View: s.View, Findings: []finding.Finding{}, Total: true,
	})
}

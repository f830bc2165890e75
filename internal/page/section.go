package page

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Section is the part of a page about one subject: an input, an event or a case.
type Section struct {
	Subject string
	Group   string // group of the subject; "" for the run
	Title   string // the subject in words
	Scope   []string
	Mark    Mark
	Word    string // result in a word; "" for the mark's word
	Reason  string
	Listing string // line in a checksum-style list, or ""

	Expected, Found string // for comparisons

	Facts     []Fact
	Tables    []Table
	Remarks   []string
	NotProved []string // what the answer does not prove, as sentences
	Findings  []Finding

	View   View
	NoView string // why a requested view is missing

	// Guarded means that findings can repeat sensitive values; they are shown if the view, a
	// [Clearer], clears them.
	Guarded bool

	Transcript *Transcript // of a coding agent's transcript, else nil

	Total bool // it sums up earlier sections
}

type Fact struct {
	Name    string
	Value   string
	Members []Fact
}

// Column is a column of the results table.
type Column struct {
	Name  string
	Right bool // right-aligned, for numbers
}

type shownSection struct {
	*Section
	ID       string
	Number   int
	LeftOut  int  // omitted facts and remarks
	Open     bool // not collapsed
	Findings []Finding
}

// shownFinding is the template data of a finding.
type shownFinding struct {
	Finding
	Subject string
}

// Why returns the reason unless findings and the word imply it.
func (s *Section) Why() string {
	if s.Word != "" && len(s.Findings) > 0 && (strings.HasSuffix(s.Reason, s.Word) || strings.HasPrefix(s.Word, s.Reason+", ")) {
		return ""
	}
	return s.Reason
}

// says reports whether the section says more than its row in the list.
func (s *Section) says() bool {
	return len(s.Findings)+len(s.Facts)+len(s.Tables)+len(s.Remarks) > 0 || s.View != nil || s.NoView != "" || s.Reason != "" || s.Expected+s.Found != ""
}

func (p *Page) Add(s Section) {
	p.prove(s)
	p.headline(s)
	guard(&s)
	p.tellDone(&s)
	left := bound(&s)
	switch {
	case !s.says():
		p.listAlone(s)
		return
	case !p.room(&s):
		p.left.Sections++
		for _, f := range s.Findings {
			p.left.Findings[f.Severity]++
		}
		p.listAlone(s)
		return
	}
	p.numbers++
	shown := shownSection{Section: &s, ID: fmt.Sprintf("s%d", p.numbers), Number: p.numbers, LeftOut: left, Findings: s.Findings}
	p.list(s, shown.ID)
	view := p.view(&s)
	lead := &p.leads[0]
	if s.Mark >= Bad {
		lead = &p.leads[1]
	}
	*lead = cmp.Or(*lead, shown.ID)
	p.writeLast(false)
	p.last = func(alone bool) {
		var text bytes.Buffer
		out := &clean{w: &text}
		shown.Open = alone || s.Mark != Good
		execute(out, "section-begin", shown)
		if s.View != nil {
			out.pass([]byte("<div class=\"view\">\n"))
			view.pass(out)
			out.pass([]byte("</div>\n"))
		}
		execute(out, "findings-begin", shown)
		var list items
		for _, f := range shown.Findings {
			list = append(list, executed("finding", shownFinding{f, s.Subject}))
		}
		list.pass(out, "li", 0, stillItems)
		execute(out, "findings-end", shown)
		p.sections.add(s.Mark, text.Bytes())
	}
}

// writeLast writes the last section, once.
func (p *Page) writeLast(alone bool) {
	if p.last != nil {
		p.last(alone)
		p.last = nil
	}
}

// mostDone limits the damage shown at the top.
const mostDone = 3

// tellDone records the damage to the subject of the first error.
func (p *Page) tellDone(s *Section) {
	view, ok := s.View.(Doer)
	if !ok || p.first == nil || !slices.ContainsFunc(s.Findings, func(f Finding) bool { return f.ID == p.first.ID }) {
		return
	}
	list := view.Done()
	for _, what := range list[:min(len(list), mostDone)] {
		p.done = append(p.done, kept(what))
	}
	if more := len(list) - mostDone; more > 0 {
		p.done = append(p.done, fmt.Sprintf("%d more", more))
	}
}

// guard withholds values in findings unless the view clears them.
func guard(s *Section) {
	if !s.Guarded {
		return
	}
	view, _ := s.View.(Clearer)
	for i := range s.Findings {
		if f := &s.Findings[i]; view == nil || !view.Clears(f) {
			f.withhold()
		}
	}
}

// room reserves room for a section and reports whether it fits. Sections with a view have more
// room.
func (p *Page) room(s *Section) bool {
	most := MaxText - keptText
	if s.View != nil {
		most = MaxText
	}
	return p.numbers < MaxRows && p.takeUpTo(most, s.size())
}

// listAlone lists an answer without a section, if it fits.
func (p *Page) listAlone(s Section) {
	if size := s.size(); p.listing+size <= MaxListed && p.answers < MaxRows && p.take(size) {
		p.listing += size
		p.list(s, "")
		return
	}
	p.listed = true
	p.answers++
	p.left.Answers++
}

// bound truncates the lists of a section and returns the number of omitted items.
func bound(s *Section) (left int) {
	left = max(0, len(s.Facts)-maxList) + max(0, len(s.Remarks)-maxList)
	s.Facts, s.Remarks = s.Facts[:min(len(s.Facts), maxList)], s.Remarks[:min(len(s.Remarks), maxList)]
	return left
}

// size returns the bytes of text of a section without its findings.
func (s *Section) size() int {
	n := findingBytes
	for _, text := range slices.Concat([]string{s.Subject, s.Group, s.Title, s.Word, s.Reason, s.Expected, s.Found, s.NoView, s.Listing}, s.Scope, s.Remarks) {
		n += min(len(text), MaxValue)
	}
	return n + factBytes(s.Facts) + tableBytes(s.Tables)
}

func factBytes(facts []Fact) (n int) {
	for _, f := range facts {
		n += len(f.Name) + min(len(f.Value), MaxValue) + factBytes(f.Members)
	}
	return n
}

// Listed returns the section's line in the list of inputs.
func (s *Section) Listed() string { return cmp.Or(strings.TrimSuffix(s.Listing, "\n"), s.Subject) }

// list adds a section to the list of inputs, with a link if it has an id.
func (p *Page) list(s Section, id string) {
	p.listed = p.listed || id == ""
	p.answers++
	if s.Transcript != nil {
		p.listTranscript(&s, id)
		return
	}
	p.index.add(s.Mark, executed("index-row", struct {
		*Section
		ID    string
		Count int
	}{&s, id, len(s.Findings)}))
}

// Row adds a row to the table of results.
func (p *Page) Row(cells []string, mark Mark) {
	size := findingBytes
	for _, c := range cells {
		size += min(len(c), MaxValue)
	}
	if p.rows++; p.rows > MaxRows || !p.take(size) {
		p.left.Rows++
		return
	}
	row := make([]Cell, len(cells))
	for i, text := range cells {
		row[i].Text = text
		if i < len(p.columns) {
			row[i].Column = p.columns[i]
		}
	}
	p.results.add(mark, executed("results-row", struct {
		Mark  Mark
		Cells []Cell
	}{mark, row}))
}

// headline records the top of the page, in case this is the only section.
func (p *Page) headline(s Section) {
	switch {
	case p.answers > 0:
		p.only = nil
	case s.Subject != "":
		p.only = &headline{kept(s.Subject), s.Word, s.Scope}
	}
}

// prove records what a section's answer does not prove.
func (p *Page) prove(s Section) {
	kind := ""
	if len(s.Scope) > 0 {
		kind = kept(s.Scope[0])
	}
	for _, text := range s.NotProved {
		text = kept(text)
		i := slices.IndexFunc(p.unproved, func(u *unproved) bool { return u.Text == text })
		switch {
		case i >= 0:
			u := p.unproved[i]
			if u.Subjects++; len(u.kinds) < maxKinds && !slices.Contains(u.kinds, kind) {
				u.kinds = append(u.kinds, kind)
			}
		case len(p.unproved) == maxList:
			p.left.Unproved++
		default:
			p.unproved = append(p.unproved, &unproved{text, kept(s.Subject), 1, []string{kind}})
		}
	}
}

func (p *Page) view(s *Section) (html rope) {
	if s.View == nil {
		return html
	}
	for i := range s.Findings {
		s.Findings[i].Seen = p.seen(s.View, &s.Findings[i])
	}
	if html, s.NoView = p.rendered(&Shown{View: s.View, Findings: s.Findings, section: p.numbers}, s.viewLimit()); s.NoView != "" {
		return html
	}
	if _, ok := s.View.(Teller); ok {
		s.Facts = nil
	}
	return html
}

// rendered returns the HTML of a view, or why it does not fit.
func (p *Page) rendered(s *Shown, limit int) (html rope, refused string) {
	if s.View == nil {
		return html, ""
	}
	out := &clean{w: &html, most: max(limit-p.views, 1)}
	s.folder = &folder{out: out}
	if err := templates().ExecuteTemplate(s.folder, s.View.Kind()+".tmpl", s); err != nil && out.err == nil {
		panic(fmt.Sprintf("page: template %s: %v", s.View.Kind(), err))
	}
	if errors.Is(out.err, errFull) {
		p.noRoom = p.noRoom || limit-p.views < MaxViews/16
		return rope{}, fmt.Sprintf("the views of a page are limited to %d MiB, and this one does not fit", limit>>20)
	}
	p.views += out.bytes
	p.kind(s.View.Kind())
	return html, ""
}

// seen returns the id of the view element for a finding's line, or "".
func (p *Page) seen(view View, f *Finding) (name string) {
	switch view := view.(type) {
	case FilePlacer:
		name = view.PlaceIn(f.in(), f.Line)
	case Placer:
		name = view.Place(f.Line)
	}
	if name == "" || f.Line == 0 {
		return ""
	}
	return fmt.Sprintf("s%d-%s", p.numbers, name)
}

// Table is a table of figures, such as the calls of each tool.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string
}

// Cell is a value of a table with its column.
type Cell struct {
	Column
	Text string
}

// Cells returns the first maxList rows.
func (t Table) Cells() [][]Cell {
	rows := make([][]Cell, min(len(t.Rows), maxList))
	for i := range rows {
		for k, text := range t.Rows[i] {
			rows[i] = append(rows[i], Cell{t.Columns[k], text})
		}
	}
	return rows
}

// LeftOut returns the number of rows that Cells omits.
func (t Table) LeftOut() int { return max(0, len(t.Rows)-maxList) }

// tableBytes returns the bytes of text that tables show.
func tableBytes(tables []Table) (n int) {
	for _, t := range tables {
		for _, row := range t.Rows[:min(len(t.Rows), maxList)] {
			n += findingBytes
			for _, text := range row {
				n += min(len(text), MaxValue)
			}
		}
	}
	return n
}

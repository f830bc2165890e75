package report

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
)

// Limits of a job summary. GitHub shows nothing of a summary above 1 MiB.
const (
	markdownBytes  = 1 << 20
	markdownTail   = 4 << 10  // reserved for the notice about omissions
	markdownLimits = 96 << 10 // of them, what the verdict does not prove
	markdownMost   = 1000     // findings at error whose text waits for the end, and of the others
	markdownRows   = 1000     // answers
	markdownValue  = 300      // bytes per value
	markdownList   = 50       // failures, limitations, facts
)

// markdown writes a job summary in GitHub Flavored Markdown: the verdict, a table of inputs and the findings, both
// with failed inputs first, and what the verdict does not prove. It waits for the end, because the verdict comes
// first.
type markdown struct {
	*sink
	run      Run
	failures []string
	unproved []string
	said     map[string]bool // limitations already in unproved
	failed   []markdownRow
	others   []markdownRow // answers that are neither good nor failed
	good     []markdownRow
	rows     [2][]markdownRow    // of the table of results: those that failed, and the others
	findings [2]markdownFindings // those at error, and the others
	faulty   map[string]bool     // the files that have an error

	figures []markdownFigures
	figured int // bytes of figures

	count struct{ answers, rows, findings, figures, failures, unproved int }
}

type markdownFinding struct {
	text   string
	rule   ruleKey
	file   string
	number int
}

type markdownFindings struct {
	list []markdownFinding
	size int // bytes
}

type markdownRow struct {
	weight Weight
	cells  []string
}

func newMarkdown(w io.Writer, run Run, _ Options) Writer {
	m := &markdown{sink: &sink{w: w}, run: run, said: map[string]bool{}, faulty: map[string]bool{}}
	for _, what := range run.NotProved {
		m.prove(what)
	}
	return m
}

func (m *markdown) prove(what string) {
	what = plainMarkdown(what)
	if m.said[what] {
		return
	}
	if m.count.unproved++; m.count.unproved <= markdownList {
		m.said[what] = true
		m.unproved = append(m.unproved, what)
	}
}

func (m *markdown) Finding(f finding.Finding) error {
	m.count.findings++
	kept := &m.findings[1]
	if f.Severity == finding.Error {
		kept = &m.findings[0]
	}
	if len(kept.list) == markdownMost || kept.size > markdownBytes {
		return m.err
	}
	if f.Severity == finding.Error {
		m.faulty[f.File] = true
	}
	text := markdownItem(f)
	kept.size += len(text)
	kept.list = append(kept.list, markdownFinding{text, ruleKey{f.Rule, f.Revision()}, f.File, m.count.findings})
	return m.err
}

var severityIcons = [...]string{finding.Info: "ℹ️", finding.Warning: "⚠️", finding.Error: "❌"}

func markdownItem(f finding.Finding) string {
	place := f.File
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
		if f.Column > 0 {
			place += ":" + strconv.Itoa(f.Column)
		}
	}
	text := "- " + severityIcons[f.Severity] + " **" + f.Severity.String() + "** "
	if place != "" {
		text += codeMarkdown(place) + " "
	}
	text += plainMarkdown(f.Message) + " (" + codeMarkdown(f.Rule) + ")\n"
	add := func(name, value string) {
		if value != "" {
			text += "  - " + name + ": " + codeMarkdown(value) + "\n"
		}
	}
	add("path", f.Path)
	add("expected", f.Expected)
	add("found", f.Found)
	add("source", f.Source.Text)
	for i, r := range remarks(f) {
		if i == markdownList {
			break
		}
		text += "  - " + plainMarkdown(r[0]) + ": " + plainMarkdown(r[1]) + "\n"
	}
	if f.CausedBy != "" {
		text += "  - follows from " + codeMarkdown(f.CausedBy) + "\n"
	}
	return text
}

func (m *markdown) Answer(a Answer) error {
	a = m.run.shared(a)
	for _, what := range a.NotCovered {
		m.prove(what)
	}
	if a.Row != nil {
		m.count.rows++
		rows := &m.rows[1]
		if a.Weight == Bad || a.Weight == Unanswered {
			rows = &m.rows[0]
		}
		if len(*rows) < markdownRows {
			cells := make([]string, len(a.Row))
			for i, cell := range a.Row {
				cells[i] = plainMarkdown(cell)
			}
			*rows = append(*rows, markdownRow{a.Weight, cells})
		}
		return m.err
	}
	if a.Subject == "" && a.Word == "" {
		return m.err
	}
	m.count.answers++
	if a.Figures == nil && a.Weight == Plain && len(a.Facts) > 0 { // without a verdict, the facts are the answer
		a.Figures = &Figures{Facts: a.Facts}
	}
	m.figure(a.Subject, a.Figures)
	list := &m.others
	switch a.Weight {
	case Good:
		list = &m.good
	case Bad, Unanswered:
		list = &m.failed
	case Plain, Caution:
	}
	if len(*list) == markdownRows {
		return m.err
	}
	subject := codeMarkdown(cmp.Or(strings.TrimSuffix(a.Listing, "\n"), a.Subject))
	if a.Group != "" {
		subject = codeMarkdown(a.Group) + " " + subject
	}
	scope := plainMarkdown(strings.Join(a.Scope, ", "))
	why := plainMarkdown(strings.TrimSpace(a.Title + " " + strings.Join(a.why(), " ")))
	*list = append(*list, markdownRow{a.Weight, []string{plainMarkdown(cmp.Or(a.Word, weightWords[a.Weight])), subject, scope, why}})
	return m.err
}

// weightWords and weightIcons are defaults for outcomes without a word.
var (
	weightWords = [...]string{Plain: "done", Good: "passed", Bad: "failed", Caution: "warnings", Unanswered: "could not answer"}
	weightIcons = [...]string{Plain: "⚪", Good: "✅", Bad: "❌", Caution: "⚠️", Unanswered: "❔"}
)

func (m *markdown) Fail(message string) error {
	if m.count.failures++; m.count.failures <= markdownList {
		m.failures = append(m.failures, plainMarkdown(message))
	}
	return m.err
}

func (m *markdown) Close(s Summary) error {
	m.figure("", s.Figures)
	b := &bounded{most: markdownBytes - markdownTail - markdownLimits}
	m.head(b, s)
	rows := m.table(b, []string{"", "answer", "about", "looked at", "why"}, slices.Concat(m.failed, m.others, m.good))
	names := []string{""}
	for _, c := range m.run.Columns {
		names = append(names, plainMarkdown(c.Name))
	}
	results := m.table(b, names, slices.Concat(m.rows[0], m.rows[1]))
	figured := m.tables(b)
	shown := m.list(b)
	m.limits(b)
	m.left(b, rows, results, figured, shown)
	m.text(b.text.String())
	return m.err
}

func (m *markdown) head(b *bounded, s Summary) {
	weight, code := s.Weight, page.ExitGood
	switch {
	case m.count.failures > 0:
		weight, code = Unanswered, page.ExitUnanswered
	case s.No:
		weight, code = Bad, page.ExitNo
	case s.Weight == Bad:
		weight = Caution
	}
	b.add("### " + weightIcons[weight] + " cupel " + m.run.Command + ": " + weightWords[weight] + "\n\n")
	for _, why := range m.failures {
		b.add("- could not answer: " + why + "\n")
	}
	if more := m.count.failures - len(m.failures); more > 0 {
		b.add(fmt.Sprintf("- %d more reasons\n", more))
	}
	if s.Text != "" {
		b.add("\n" + plainMarkdown(s.Text) + "\n")
	}
	b.add("\n" + code + "\n")
}

// limits writes what the verdict does not prove.
func (m *markdown) limits(b *bounded) {
	b.most += markdownLimits
	b.add("\n#### What this does not prove\n\n")
	for _, what := range m.unproved {
		b.add("- " + what + "\n")
	}
	switch more := m.count.unproved - len(m.unproved); {
	case m.count.unproved == 0 && m.count.answers+m.count.rows == 0:
		b.add("- anything: nothing was judged\n")
	case m.count.unproved == 0:
		b.add("- more than the answers say\n")
	case more > 0:
		b.add(fmt.Sprintf("- %d more remarks of this kind\n", more))
	}
}

// table writes rows and returns how many fit.
func (m *markdown) table(b *bounded, names []string, rows []markdownRow) (written int) {
	if len(rows) == 0 || !b.add("\n| "+strings.Join(names, " | ")+" |\n|"+strings.Repeat(" --- |", len(names))+"\n") {
		return 0
	}
	for _, r := range rows {
		if !b.add("| " + weightIcons[r.weight] + " | " + strings.Join(r.cells, " | ") + " |\n") {
			break
		}
		written++
	}
	return written
}

// ordered returns the findings in order, files with an error first.
func (m *markdown) ordered() []markdownFinding {
	list := slices.Concat(m.findings[0].list, m.findings[1].list)
	slices.SortFunc(list, func(x, y markdownFinding) int {
		if a, b := m.faulty[x.file], m.faulty[y.file]; a != b {
			return map[bool]int{true: -1, false: 1}[a]
		}
		return cmp.Compare(x.number, y.number)
	})
	return list
}

// list writes the findings and returns how many fit.
func (m *markdown) list(b *bounded) (written int) {
	list := m.ordered()
	if len(list) == 0 || !b.add("\n#### Findings\n\n") {
		return 0
	}
	for _, f := range list {
		if !b.add(f.text) {
			break
		}
		written++
	}
	m.explain(b, list[:written])
	return written
}

func (m *markdown) explain(b *bounded, findings []markdownFinding) {
	rules := m.run.KnownRules()
	index, said := indexRules(rules), map[ruleKey]bool{}
	for _, f := range findings {
		i, known := index.of(f.rule.id, f.rule.revision)
		if !known || said[f.rule] {
			continue
		}
		if len(said) == 0 && !b.add("\n#### Rules\n\n") {
			return
		}
		said[f.rule] = true
		b.add("- " + codeMarkdown(f.rule.id) + " " + plainMarkdown(rules[i].Title) + ": " + plainMarkdown(rules[i].Clause) + "; " + codeMarkdown(index.command(f.rule.id, f.rule.revision)) + "\n")
	}
}

// left writes how much was omitted.
func (m *markdown) left(b *bounded, answers, rows, figured, findings int) {
	var parts []string
	for _, l := range []struct {
		what  string
		count int
	}{{"findings", m.count.findings - findings}, {"answers", m.count.answers - answers}, {"rows", m.count.rows - rows}, {"figures of answers", m.count.figures - figured}} {
		if l.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", l.count, l.what))
		}
	}
	if len(parts) > 0 {
		b.most += markdownTail
		b.add("\n**Left out of this summary, which is bounded: " + strings.Join(parts, ", ") + ".** `--format html` and `--format jsonl` show more.\n")
	}
}

// bounded is a text with a size limit. Parts are added whole or not at all.
type bounded struct {
	text strings.Builder
	most int
}

func (b *bounded) add(part string) bool {
	if b.text.Len()+len(part) > b.most {
		return false
	}
	b.text.WriteString(part)
	return true
}

// markdownEscapes replaces characters that can start markup, a link or an address by character references. The parser
// of GitHub finds addresses also in HTML code, but not across elements.
var markdownEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "~", "&#126;", "[", "&#91;", "]", "&#93;",
	"(", "&#40;", ")", "&#41;", "!", "&#33;", "\\", "&#92;", "#", "&#35;", "@", "&#64;<wbr>", "$", "&#36;", ":", "&#58;", "{", "&#123;", "}", "&#125;", "^", "&#94;",
	"www.", "www&#46;",
)

var (
	words = regexp.MustCompile(`\S+`)
	// live matches what GitHub or GitLab recognize in rendered text, except in code: mentions, references to issues,
	// changes, labels, milestones and commits, footnotes, mathematics, emoji and addresses.
	live = regexp.MustCompile(`(?i)[@#\[\]]|[$!%&~^]["\w]|://|www\.|:[\w+-]+:|\bGH-\d|\b[0-9a-f]{7,64}\b`)
)

// plainMarkdown formats a value as text. Words that could become a link are code.
func plainMarkdown(value string) string {
	text := say.Visible(say.Preview(value, markdownValue))
	return begun(text, words.ReplaceAllStringFunc(text, func(word string) string {
		if live.MatchString(word) {
			return "<code>" + markdownEscapes.Replace(word) + "</code>"
		}
		return markdownEscapes.Replace(word)
	}))
}

// begun escapes the first character of a text if it could start a list or underline a title.
func begun(text, escaped string) string {
	number := strings.TrimLeft(text, "0123456789")
	if text != "" && escaped[0] == text[0] && (strings.IndexByte("+-=", text[0]) >= 0 || number != text && strings.HasPrefix(number, ".")) {
		return fmt.Sprintf("&#%d;", text[0]) + escaped[1:]
	}
	return escaped
}

// codeMarkdown formats a value as <code>, because a code span in a table cell cannot contain every text.
func codeMarkdown(value string) string {
	text := say.Visible(say.Preview(value, markdownValue))
	return "<code>" + begun(text, markdownEscapes.Replace(text)) + "</code>"
}

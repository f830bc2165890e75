package report

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/finding"
)

// text writes for a person: each finding with its source line and a caret, follow-ups
// of one cause folded into a count, records and the summary as they phrase themselves.
type text struct {
	*sink
	paint  palette
	rules  func() map[string]bool // rules that `cupel explain` knows
	width  int
	quiet  bool
	folded []fold
}

// fold counts the findings that follow from one cause.
type fold struct {
	cause string
	count int
}

func newText(out *sink, run Run, opt Options) *text {
	return &text{sink: out, paint: newPalette(opt.Color), rules: sync.OnceValue(run.ruleIDs), width: opt.Width, quiet: opt.Quiet}
}

func (r Run) ruleIDs() map[string]bool {
	ids := map[string]bool{}
	for _, rule := range r.KnownRules() {
		ids[rule.ID] = true
	}
	return ids
}

func (t *text) Finding(f finding.Finding) error {
	if f.CausedBy != "" {
		t.fold(f.CausedBy)
		return t.err
	}
	t.text(headline(t.paint, f), "\n")
	margin := len(strconv.Itoa(f.Line)) + 2
	t.source(f, margin)
	for _, d := range t.details(f) {
		t.text(strings.Repeat(" ", margin), t.paint.faint("= "+d.name+":"), " ", d.value, "\n")
	}
	t.text("\n")
	return t.err
}

// headline is `file:line:col: error: message [RULE]`, without the parts of the place
// that a finding lacks.
func headline(paint palette, f finding.Finding) string {
	place := f.File
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	if f.Line > 0 && f.Column > 0 {
		place += ":" + strconv.Itoa(f.Column)
	}
	if place != "" {
		place = paint.strong(visible(place)+":") + " "
	}
	return place + paint.severity(f.Severity)(f.Severity.String()+":") + " " + visible(f.Message) + " " + paint.faint("["+f.Rule+"]")
}

// source writes the line that the finding points into, and the caret under it.
func (t *text) source(f finding.Finding, margin int) {
	s := window(f.Source, t.width-margin-2)
	if s.Text == "" {
		return
	}
	empty := strings.Repeat(" ", margin) + t.paint.faint("|")
	t.text(" ", t.paint.faint(strconv.Itoa(f.Line)+" |"), " ", s.Text, "\n")
	t.text(empty, strings.Repeat(" ", 1+columns(s.Text, s.Caret)),
		t.paint.severity(f.Severity)(strings.Repeat("^", max(1, columns(cut(s.Text, s.Caret), s.Width)))), "\n")
}

type detail struct{ name, value string }

// details are the lines under the caret. Expected and found stand one above the
// other with their values aligned.
func (t *text) details(f finding.Finding) []detail {
	var list []detail
	add := func(name, value string) {
		if value != "" {
			list = append(list, detail{name, visible(value)})
		}
	}
	add("path", f.Path)
	if f.Expected != "" || f.Found != "" {
		list = append(list, detail{"expected", visible(f.Expected)}, detail{"found", "   " + visible(f.Found)})
	}
	for _, note := range f.Notes {
		add("note", note)
	}
	add("also", strings.Join(f.Also, ", "))
	add("help", f.Help)
	if t.rules()[f.Rule] {
		add("help", "cupel explain "+f.Rule)
	}
	return list
}

func (t *text) fold(cause string) {
	for i := range t.folded {
		if t.folded[i].cause == cause {
			t.folded[i].count++
			return
		}
	}
	t.folded = append(t.folded, fold{cause, 1})
}

// unfold says how many findings were folded since the last record.
func (t *text) unfold() {
	for _, f := range t.folded {
		what := "findings follow"
		if f.count == 1 {
			what = "finding follows"
		}
		t.text(t.paint.faint(fmt.Sprintf("  … %d more %s from %s (--format short lists them)", f.count, what, f.cause)), "\n\n")
	}
	t.folded = t.folded[:0]
}

func (t *text) Record(r Record) error {
	t.unfold()
	if r.Text != "" && (!t.quiet || r.Style != Good) {
		t.text(t.paint.style(r.Style)(strings.TrimSuffix(r.Text, "\n")), "\n")
	}
	return t.err
}

// Fail writes nothing: standard error has it.
func (t *text) Fail(string) error { return t.err }

func (t *text) Close(s Summary) error {
	t.unfold()
	if s.Text != "" && !t.quiet {
		t.text(t.paint.style(s.Style)(strings.TrimSuffix(s.Text, "\n")), "\n")
	}
	return t.err
}

// short writes one line per finding and what records have for it.
type short struct {
	*sink
	paint palette
	quiet bool
}

func newShort(out *sink, opt Options) *short {
	return &short{sink: out, paint: newPalette(opt.Color), quiet: opt.Quiet}
}

func (s *short) Finding(f finding.Finding) error {
	s.text(headline(s.paint, f), "\n")
	return s.err
}

func (s *short) Record(r Record) error {
	if r.Short != "" && (!s.quiet || r.Style != Good) {
		s.text(s.paint.style(r.Style)(r.Short), "\n")
	}
	return s.err
}

func (s *short) Fail(string) error   { return s.err }
func (s *short) Close(Summary) error { return s.err }

// cut drops the first n code points of text.
func cut(text string, n int) string {
	for ; n > 0 && text != ""; n-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}

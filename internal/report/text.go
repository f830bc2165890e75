package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// text writes text: findings with source line and caret, findings with the same cause folded into a count, and full
// answers.
type text struct {
	*sink
	paint  palette
	layout layout
	rules  func() ruleIndex // rules that `cupel explain` knows
	color  bool
	width  int
	quiet  bool
	apart  bool
	folded []fold
	again  repeats
	table  table
	part   bool // a command's report inside that of check, which omits passed inputs

	limits   bool      // list what the answers do not prove
	unproved *unproved // what the answers so far do not prove, including sections
}

// unproved collects each limitation once.
type unproved struct{ list []string }

type fold struct {
	cause string
	count int
}

func newText(w io.Writer, run Run, opt Options) Writer { return beginText(&sink{w: w}, run, opt) }

func beginText(s *sink, run Run, opt Options) *text {
	rules := sync.OnceValue(func() ruleIndex { return indexRules(run.KnownRules()) })
	paint := newPalette(opt.Color)
	if opt.Links {
		paint = paint.linked(rules)
	}
	return &text{
		sink: s, paint: paint, layout: newLayout(run),
		rules: rules, color: opt.Color, width: opt.Width, quiet: opt.Quiet, apart: opt.Apart,
		limits: opt.Limits, unproved: new(unproved),
		table: table{columns: run.Columns, width: opt.Width},
	}
}

// section returns the writer for a part of `cupel check`.
func (t *text) section(run Run) Writer {
	t.table.end(t.row)
	t.unrepeat()
	t.unfold()
	part := beginText(t.sink, run, Options{Width: t.width, Quiet: t.quiet, Apart: t.apart, Color: t.color, Links: t.paint.page != nil, Limits: t.limits})
	part.part, part.unproved = true, t.unproved
	return part
}

func (t *text) Finding(f finding.Finding) error {
	t.table.end(t.row)
	if f.CausedBy != "" {
		t.fold(f.CausedBy)
		return t.err
	}
	if t.again.file != f.File {
		t.unrepeat()
	}
	if t.again.beyond(f) {
		return t.err
	}
	t.text(headline(t.paint, f), "\n")
	margin := len(strconv.Itoa(f.Line)) + 2
	t.source(f, margin)
	for _, d := range t.details(f) {
		t.text(strings.Repeat(" ", margin), t.paint.faint("= "+d.name+":"), " ", d.value, "\n")
	}
	t.fix(f.Fix, margin)
	t.text("\n")
	return t.err
}

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

// fix writes a finding's fix as a small diff.
func (t *text) fix(fix *finding.Fix, margin int) {
	if fix == nil {
		return
	}
	title := say.Visible(fix.Title)
	if fix.Unsafe {
		title += " (a guess)"
	}
	t.text(strings.Repeat(" ", margin), t.paint.faint("= fix:"), " ", title, "\n")
	for _, line := range fix.Preview {
		t.text(strings.Repeat(" ", margin+2), t.paint.change(line), "\n")
	}
}

type detail struct{ name, value string }

// details returns the lines below the caret. Expected and found values are aligned.
func (t *text) details(f finding.Finding) []detail {
	var list []detail
	add := func(name, value string) {
		if value != "" {
			list = append(list, detail{name, say.Visible(value)})
		}
	}
	add("path", f.Path)
	if f.Expected != "" || f.Found != "" {
		list = append(list, detail{"expected", say.Visible(f.Expected)}, detail{"found", "   " + say.Visible(f.Found)})
	}
	for _, remark := range remarks(f) {
		add(remark[0], remark[1])
	}
	if _, ok := t.rules().of(f.Rule, f.Revision()); ok {
		add("help", t.rules().command(f.Rule, f.Revision()))
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

func (t *text) unfold() {
	for _, f := range t.folded {
		what := "findings follow"
		if f.count == 1 {
			what = "finding follows"
		}
		t.text(t.paint.faint(fmt.Sprintf("  … %d more %s from %s (--format short lists them)", f.count, what, say.Visible(f.cause))), "\n\n")
	}
	t.folded = t.folded[:0]
}

func (t *text) Answer(a Answer) error {
	if a.Row != nil {
		if t.quiet && a.Weight == Good {
			return t.err
		}
		t.table.add(a.Row, a.Weight, t.row)
		return t.err
	}
	t.table.end(t.row)
	t.unfold()
	t.putOff(&a)
	if a.Subject == t.again.file {
		t.unrepeat()
	}
	t.say(t.layout.full(a), a.Weight, a.Silent || (t.quiet || (t.part || a.OneOfMany) && !t.limits) && a.Weight == Good)
	return t.err
}

// putOff moves limitations of an answer to the end of the report. For an input that passed, it keeps only outcome,
// remarks and kept facts, unless the limits are listed.
func (t *text) putOff(a *Answer) {
	all := a.allFacts()
	a.Facts, a.NotCovered = nil, nil
	for _, f := range all {
		switch {
		case f.Name == NotCovered:
			if !slices.Contains(t.unproved.list, f.Value) {
				t.unproved.list = append(t.unproved.list, f.Value)
			}
		case !a.Brief || a.Weight != Good || t.limits || f.Kept || f.Name == "":
			a.Facts = append(a.Facts, f)
		}
	}
}

func (t *text) say(what string, weight Weight, leaveOut bool) {
	if what != "" && !leaveOut {
		t.text(t.paint.weight(weight)(what), "\n")
	}
}

// Fail writes nothing if stderr shows the failure.
func (t *text) Fail(message string) error {
	t.unrepeat()
	t.unfold()
	t.fail(t.apart, message)
	return t.err
}

func (t *text) row(line string, weight Weight) {
	t.text(t.paint.weight(weight)(line), "\n")
}

func (t *text) Close(s Summary) error {
	t.table.end(t.row)
	t.unrepeat()
	t.unfold()
	if t.part {
		return t.err
	}
	switch n := len(t.unproved.list); {
	case n == 0 || t.quiet:
	case t.limits:
		for _, what := range t.unproved.list {
			t.say("not verified: "+say.Visible(what), Plain, false)
		}
	default:
		t.say("not verified: "+plural(n, "point")+", see --not-verified", Plain, false)
	}
	t.say(say.Visible(s.Text), s.Weight, !s.shown(t.quiet))
	return t.err
}

package page_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
)

// lined is a text whose lines end with a line feed.
type lined []string

func textOf(s string) lined { return strings.Split(s, "\n") }

func (l lined) Count() int             { return len(l) }
func (l lined) Line(number int) string { return l[number-1] }
func (l lined) Offset(number, column int) int {
	runes := []rune(l[number-1])
	return len(string(runes[:min(column-1, len(runes))]))
}

// drawFindings draws findings about lines of a text, and some that are about none.
func drawFindings(t *rapid.T, lines int) (list []finding.Finding) {
	for range rapid.IntRange(0, 8).Draw(t, "findings") {
		f := finding.Finding{
			Severity: rapid.SampledFrom([]finding.Severity{finding.Info, finding.Warning, finding.Error}).Draw(t, "severity"),
			Line:     rapid.IntRange(0, lines+2).Draw(t, "line"), Column: rapid.IntRange(0, 12).Draw(t, "column"),
			EndColumn: rapid.IntRange(0, 12).Draw(t, "end column"),
		}
		if rapid.Bool().Draw(t, "several lines") {
			f.EndLine = f.Line + rapid.IntRange(0, 30).Draw(t, "lines")
		}
		list = append(list, f)
	}
	return list
}

// TestDocumentLaw checks that the rows of a document are its lines in order, each shown whole or summarized; a code
// point is marked exactly if a finding covers it, with the worst severity; and every finding at a line is next to it
// or counted.
func TestDocumentLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("aé😀 :")), 0, 9, -1), 1, 12).Draw(t, "lines")
		if rapid.Bool().Draw(t, "long") {
			lines = append(lines, textOf(strings.Repeat("x\n", 600))...)
		}
		list := drawFindings(t, len(lines))
		d := page.NewDocument(lined(lines), list)
		next, away := 1, 0
		for _, row := range d.Rows {
			if row.Line != next {
				t.Fatalf("a row of line %d, expected %d", row.Line, next)
			}
			if next = row.Line + 1; row.Last > 0 {
				next = row.Last + 1
				continue
			}
			if row.Room < 1 {
				t.Fatalf("line %d has no room", row.Line)
			}
			if got, want := marked(row.Pieces), naiveMarks(lines[row.Line-1], row.Line, list); got != want {
				t.Fatalf("line %d: %q, expected %q", row.Line, got, want)
			}
		}
		if next != d.Lines+1 || d.Lines < len(lines)-1 {
			t.Fatalf("the rows end before line %d of %d", next, len(lines))
		}
		for _, f := range list {
			if f.Line > 0 && d.Place(f.Line) == "" {
				away++
			}
		}
		if away != d.Away {
			t.Fatalf("%d findings away, expected %d", d.Away, away)
		}
	})
}

// marked spells the marks of a line: after each code point the letter of its mark.
func marked(pieces []page.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		for _, r := range p.Text {
			b.WriteRune(r)
			b.WriteString(p.Mark)
		}
	}
	return b.String()
}

// naiveMarks is what marked must say of a line.
func naiveMarks(line string, number int, list []finding.Finding) string {
	var b strings.Builder
	length := utf8.RuneCountInString(line)
	for at, r := range []rune(line) {
		b.WriteRune(r)
		word, worst := "", finding.Severity(0)
		for _, f := range list {
			last := max(f.Line, f.EndLine)
			from, to := 0, length
			if number == f.Line {
				from = min(f.Column-1, length)
			}
			if number == last {
				to = max(min(max(f.EndColumn, 1)-1, length), from)
				if f.Line == last && to == from {
					to = from + 1
				}
			}
			covers := f.Line > 0 && f.Column > 0 && f.Line <= number && number <= last && number < f.Line+20 && from <= at && at < to
			if covers && (word == "" || f.Severity > worst) {
				word, worst = f.Severity.String(), f.Severity
			}
		}
		b.WriteString(word)
	}
	return b.String()
}

// TestDocumentLimits checks that a long line is cut around its first mark, a long text to the surroundings of its
// findings, and that the marks of a line are limited to a readable number.
func TestDocumentLimits(t *testing.T) {
	d := page.NewDocument(textOf(strings.Repeat("é", 5000)), []finding.Finding{{Line: 1, Column: 4000, EndColumn: 4003, Severity: finding.Error}})
	if p := d.Rows[0].Pieces; len(p) != 5 || p[2] != (page.Piece{Text: "ééé", Mark: "error"}) || p[0].Text != "…" || p[4].Text != "…" {
		t.Errorf("%d pieces", len(p))
	}
	d = page.NewDocument(textOf(strings.Repeat("x\n", 100_000)), []finding.Finding{{Line: 50_000}, {Line: 50_010, Column: 1}})
	if len(d.Rows) != 2+2*8+11 || d.Rows[0].Last != 49_991 || d.Rows[len(d.Rows)-1].Last != 100_000 || d.Away != 0 {
		t.Errorf("%d rows, the first %+v, the last %+v", len(d.Rows), d.Rows[0], d.Rows[len(d.Rows)-1])
	}
	many := make([]finding.Finding, 20_000)
	for i := range many {
		many[i] = finding.Finding{Line: 1 + i, Column: 1}
	}
	d = page.NewDocument(textOf(strings.Repeat("x\n", 20_000)), many)
	if last := d.Rows[len(d.Rows)-1]; last.Line != 4001 || last.Last != 20_000 || d.Away != 16_000 {
		t.Errorf("the last row %+v, %d away", last, d.Away)
	}
	for i := range many {
		many[i] = finding.Finding{Line: 1, Column: 1 + i%900}
	}
	if d = page.NewDocument(textOf(strings.Repeat("x", 1000)), many); len(d.Rows[0].Pieces) > 202 {
		t.Errorf("%d pieces", len(d.Rows[0].Pieces))
	}
}

package report

import (
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
)

// layout formats answers as text. Tables of cases start with the result in a column; other text starts with the
// subject.
type layout struct {
	column int // width of the result column with padding; 0 without a table
}

func newLayout(run Run) layout {
	if len(run.Outcomes) == 0 {
		return layout{}
	}
	return layout{widest(run.Outcomes) + 2}
}

func widest(words []string) (n int) {
	for _, w := range words {
		n = max(n, utf8.RuneCountInString(w))
	}
	return n
}

// full returns the text of an answer, or "" if its findings imply it.
func (l layout) full(a Answer) string {
	lines := visibles(nil, "", a.Remarks)
	switch {
	case a.Listing != "":
		lines = append(lines, strings.TrimSuffix(a.Listing, "\n"))
	case a.Word == "":
	case l.column > 0:
		lines = l.row(lines, a)
	default:
		lines = append(lines, verdict(a)+inBrackets(a.Scope))
	}
	return strings.Join(facts(lines, strings.Repeat(" ", max(2, l.column)), a.allFacts()), "\n")
}

// allFacts returns the facts, followed by what the answer does not prove.
func (a Answer) allFacts() []Fact {
	list := a.Facts
	for _, what := range a.NotCovered {
		list = append(list[:len(list):len(list)], Fact{Name: NotCovered, Value: what})
	}
	return list
}

// brief returns one line with what neither findings nor stderr contain. Rows of tables are complete.
func (l layout) brief(a Answer) string {
	switch {
	case a.Implied, a.Weight == Unanswered:
		return ""
	case a.Listing != "":
		return strings.TrimSuffix(a.Listing, "\n")
	case a.Word == "":
		return ""
	case l.column == 0:
		return verdict(a)
	case len(a.Scope) == 0:
		return a.Word + " " + say.Visible(a.Subject)
	}
	return l.full(a)
}

func verdict(a Answer) string { return say.Visible(a.Subject) + ": " + say.Visible(a.Word) }

func inBrackets(scope []string) string {
	if len(scope) == 0 {
		return ""
	}
	return " (" + strings.Join(scope, ", ") + ")"
}

// row formats a table case with its reason below.
func (l layout) row(lines []string, a Answer) []string {
	head := padded(a.Word, l.column) + say.Visible(a.Subject)
	if a.Title != "" {
		head += "  " + say.Visible(a.Title)
	}
	if len(a.Scope) > 0 && a.Reason == "" {
		head += ": " + strings.Join(a.Scope, ", ")
	}
	return visibles(append(lines, strings.TrimRight(head, " ")), strings.Repeat(" ", l.column), a.why())
}

func (o Outcome) why() (lines []string) {
	if o.Expected != "" || o.Found != "" {
		lines = append(lines, "expected "+o.Expected, "got      "+o.Found)
	}
	if o.Reason != "" {
		lines = append(lines, strings.Split(o.Reason, "\n")...)
	}
	return lines
}

func visibles(lines []string, margin string, more []string) []string {
	for _, line := range more {
		lines = append(lines, margin+say.Visible(line))
	}
	return lines
}

// facts formats each fact on a line, with its members below it in columns.
func facts(lines []string, margin string, list []Fact) []string {
	for _, f := range list {
		switch {
		case f.Name == "":
			lines = append(lines, margin+say.Visible(f.Value))
		case len(f.Members) > 0:
			lines = members(append(lines, margin+f.Name+":"), margin+"  ", f.Members)
		default:
			lines = append(lines, margin+f.Name+": "+say.Visible(f.Value))
		}
	}
	return lines
}

func members(lines []string, margin string, list []Fact) []string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name
	}
	column := widest(names) + 2
	for _, f := range list {
		line := margin
		if f.Name != "" {
			line += padded(f.Name, column)
		}
		lines = append(lines, line+say.Visible(f.Value))
	}
	return lines
}

func padded(s string, column int) string {
	return s + strings.Repeat(" ", max(0, column-utf8.RuneCountInString(s)))
}

package evidencecmd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/secrets"
)

// marks are the first characters of lines, by kind of difference.
var marks = map[bundle.DifferenceKind]string{bundle.Removed: "-", bundle.Added: "+", bundle.Changed: "~", bundle.Moved: ">"}

// difference reports one difference. Text output does not list events that differ only in the envelope.
func (d *diffRun) difference(f *bundle.Difference) error {
	a := report.Answer{List: "differences", Value: f}
	if f.Kind != bundle.OtherEnvelope {
		a.Listing, a.Weight = differenceText(f), report.Bad
		a.Subject, a.Word, a.Guarded, a.Figures = placesText(f)+"  "+hidden(namedText(f)), string(f.Kind), true, differenceFigures(f)
		if f.Kind == bundle.Moved {
			a.Weight = report.Caution
		}
	}
	return d.out.Answer(a)
}

// differenceText returns a line about an event, followed by its changes.
func differenceText(f *bundle.Difference) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s  %s", marks[f.Kind], placesText(f), say.Visible(namedText(f)))
	for _, c := range f.Changes {
		fmt.Fprintf(&b, "\n    %s: %s → %s", say.Visible(c.Pointer), changedText(c.A), changedText(c.B))
	}
	if f.Omitted > 0 {
		fmt.Fprintf(&b, "\n    and %s more", cmdline.Counted(f.Omitted, "change"))
	}
	if f.Kind == bundle.Changed && len(f.Attributes) > 0 {
		b.WriteString("\n    envelope: " + strings.Join(f.Attributes, ", "))
	}
	return b.String()
}

// namedText returns an event's type and subject.
func namedText(f *bundle.Difference) string {
	text := say.Preview(f.Type, say.Usual)
	if f.Subject != nil {
		text += "  " + say.Preview(*f.Subject, say.Usual)
	}
	return text
}

// differenceFigures returns the changes of an event for a page, without secrets, or nil.
func differenceFigures(f *bundle.Difference) *report.Figures {
	var figures report.Figures
	if len(f.Changes) > 0 {
		table := report.Table{Title: "Changes", Columns: []report.Column{{Name: "member"}, {Name: "A"}, {Name: "B"}}}
		for _, c := range f.Changes {
			table.Rows = append(table.Rows, []string{c.Pointer, hiddenMember(c.Pointer, c.A), hiddenMember(c.Pointer, c.B)})
		}
		figures.Tables = append(figures.Tables, table)
	}
	if f.Omitted > 0 {
		figures.Facts = append(figures.Facts, report.Fact{Name: "more changes", Value: strconv.Itoa(f.Omitted)})
	}
	if len(f.Attributes) > 0 {
		figures.Facts = append(figures.Facts, report.Fact{Name: "envelope", Value: strings.Join(f.Attributes, ", ")})
	}
	if figures.Facts == nil && figures.Tables == nil {
		return nil
	}
	return &figures
}

// variable matches an environment variable with its value.
var variable = regexp.MustCompile(`^("[A-Z_][A-Z0-9_]*=).*[^"]`)

// hiddenMember returns a value without its secrets, of which some have the form of a secret only with the name.
func hiddenMember(pointer string, value *string) string {
	if value == nil {
		return changedText(nil)
	}
	name := strconv.Quote(pointer[strings.LastIndexByte(pointer, '/')+1:]) + ": "
	text, known := strings.CutPrefix(hidden(name+variable.ReplaceAllString(*value, "$1"+secrets.Stars)), name)
	if !known {
		return secrets.Stars
	}
	return text
}

func changedText(value *string) string {
	if value == nil {
		return "nothing"
	}
	return say.Visible(*value)
}

// placesText returns an event's position, in both inputs if different.
func placesText(f *bundle.Difference) string {
	switch {
	case f.A == nil:
		return placeText(f.B)
	case f.B == nil || placeText(f.A) == placeText(f.B):
		return placeText(f.A)
	}
	return placeText(f.A) + " → " + placeText(f.B)
}

func placeText(p *bundle.EventPlace) string {
	if p.Seq == nil {
		return "line " + strconv.Itoa(p.Line)
	}
	return "seq " + strconv.FormatUint(*p.Seq, 10)
}

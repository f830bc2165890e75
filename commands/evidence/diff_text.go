package evidencecmd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

// marks are the first characters of lines, by kind of difference.
var marks = map[bundle.DifferenceKind]string{bundle.Removed: "-", bundle.Added: "+", bundle.Changed: "~", bundle.Moved: ">"}

// difference reports one difference. Text output does not list events that differ only in the envelope.
func (d *diffRun) difference(f *bundle.Difference) error {
	a := report.Answer{List: "differences", Value: f}
	if f.Kind != bundle.OtherEnvelope {
		a.Listing, a.Weight = differenceText(f), report.Bad
		if f.Kind == bundle.Moved {
			a.Weight = report.Caution
		}
	}
	return d.out.Answer(a)
}

// differenceText returns a line about an event, followed by its changes.
func differenceText(f *bundle.Difference) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s  %s", marks[f.Kind], placesText(f), say.Visible(say.Preview(f.Type, say.Usual)))
	if f.Subject != nil {
		b.WriteString("  " + say.Visible(say.Preview(*f.Subject, say.Usual)))
	}
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

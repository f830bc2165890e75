package report

import (
	"github.com/fatih/color"

	"github.com/cupel-dev/cupel/finding"
)

// palette colours pieces of text for one stream. The library's own decision, which
// looks at standard output alone, is overruled for every colour.
type palette struct {
	good, bad, caution, note, strong, faint func(...any) string
}

func newPalette(on bool) palette {
	paint := func(attributes ...color.Attribute) func(...any) string {
		c := color.New(attributes...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c.SprintFunc()
	}
	return palette{
		good: paint(color.FgGreen), bad: paint(color.FgRed, color.Bold), caution: paint(color.FgYellow, color.Bold),
		note: paint(color.FgCyan), strong: paint(color.Bold), faint: paint(color.Faint),
	}
}

func (p palette) severity(s finding.Severity) func(...any) string {
	return [...]func(...any) string{finding.Info: p.note, finding.Warning: p.caution, finding.Error: p.bad}[s]
}

func (p palette) weight(w Weight) func(...any) string {
	switch w {
	case Good:
		return p.good
	case Bad, Unanswered:
		return p.bad
	case Caution:
		return p.caution
	}
	return func(v ...any) string { return v[0].(string) }
}

// change paints a line of a diff.
func (p palette) change(line string) string {
	if line[0] == '-' {
		return p.bad(line)
	}
	return p.good(line)
}

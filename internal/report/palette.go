package report

import (
	"github.com/fatih/color"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/buildinfo"
	"github.com/cupel-dev/cupel/internal/say"
)

// palette colors text for one stream. It overrides the library's decision, which only considers stdout.
type palette struct {
	good, bad, caution, note, strong, faint func(...any) string

	page func(rule string) string // returns a rule's page, or "" for unknown rules; nil disables links
}

// linked makes rule ids links to their pages.
func (p palette) linked(rules func() ruleIndex) palette {
	p.page = func(rule string) string {
		if _, known := rules().of(rule, ""); !known {
			return ""
		}
		return buildinfo.RulePage(rule)
	}
	return p
}

// rule formats a rule id. Only known ids become links, because reports by others can contain anything.
func (p palette) rule(id string) string {
	id = say.Visible(id)
	if p.page == nil {
		return id
	}
	address := p.page(id)
	if address == "" {
		return id
	}
	const begin, end = "\x1b]8;;", "\x1b\\"
	return begin + address + end + id + begin + end
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

func (p palette) change(line string) string {
	if line[0] == '-' {
		return p.bad(line)
	}
	return p.good(line)
}

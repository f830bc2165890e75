package report

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// markdownFigures are the figures of a subject, or of the run with subject "".
type markdownFigures struct{ subject, text string }

// figure keeps figures for the end, in which those of the run are first.
func (m *markdown) figure(subject string, f *Figures) {
	if f == nil {
		return
	}
	m.count.figures++
	text := markdownFacts("", f.Facts)
	for _, t := range f.Tables {
		text += markdownTable(t)
	}
	if m.figured += len(text); m.figured > markdownBytes {
		return
	}
	one := markdownFigures{subject, text}
	if subject == "" {
		m.figures = slices.Insert(m.figures, 0, one)
		return
	}
	m.figures = append(m.figures, one)
}

func markdownFacts(margin string, list []Fact) string {
	var b strings.Builder
	for i, f := range list {
		if i == markdownList {
			b.WriteString(margin + "- " + say.Counted(int64(len(list)-i), "more fact") + " not shown\n")
			break
		}
		line := plainMarkdown(strings.TrimSpace(f.Value))
		if f.Name != "" {
			line = strings.TrimSpace(plainMarkdown(f.Name) + ": " + line)
		}
		b.WriteString(margin + "- " + line + "\n" + markdownFacts(margin+"  ", f.Members))
	}
	return b.String()
}

// markdownTable is a table below its title.
func markdownTable(t Table) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	names, rules := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i], rules[i] = plainMarkdown(c.Name), "---"
		if c.Right {
			rules[i] = "---:"
		}
	}
	b.WriteString("\n**" + plainMarkdown(t.Title) + "**\n\n")
	line(names)
	line(rules)
	for i, row := range t.Rows {
		if i == markdownList {
			b.WriteString("\n" + say.Counted(int64(len(t.Rows)-i), "more row") + " not shown" + "\n")
			break
		}
		cells := make([]string, len(row))
		for k, cell := range row {
			cells[k] = plainMarkdown(cell)
		}
		line(cells)
	}
	return b.String()
}

// tables writes the figures and returns how many fit.
func (m *markdown) tables(b *bounded) (written int) {
	for _, f := range m.figures {
		title := "Figures"
		if f.subject != "" {
			title = codeMarkdown(f.subject)
		}
		if !b.add("\n#### " + title + "\n\n" + f.text) {
			break
		}
		written++
	}
	return written
}

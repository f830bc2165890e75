package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// ExplainText appends the explanation of a rule as plain text.
func ExplainText(b *strings.Builder, r finding.Rule) {
	markup{heading: "%s: %s\n", label: "%s: %s\n", indent: "  "}.rule(b, r)
}

// ExplainMarkdown appends the explanation as Markdown below a second-level heading.
func ExplainMarkdown(b *strings.Builder, r finding.Rule) {
	markup{heading: "## %s: %s\n", label: "- **%s**: %s\n", fence: "```\n"}.rule(b, r)
}

type markup struct{ heading, label, fence, indent string }

func (x markup) rule(b *strings.Builder, r finding.Rule) {
	fmt.Fprintf(b, x.heading, r.ID, r.Title)
	b.WriteString("\n")
	x.lines(b, r)
	if r.Rationale != "" {
		fmt.Fprintf(b, "\n%s\n", r.Rationale)
	}
	x.example(b, "bad", r.Bad)
	x.example(b, "good", r.Good)
}

func (x markup) lines(b *strings.Builder, r finding.Rule) {
	for _, line := range [][2]string{
		{"revision", r.Revision}, {"severity", r.Severity.String()}, {"the input becomes", r.Class}, {"clause", r.Clause}, {"flags", r.Flags},
	} {
		if line[1] != "" {
			fmt.Fprintf(b, x.label, line[0], line[1])
		}
	}
}

func (x markup) example(b *strings.Builder, name, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(b, "\n%s:\n\n%s", name, x.fence)
	for l := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		b.WriteString(x.indent)
		writeUTF8(b, l)
	}
	b.WriteString(x.fence)
}

// writeUTF8 writes a text with `\xNN` for invalid bytes, which examples can have.
func writeUTF8(b *strings.Builder, text string) {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(b, `\x%02x`, text[0])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
}

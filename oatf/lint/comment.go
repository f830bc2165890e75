package lint

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// lintComments finds texts without quotes that end at a # and a word, such as "Attack #1": YAML reads the rest of the
// line as a comment.
func lintComments(doc *view.Document, out *reporter) {
	if source := place.SourceOf(doc.Document); source != nil && strings.Contains(source.Lines.Text, " #") {
		commentLint{out: out, lines: source.Lines}.node(source.Root, nil)
	}
}

type commentLint struct {
	out   *reporter
	lines *place.Lines

	inFlow bool // inside of brackets
}

func (l commentLint) node(n *yaml.Node, at *place.Path) {
	l.inFlow = l.inFlow || n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle != 0
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			l.node(n.Content[i+1], at.Field(n.Content[i].Value))
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			l.node(item, at.Element(i))
		}
	case yaml.ScalarNode:
		if v, ok := yamltext.Scalar(n); ok && yamltext.IsPlain(n) {
			if text, ok := v.(string); ok {
				l.text(n, text, at)
			}
		}
	}
}

// text checks what follows a text on its last line.
func (l commentLint) text(n *yaml.Node, text string, at *place.Path) {
	start, end := yamltext.Extent(l.lines, n)
	rest := l.lines.Text[end:]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimRight(rest, " \t")
	comment := strings.TrimLeft(rest, " \t")
	if len(comment) == len(rest) || len(comment) < 2 || comment[0] != '#' || !startsWord(comment[1:]) {
		return
	}
	f := l.out.warn(rules.CutText, at, "the text ends before #: YAML reads %s as a comment", say.Quoted(comment))
	f.Help = "put the whole text in quotes, or write a space after # if it is a comment"
	if l.lines.Text[start:end] == text && !l.inFlow {
		bom, stop := l.lines.Byte(1, 1), end+len(rest)
		f.Fix = &finding.Fix{
			Title: "put the whole text in quotes", Unsafe: true,
			Edits: []finding.Edit{{Start: bom + start, End: bom + stop, Text: yamltext.Quoted(l.lines.Text[start:stop])}},
		}
	}
}

// startsWord reports whether a comment begins like a number, a tag or a channel, and is not for a tool.
func startsWord(comment string) bool {
	return strings.IndexAny(comment, " \t#!:") != 0 && !strings.HasPrefix(comment, "cupel:")
}

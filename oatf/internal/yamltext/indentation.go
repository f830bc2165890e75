package yamltext

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/model"
)

// indented checks the indentation of continuation lines that YAML 1.2.2 requires. The library follows YAML 1.1,
// which does not require it. A node must continue to the right of its key or dash, after spaces (clauses 6.1 and
// 6.3), except at the root.
type indented struct{ *Faults }

// nowhere is the parent column where no indentation is required: at the root (clause 9.1.3), and inside a flow
// collection, which is checked as a whole.
const nowhere = -1

// node checks a scalar or flow collection in a block collection at a column, from 0.
func (in indented) node(n *yaml.Node, at *place.Path, parent int) {
	switch {
	case isBlockScalar(n):
		in.block(n, at, parent)
	case parent != nowhere && mayGoOn(n):
		in.flow(n, at, parent)
	}
}

// key checks a key. In the mapping's column, a key must be on one line and without a question mark.
func (in indented) key(n *yaml.Node, at *place.Path, column int) {
	if isBlockScalar(n) || column != nowhere && n.Column-1 > column {
		in.node(n, at.Field(n.Value), column)
	}
}

// column returns the column of a collection's dashes or keys.
func (in indented) column(n *yaml.Node) int {
	if n.Style&yaml.FlowStyle != 0 {
		return nowhere
	}
	return in.Source.Lines.Position(body(in.Source.Lines, n)).Column - 1
}

// mayGoOn reports whether a flow node can span lines: a plain scalar has a space or line break at a fold.
func mayGoOn(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return n.Style&place.QuotedStyles != 0 || strings.ContainsAny(n.Value, " \n")
	}
	return n.Style&yaml.FlowStyle != 0
}

// flow checks the lines of a flow collection, or of a quoted or plain string.
func (in indented) flow(n *yaml.Node, at *place.Path, parent int) {
	text := flowText{text: in.Source.Lines.Text, want: parent + 1, bad: -1}
	if text.node(body(in.Source.Lines, n)); text.bad >= 0 {
		in.tooFarLeft(n, at, &text)
	}
}

// tooFarLeft reports the line that text has found.
func (in indented) tooFarLeft(n *yaml.Node, at *place.Path, text *flowText) {
	spaces := text.spaces(text.bad)
	found, help := counted(spaces), indentBy(text.want)
	if text.text[text.bad+spaces] == '\t' {
		found = strings.TrimPrefix(found+" and a tab", counted(0)+" and ")
		help = tabsDoNotIndent
	}
	e := in.add(n, at, text.bad+spaces, "the line is indented by %s, expected at least %s: it continues the %s that begins in line %d",
		found, counted(text.want), kindWord(n), n.Line)
	e.Help = help
}

// block checks the first line of a block scalar and the blank lines before its text. They must not have more spaces
// than the first text line (clause 8.1.1.1). The library misses this only for text that looks like a comment.
func (in indented) block(n *yaml.Node, at *place.Path, parent int) {
	start := body(in.Source.Lines, n)
	if column := in.column(n); column <= parent {
		e := in.add(n, at, start, "the line is indented by %s, expected at least %s: the text that begins here is a value", counted(column), counted(parent+1))
		e.Help = indentBy(parent + 1)
		return
	}
	text := flowText{text: in.Source.Lines.Text}
	header, _, _ := strings.Cut(text.text[start:text.lineEnd(start)], "#")
	if strings.ContainsAny(header, "123456789") {
		return // its indentation is written there
	}
	widest, first := text.blankLines(text.nextLine(start))
	most, least := text.spaces(widest), text.spaces(first)
	if least <= parent || least >= most || text.ends(first+least) || text.text[first+least] != '#' {
		return
	}
	e := in.add(n, at, widest+least, "the blank line has %s, expected at most %s, the indentation of the text after it", counted(most), counted(least))
	e.Help = "remove the spaces: a blank line before the text of a block scalar is indented no further than the text"
}

// add records a fault of a node at a byte of the text.
func (in indented) add(n *yaml.Node, at *place.Path, offset int, format string, args ...any) *model.ParseError {
	e := in.Add(model.ParseSyntax, n, at, format, args...)
	e.Position = in.Source.Lines.Position(offset)
	e.EndLine, e.EndColumn = e.Line, e.Column+1
	return e
}

func kindWord(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "list"
	case yaml.MappingNode:
		return "mapping"
	}
	return "text"
}

func counted(spaces int) string {
	if spaces == 1 {
		return "1 space"
	}
	return fmt.Sprintf("%d spaces", spaces)
}

func indentBy(spaces int) string { return "put at least " + counted(spaces) + " before it" }

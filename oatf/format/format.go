// Package format lays out the author's own file of an OATF document. It keeps comments,
// key order, quotes and line breaks, and never changes what a text means.
//
//	$ cupel oatf fmt attack.yaml
package format

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Format returns the text of a document in the usual layout: two spaces a level, one
// space after a dash, oatf before the other keys, strings that a YAML 1.1 reader
// would retype in quotes, no trailing blanks, no byte order mark, one line end at the
// end. Comments, key order, quotes and line breaks of the author are kept; formatting
// again changes nothing.
//
// The text need not be a valid document, only YAML that OATF allows: the error is the
// ParseErrors that says why it is not. A change that would alter what the text means
// is never made.
func Format(input []byte) ([]byte, error) { return Options{}.Format(input) }

// Options tune Format and Edits.
type Options struct {
	Limits model.Limits // of the text, those of oatf.ParseOptions
}

// Format is [Format] with options.
func (o Options) Format(input []byte) ([]byte, error) {
	text := input
	for range maxFormatPasses {
		next, err := o.formatOnce(text)
		if err != nil || bytes.Equal(next, text) {
			return next, err
		}
		text = next
	}
	return input, nil
}

// maxFormatPasses is how often a text is laid out until nothing changes any more. One
// time is enough but for the oddest layouts that YAML allows; a text that does not
// settle is left alone.
const maxFormatPasses = 8

// formatOnce takes a text through the steps of the layout.
func (o Options) formatOnce(input []byte) ([]byte, error) {
	doc, err := o.readLayout(input)
	if err != nil {
		return nil, err
	}
	meaning := oatfFirst(doc.meaning)
	for _, step := range []func(*layout) []byte{(*layout).clean, (*layout).moveVersion, (*layout).indent, (*layout).quote} {
		before, text := doc.text, step(doc)
		if bytes.Equal(text, before) {
			continue
		}
		doc = nil // the nodes of one text at a time are enough of them
		doc, err = o.readLayout(text)
		if err == nil && reflect.DeepEqual(oatfFirst(doc.meaning), meaning) {
			continue
		}
		if doc, err = o.readLayout(before); err != nil {
			return nil, err
		}
	}
	return doc.text, nil
}

// layout is a text with its nodes, between two steps of Format.
type layout struct {
	*place.Source
	text    []byte
	inside  []bool // per line: it goes on with a block scalar or a quoted one
	meaning model.Value
}

func (o Options) readLayout(input []byte) (*layout, error) {
	source, err := yamltext.ReadAuditedWithin(input, o.Limits)
	if err != nil {
		return nil, err
	}
	l := &layout{Source: source, text: input, meaning: yamltext.Value(source.Root)}
	l.inside = make([]bool, l.Lines.Count())
	yamltext.EachScalar(l.Root, l.markInside)
	return l, nil
}

// row is a line, counted from 0, without its line end and a byte order mark.
func (l *layout) row(i int) string { return l.Lines.Line(i + 1) }

// rewrite is the text that has, for each of its lines, what write appends, and line feeds
// between them. There may be as many lines as bytes: nothing else is kept of each.
func (l *layout) rewrite(write func(out []byte, i int) []byte) []byte {
	out := make([]byte, 0, len(l.text)+len(l.text)/8)
	for i := range l.Lines.Count() {
		if i > 0 {
			out = append(out, '\n')
		}
		out = write(out, i)
	}
	return out
}

// markInside marks the lines after the first of a scalar of several lines, where white
// space may matter.
func (l *layout) markInside(n *yaml.Node) {
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		l.markBlockLines(n)
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		for i := range l.inside[n.Line:l.quotedEnd(n)] {
			l.inside[n.Line+i] = true
		}
	}
}

// markBlockLines marks the lines of a block scalar: all up to the first that is
// indented less. Blank lines at its end matter only when it keeps them.
func (l *layout) markBlockLines(n *yaml.Node) {
	header, _, _ := strings.Cut(l.Lines.From(place.NodeStart(n)), " ")
	indent, last, end := -1, n.Line-1, n.Line
	for i := n.Line; i < l.Lines.Count(); i++ {
		row := l.row(i)
		body := strings.TrimLeft(row, " ")
		if body != "" && indent < 0 {
			indent = len(row) - len(body)
			if strings.Trim(n.Value, "\n") == "" {
				return // no content: this line is something else
			}
		}
		if body != "" && len(row)-len(body) < indent {
			break
		}
		if l.inside[i], end = true, i+1; body != "" || len(row) > indent {
			last = i
		}
	}
	if !strings.Contains(header, "+") {
		clear(l.inside[last+1 : end])
	}
}

// quotedEnd returns the line of a quoted scalar's closing quote, counted from 1.
func (l *layout) quotedEnd(n *yaml.Node) int {
	quote := byte('\'')
	if n.Style&yaml.DoubleQuotedStyle != 0 {
		quote = '"'
	}
	rest := strings.TrimPrefix(l.Lines.From(place.NodeStart(n)), string(quote))
	for line := n.Line; ; line++ {
		if place.ClosingQuote(rest, quote) >= 0 || line >= l.Lines.Count() {
			return line
		}
		rest = l.row(line)
	}
}

// oatfFirst returns the value with the member oatf of its root first, as moveVersion
// leaves it.
func oatfFirst(v model.Value) model.Value {
	root, _ := v.(model.Object)
	i := slices.IndexFunc(root, func(m model.Member) bool { return m.Key == "oatf" })
	if i <= 0 {
		return v
	}
	return append(model.Object{root[i]}, slices.Delete(slices.Clone(root), i, i+1)...)
}

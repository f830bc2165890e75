// Package format formats OATF documents. It keeps comments, key order, quotes and line breaks, and
// never changes the meaning.
//
//	$ cupel oatf fmt attack.yaml
package format

import (
	"bytes"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Format returns a document in the standard layout: two spaces per level, one space after a dash, oatf first,
// quotes around strings that YAML 1.1 would read as another type, no trailing spaces, no byte order mark, one final
// line end. It keeps comments, key order, quotes and line breaks, and never changes the meaning. It is idempotent.
// The text need not be a valid document, but must be YAML that OATF allows; otherwise it returns a ParseErrors.
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

// maxFormatPasses limits repeated formatting. One pass is enough except for unusual layouts. A text that does not
// converge is returned unchanged.
const maxFormatPasses = 8

// formatOnce applies the steps of the layout.
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

// layout is a text and its nodes between two steps.
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

// row returns a line, from 0, without its line end and a byte order mark.
func (l *layout) row(i int) string { return l.Lines.Line(i + 1) }

// rewrite builds the text line by line with write. It keeps no state per line, because there can be
// as many lines as bytes.
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

// markInside marks the continuation lines of a block scalar or a quoted one, where white space can matter.
func (l *layout) markInside(n *yaml.Node) {
	if n.Style&place.QuotedStyles != 0 {
		_, end := yamltext.Extent(l.Lines, n)
		for i := n.Line; i < l.Lines.At(end); i++ {
			l.inside[i] = true
		}
	}
}

// oatfFirst moves the member oatf to the start of the root, like moveVersion.
func oatfFirst(v model.Value) model.Value {
	root, _ := v.(model.Object)
	i := slices.IndexFunc(root, func(m model.Member) bool { return m.Key == "oatf" })
	if i <= 0 {
		return v
	}
	return append(model.Object{root[i]}, slices.Delete(slices.Clone(root), i, i+1)...)
}

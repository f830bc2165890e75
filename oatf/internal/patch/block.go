package patch

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// block writes a block collection at a column, from 0, and ends its last line unless the text ends.
// inline means that the line of its first member has started.
func (r *renderer) block(n *yaml.Node, column int, inline bool) {
	if !r.dirty[n] {
		r.clean(n, column, inline)
		return
	}
	if !isNew(n) {
		r.own(n)
		start, _ := yamltext.Extent(r.Lines, n)
		if first := r.first(n); inline && start < first { // its tag
			r.upTo(start, first, column-r.column(first))
		}
	}
	content := r.Content(n)
	for i := 0; i < len(content); i++ {
		if n.Kind == yaml.SequenceNode {
			r.item(content[i], column, inline && i == 0)
		} else {
			r.pair(content[i], content[i+1], column, inline && i == 0)
			i++
		}
	}
}

// clean writes a block collection that has not changed.
func (r *renderer) clean(n *yaml.Node, column int, inline bool) {
	start, end := yamltext.Extent(r.Lines, n)
	first := r.first(n)
	if !inline {
		r.anchors = append(r.anchors, first)
		r.stray(first, column)
		r.spaces(column)
		start = first
	}
	shift := column - r.column(first)
	r.copy(start, r.nextLine(end), shift)
	r.endBlock(n, shift)
}

// endBlock records a written node whose last line can belong to a block scalar.
func (r *renderer) endBlock(n *yaml.Node, shift int) {
	for n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	r.inBlock, r.moved = n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0, shift
	if r.inBlock {
		_, end := yamltext.Extent(r.Lines, n)
		r.behind = r.nextLine(end)
	}
}

// source returns the original position of a key or item, or of the one it replaces, if it was on separate lines.
func (r *renderer) source(n *yaml.Node, kind yaml.Kind) (member, bool) {
	if isNew(n) {
		n = r.from[n]
	}
	m, ok := r.owner[n]
	return m, ok && m.in.Style&yaml.FlowStyle == 0 && m.in.Kind == kind
}

// open writes the lines before a member and its indentation. shift is the change of its column.
func (r *renderer) open(m member, column int, inline bool) (shift int) {
	shift = column - r.column(m.start)
	if inline {
		return shift
	}
	r.endLine()
	indent := m.start - r.column(m.start)
	if m.lead < indent {
		r.lead(m.lead, indent, shift, column)
	}
	r.anchors = append(r.anchors, m.start)
	r.stray(m.start, column)
	if m.lead <= indent && shift == 0 {
		r.piece(indent, m.start)
	} else {
		r.spaces(column)
	}
	return shift
}

// pair writes a key and its value in a block mapping.
func (r *renderer) pair(key, value *yaml.Node, column int, inline bool) {
	m, ok := r.source(key, yaml.MappingNode)
	if !ok {
		if !inline {
			r.endLine()
			r.spaces(column)
		}
		r.key(key)
		r.write(":")
		r.below(value, column)
		return
	}
	shift := r.open(m, column, inline)
	start, end := yamltext.Extent(r.Lines, m.key)
	simple := m.start == start // no question mark
	if isNew(key) {
		r.key(key)
	} else {
		r.copy(m.start, end, shift)
		simple = true
	}
	begin := r.begin(m)
	switch {
	case simple && value == m.value && r.isFlow(value) == wasFlow(value):
		r.upTo(end, begin, shift)
		r.inPlace(m, shift)
	case simple && r.from[value] == m.value && r.isFlow(value) && wasFlow(m.value):
		r.upTo(end, begin, shift)
		if strings.IndexByte(" \t\r\n", r.text[begin-1]) < 0 {
			r.write(" ")
		}
		r.inline(value, shift)
		r.copy(r.end(m), r.nextLine(r.end(m)), shift)
		r.inBlock = false
	default:
		r.write(":")
		r.below(value, column)
	}
}

// upTo copies the text before a value and indents the value if it starts the line.
func (r *renderer) upTo(start, value, shift int) {
	r.copy(start, value, shift)
	if shift > 0 && start < value && r.column(value) == 0 {
		r.spaces(shift)
	}
}

// inPlace writes the value of a member that still has its original value, and the rest of its line.
func (r *renderer) inPlace(m member, shift int) {
	if !r.isFlow(m.value) {
		r.block(m.value, r.column(r.first(m.value))+shift, true)
		return
	}
	r.inline(m.value, shift)
	r.copy(r.end(m), r.nextLine(r.end(m)), shift)
	r.endBlock(m.value, shift)
}

// parent returns the original column of a node's key or dash; in brackets, that of the bracketed collection.
func (r *renderer) parent(n *yaml.Node) (column int, known bool) {
	m, known := r.owner[n]
	if key := r.keys[n]; key != nil {
		m, known = r.owner[key]
	}
	if known && m.in.Style&yaml.FlowStyle != 0 {
		return r.parent(m.in)
	}
	return r.column(m.start), known
}

// below writes a value after a colon, a block collection on the next lines.
func (r *renderer) below(value *yaml.Node, column int) {
	old, known := r.parent(value)
	if r.isFlow(value) {
		if isNew(value) || !yamltext.IsEmpty(value) {
			r.write(" ")
		}
		r.line(value, column)
		return
	}
	further := r.step
	if known && !isNew(value) {
		further = max(0, r.column(r.first(value))-old)
	}
	if value.Kind == yaml.MappingNode {
		further = max(1, further)
	}
	r.write(r.eol)
	r.block(value, column+further, false)
}

// line writes a scalar or a collection in brackets, and ends its line. column is that of its key or dash.
func (r *renderer) line(n *yaml.Node, column int) {
	shift := 0
	if old, known := r.parent(n); known {
		shift = column - old
	}
	r.inline(n, shift)
	r.write(r.eol)
	r.endBlock(n, shift)
}

// item writes an item of a block list.
func (r *renderer) item(n *yaml.Node, column int, inline bool) {
	m, ok := r.source(n, yaml.SequenceNode)
	shift := 0
	if ok {
		shift = r.open(m, column, inline)
		r.copy(m.start, m.start+1, shift)
	} else {
		if !inline {
			r.endLine()
			r.spaces(column)
		}
		r.write("-")
	}
	switch {
	case ok && n == m.value && r.isFlow(n) == wasFlow(n):
		r.upTo(m.start+1, r.begin(m), shift)
		r.inPlace(m, shift)
	case !r.isFlow(n):
		r.write(strings.Repeat(" ", yamltext.IndentStep-1))
		r.block(n, column+yamltext.IndentStep, true)
	case ok && wasFlow(m.value):
		r.write(" ")
		r.inline(n, shift)
		r.copy(r.end(m), r.nextLine(r.end(m)), shift)
		r.inBlock = false
	default:
		r.write(" ")
		r.line(n, column)
	}
}

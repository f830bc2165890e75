package patch

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// render returns the parts of the changed text. Comments of removed nodes are inserted before the
// next remaining line with a key or item.
func (t *Tree) render() []part {
	r := newRenderer(t)
	parts := r.document()
	gone := lost(r.comments, parts)
	if len(gone) == 0 && r.endsAsBefore() {
		return parts
	}
	again := newRenderer(t)
	slices.Sort(r.anchors)
	for _, c := range gone {
		anchor := len(t.Lines.Text)
		if i, _ := slices.BinarySearch(r.anchors, c.Start); i < len(r.anchors) {
			anchor = r.anchors[i]
		}
		again.strays[anchor] = append(again.strays[anchor], c)
	}
	if !r.endsAsBefore() || !r.endsInLineEnd() && len(again.strays[len(t.Lines.Text)]) > 0 {
		again.chomp()
	}
	return again.document()
}

// endsAsBefore reports whether an unterminated last line of the text is still the last line.
func (r *renderer) endsAsBefore() bool {
	return r.out[len(r.out)-1].end == len(r.text) || r.endsInLineEnd()
}

func (r *renderer) endsInLineEnd() bool { return strings.HasSuffix(r.text, r.eol) }

// chomp changes a final block scalar so that a following line end does not belong to it.
func (r *renderer) chomp() {
	n := r.Root
	var path []*yaml.Node
	for n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		path = append(path, n)
		n = n.Content[len(n.Content)-1]
	}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && !strings.HasSuffix(n.Value, "\n") {
		r.chomped = n
		for _, in := range append(path, n) {
			r.dirty[in] = true
		}
	}
}

// renderer writes a tree once.
type renderer struct {
	*Tree
	text  string
	json  bool // the text is JSON and stays JSON
	out   []part
	eol   string
	step  int // indentation step of new text
	owner map[*yaml.Node]member
	keys  map[*yaml.Node]*yaml.Node // of the values in mappings that have changed
	dirty map[*yaml.Node]bool       // of the collections that are left: whether anything in them has changed

	comments []yamltext.Comment
	anchors  []int                      // starts of keys and items on separate lines
	strays   map[int][]yamltext.Comment // before the anchors

	chomped *yaml.Node // a block scalar that must not absorb the line end

	flowing int  // how many brackets are open
	inBlock bool // the last written node is a block scalar
	moved   int  // with this additional indentation
	behind  int  // and what followed its lines
	ended   bool // a line has been ended
}

// member is the original position of a pair or item.
type member struct {
	in    *yaml.Node
	lead  int // where the lines before it begin, with their comments
	start int // where its key, question mark or dash is
	key   *yaml.Node
	value *yaml.Node
}

func newRenderer(t *Tree) *renderer {
	r := &renderer{
		Tree: t, text: t.Lines.Text, json: json.Valid([]byte(t.Lines.Text)), eol: lineEnd(t.Lines.Text),
		step: yamltext.IndentStep, ended: true,
		owner: map[*yaml.Node]member{}, keys: map[*yaml.Node]*yaml.Node{}, dirty: map[*yaml.Node]bool{}, strays: map[int][]yamltext.Comment{},
	}
	r.markDirty(t.Root)
	for n := range t.now {
		if !isNew(n) {
			r.ownGone(n)
		}
	}
	if attack := t.Get(t.Root, "attack"); attack != nil && !r.isFlow(attack) {
		if n := attack.Column - t.Root.Column; n > 0 && n <= maxStep {
			r.step = n
		}
	}
	return r
}

// maxStep limits the indentation step taken from the text.
const maxStep = 8

func lineEnd(text string) string {
	i := strings.IndexAny(text, "\r\n")
	switch {
	case i >= 0 && strings.HasPrefix(text[i:], "\r\n"):
		return "\r\n"
	case i >= 0 && text[i] == '\r':
		return "\r"
	}
	return "\n"
}

// markDirty marks nodes that cannot be copied: changed ones and their ancestors.
func (r *renderer) markDirty(n *yaml.Node) bool {
	_, dirty := r.now[n]
	dirty = dirty || isNew(n)
	for _, c := range r.Content(n) {
		dirty = r.markDirty(c) || dirty
	}
	if n.Kind != yaml.ScalarNode {
		r.dirty[n] = dirty
	}
	return dirty
}

// ownGone finds removed members of a changed collection and its descendants; their content can be elsewhere.
func (r *renderer) ownGone(n *yaml.Node) {
	r.own(n)
	for _, c := range n.Content {
		if _, left := r.dirty[c]; !left && c.Kind != yaml.ScalarNode {
			r.ownGone(c)
		}
	}
}

// isFlow reports whether a node is written on the line of its key, in brackets if it is a collection.
func (r *renderer) isFlow(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode || n.Style&yaml.FlowStyle != 0 || len(r.Content(n)) == 0
}

func wasFlow(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode || n.Style&yaml.FlowStyle != 0 }

// own finds the original members of a collection, once.
func (r *renderer) own(n *yaml.Node) {
	width := 1
	if n.Kind == yaml.MappingNode {
		width = 2
	}
	if len(n.Content) == 0 || r.owner[n.Content[0]].in == n {
		return
	}
	lead := -1
	for i := 0; i < len(n.Content); i += width {
		m := member{in: n, key: n.Content[i], value: n.Content[i+width-1]}
		if width == 2 {
			r.keys[m.value] = m.key
		}
		switch {
		case n.Style&yaml.FlowStyle != 0:
			m.start, _ = yamltext.Extent(r.Lines, m.key)
			m.lead = m.start
		case lead < 0:
			m.start = r.first(n)
			m.lead = m.start
		default:
			m.lead, m.start = lead, yamltext.NextToken(r.text, lead)
		}
		r.owner[m.key] = m
		if n.Style&yaml.FlowStyle == 0 {
			lead = r.nextLine(r.end(m))
		}
	}
}

// first returns the first key, question mark or dash of a block collection, after its tag.
func (r *renderer) first(n *yaml.Node) int {
	start, _ := yamltext.Extent(r.Lines, n)
	if n.Style&yaml.TaggedStyle != 0 {
		start += strings.IndexAny(r.text[start:]+" ", " \t\r\n")
	}
	return yamltext.NextToken(r.text, start)
}

// end returns the original end of a member's value.
func (r *renderer) end(m member) int {
	switch {
	case !yamltext.IsEmpty(m.value):
		_, end := yamltext.Extent(r.Lines, m.value)
		return end
	case m.in.Kind == yaml.MappingNode:
		_, end := yamltext.Extent(r.Lines, m.key)
		return yamltext.AfterKey(r.text, end)
	case m.in.Style&yaml.FlowStyle != 0:
		return m.start
	}
	return m.start + 1 // after the dash
}

// begin returns the original start of a member's value, or its end if it has no text.
func (r *renderer) begin(m member) int {
	if yamltext.IsEmpty(m.value) {
		return r.end(m)
	}
	start, _ := yamltext.Extent(r.Lines, m.value)
	return start
}

func (r *renderer) nextLine(i int) int {
	if number := r.Lines.At(i); number < r.Lines.Count() {
		return r.Lines.In(number+1, 1)
	}
	return len(r.text)
}

// column returns the column of a byte, counted from 0.
func (r *renderer) column(i int) int { return i - r.Lines.In(r.Lines.At(i), 1) }

// document writes the whole text.
func (r *renderer) document() []part {
	r.comments = yamltext.Comments(r.Lines, r.Root)
	start, end := yamltext.Extent(r.Lines, r.Root)
	r.copy(0, start, 0)
	if r.isFlow(r.Root) {
		r.inline(r.Root, 0)
		r.copy(end, r.nextLine(end), 0)
	} else {
		r.block(r.Root, r.column(r.first(r.Root)), true)
	}
	r.lead(r.nextLine(end), len(r.text), 0, 0)
	r.stray(len(r.text), 0)
	return r.out
}

// write writes new text.
func (r *renderer) write(s string) {
	if s == "" {
		return
	}
	r.ended = strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r")
	if last := len(r.out) - 1; last >= 0 && r.out[last].end == 0 {
		r.out[last].text += s
		return
	}
	r.out = append(r.out, part{text: s})
}

func (r *renderer) endLine() {
	if !r.ended {
		r.write(r.eol)
	}
}

func (r *renderer) spaces(n int) { r.write(strings.Repeat(" ", max(0, n))) }

// copy copies a part of the old text and indents the lines in it by shift more spaces, except blank ones.
func (r *renderer) copy(start, end, shift int) {
	if number := r.Lines.At(start) + 1; shift != 0 && start < end {
		for ; number <= r.Lines.Count() && r.Lines.In(number, 1) < end; number++ {
			line := r.Lines.In(number, 1)
			r.piece(start, line)
			start = r.indent(line, end, shift)
		}
	}
	r.piece(start, end)
}

func (r *renderer) copyLines(start, end, shift int) {
	if shift != 0 && start < end {
		start = r.indent(start, end, shift)
	}
	r.copy(start, end, shift)
}

// indent writes the new indentation of a line and returns the offset of its content.
func (r *renderer) indent(line, end, shift int) int {
	text := r.text[line:end]
	indent := len(text) - len(strings.TrimLeft(text, " "))
	switch {
	case shift < 0 && indent == len(text) && end == len(r.text): // without it the last line would be none
	case shift < 0:
		return line + min(-shift, indent)
	case indent > 0 || text != "" && text[0] != '\n' && text[0] != '\r':
		r.spaces(shift)
	}
	return line
}

func (r *renderer) piece(start, end int) {
	if start >= end {
		return
	}
	r.ended = r.text[end-1] == '\n' || r.text[end-1] == '\r' || r.Lines.In(r.Lines.At(end-1), 1) != r.Lines.In(r.Lines.At(min(end, len(r.text))), 1)
	if last := len(r.out) - 1; last >= 0 && r.out[last].end == start && start > 0 {
		r.out[last].end = end
		return
	}
	r.out = append(r.out, part{start: start, end: end})
}

// lead writes the lines before a member. After a new preceding block scalar, comments move to the
// column, to not become text.
func (r *renderer) lead(start, end, shift, column int) {
	if !r.inBlock || r.moved == shift && r.behind == start {
		r.copyLines(start, end, shift)
		r.inBlock = r.inBlock && start == end
		return
	}
	follows := r.behind == start
	for ; start < end; start = min(end, r.nextLine(start)) {
		line := r.text[start:min(end, r.nextLine(start))]
		body := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(body, "#"):
			r.spaces(column)
			r.piece(start+len(line)-len(body), start+len(line))
			follows = true
		case follows || strings.TrimSpace(line) != "": // a blank line might be of the text
			r.copyLines(start, start+len(line), shift)
		}
	}
}

// stray writes displaced comments on separate lines.
func (r *renderer) stray(anchor, column int) {
	for _, c := range r.strays[anchor] {
		r.endLine()
		r.spaces(column)
		r.write(r.text[c.Start:c.End] + r.eol)
	}
}

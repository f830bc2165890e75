package patch

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

func (r *renderer) key(n *yaml.Node) {
	if !isNew(n) {
		r.inline(n, 0)
		return
	}
	r.write(spell(n.Value, r.quotes(n), r.flowing > 0))
}

// quotes returns the quotes for a scalar: those that JSON requires, or those of the scalar that it replaces.
func (r *renderer) quotes(n *yaml.Node) yaml.Style {
	if r.json {
		return yaml.DoubleQuotedStyle
	}
	if old := r.from[n]; old != nil && old.Kind == yaml.ScalarNode {
		return old.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
	}
	return 0
}

// spell formats a string in the given quotes, or plain if possible.
func spell(s string, quotes yaml.Style, inFlow bool) string {
	plain := yamltext.Text(s)
	switch {
	case strings.HasPrefix(plain, `"`) && plain != s: // it needs them
	case quotes&yaml.SingleQuotedStyle != 0:
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case quotes != 0, inFlow && strings.ContainsAny(s, ",[]{}"):
		return yamltext.Quoted(s)
	}
	return plain
}

// inline writes a scalar or a collection in brackets, without an end of line.
func (r *renderer) inline(n *yaml.Node, shift int) {
	switch {
	case n.Kind == yaml.ScalarNode && isNew(n) && yamltext.IsPlain(n):
		r.write(n.Value)
	case n.Kind == yaml.ScalarNode && isNew(n):
		r.write(spell(n.Value, r.quotes(n), r.flowing > 0))
	case n.Kind == yaml.ScalarNode:
		r.scalar(n, shift)
	case isNew(n) || n.Style&yaml.FlowStyle == 0:
		r.brackets(n, shift)
	case !r.dirty[n]:
		start, end := yamltext.Extent(r.Lines, n)
		r.copy(start, end, shift)
	default:
		r.flow(n, shift)
	}
}

// scalar writes a scalar. In brackets, fewer notations are possible.
func (r *renderer) scalar(n *yaml.Node, shift int) {
	if yamltext.IsEmpty(n) {
		return
	}
	block := n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	plain := n.Style&place.QuotedStyles == 0 && strings.ContainsAny(n.Value, ",[]{}")
	if r.flowing > 0 && (block || plain) {
		r.write(yamltext.Quoted(n.Value))
		return
	}
	start, end := yamltext.Extent(r.Lines, n)
	if n == r.chomped {
		header := start + strings.IndexAny(r.text[start:end], "|>") + 1
		r.copy(start, header, shift)
		r.write("-")
		if start = header; r.text[start] == '+' || r.text[start] == '-' {
			start++
		}
	}
	r.copy(start, end, shift)
}

// brackets writes a collection that was not in brackets.
func (r *renderer) brackets(n *yaml.Node, shift int) {
	r.flowing++
	defer func() { r.flowing-- }()
	content := r.Content(n)
	if n.Kind == yaml.SequenceNode {
		r.write("[")
		for i, item := range content {
			if i > 0 {
				r.write(", ")
			}
			r.inline(item, shift)
		}
		r.write("]")
		return
	}
	r.write("{")
	for i := 0; i < len(content); i += 2 {
		if i > 0 {
			r.write(", ")
		}
		r.flowPair(content[i], content[i+1], shift)
	}
	r.write("}")
}

// flowPair writes a new pair in brackets.
func (r *renderer) flowPair(key, value *yaml.Node, shift int) {
	r.key(key)
	r.write(":")
	if isNew(value) || !yamltext.IsEmpty(value) {
		r.write(" ")
		r.inline(value, shift)
	}
}

// flow writes a changed bracketed collection with the blanks, line breaks and comments between remaining members.
func (r *renderer) flow(n *yaml.Node, shift int) {
	start, end := yamltext.Extent(r.Lines, n)
	open := start
	if n.Style&yaml.TaggedStyle != 0 {
		open = strings.IndexAny(r.text[start:], "[{") + start
	}
	if c := r.text[open]; c != '{' && c != '[' || len(n.Content) == 0 || len(r.Content(n)) == 0 {
		r.brackets(n, shift)
		return
	}
	r.own(n)
	r.flowing++
	defer func() { r.flowing-- }()
	f := &flowWriter{renderer: r, of: n, shift: shift, open: open + 1}
	f.gaps(end - 1)
	r.copy(start, open+1, shift)
	content := r.Content(n)
	for i := 0; i < len(content); i++ {
		if n.Kind == yaml.SequenceNode {
			f.member(i == 0, content[i], nil)
		} else {
			f.member(i == 0, content[i], content[i+1])
			i++
		}
	}
	r.copy(f.leads[len(f.leads)-1][1], f.close, shift) // text before the bracket
	r.copy(end-1, end, shift)
}

// flowWriter is a collection in brackets that is being written.
type flowWriter struct {
	*renderer
	of     *yaml.Node
	shift  int
	open   int
	close  int
	leads  [][2]int // per member: start of the text before it, and its end
	commas []int    // per member: the following comma or bracket
	order  map[*yaml.Node]int
}

// gaps finds the text between members.
func (f *flowWriter) gaps(bracket int) {
	f.order, f.close = map[*yaml.Node]int{}, bracket
	width := 1
	if f.of.Kind == yaml.MappingNode {
		width = 2
	}
	at := f.open
	for i := 0; i < len(f.of.Content); i += width {
		m := f.owner[f.of.Content[i]]
		end := f.end(m)
		comma := min(yamltext.NextToken(f.text, end), bracket)
		f.order[m.key] = len(f.leads)
		f.leads = append(f.leads, [2]int{at, end})
		f.commas = append(f.commas, comma)
		at = min(comma+1, bracket)
	}
}

func (f *flowWriter) member(first bool, key, value *yaml.Node) {
	source := key
	if isNew(key) {
		source = f.from[key]
	}
	i, own := f.order[source]
	if !first {
		f.write(",")
	}
	if !own {
		if !first {
			f.write(" ")
		}
		if value == nil {
			f.inline(key, f.shift)
		} else {
			f.flowPair(key, value, f.shift)
		}
		return
	}
	m := f.owner[source]
	switch {
	case first:
		f.copy(f.leads[0][0], f.token(0), f.shift)
	case i == 0:
		f.write(" ")
	default:
		f.copy(f.leads[i][0], f.token(i), f.shift)
	}
	f.body(m, key, value)
	if i < len(f.leads)-1 {
		f.copy(f.leads[i][1], f.commas[i], f.shift)
	}
}

// token returns the offset where a member starts, with its question mark.
func (f *flowWriter) token(i int) int { return yamltext.NextToken(f.text, f.leads[i][0]) }

// body writes a member of the text: its key, the text after it, and its value.
func (f *flowWriter) body(m member, key, value *yaml.Node) {
	if value == nil {
		f.inline(key, f.shift)
		return
	}
	_, keyEnd := yamltext.Extent(f.Lines, m.key)
	begin := f.begin(m)
	f.key(key)
	switch {
	case value == m.value:
		f.copy(keyEnd, begin, f.shift)
		f.inline(value, f.shift)
	case f.from[value] == m.value && yamltext.AfterKey(f.text, keyEnd) != keyEnd:
		f.copy(keyEnd, begin, f.shift)
		if f.text[begin-1] == ':' {
			f.write(" ")
		}
		f.inline(value, f.shift)
	default:
		f.write(": ")
		f.inline(value, f.shift)
	}
}

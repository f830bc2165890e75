package format

import (
	"sort"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// indentation is the state of indent per line, from 0.
type indentation struct {
	*layout
	want  []int32 // per line: its new indent; unknown when nothing decided
	shift []int32 // per line that goes on with something: by how much it moves
}

const unknownIndent = -1

// indent indents every level, including dashes, by two spaces, with one space after a dash.
// Multi-line values move as a whole.
func (l *layout) indent() []byte {
	if l.Root.Kind != yaml.MappingNode || l.Root.Style&yaml.FlowStyle != 0 {
		return l.text
	}
	in := &indentation{layout: l, want: make([]int32, l.Lines.Count()), shift: make([]int32, l.Lines.Count())}
	for i := range in.want {
		in.want[i] = unknownIndent
	}
	in.place(l.Root, 0, l.Lines.Count())
	in.placeComments()
	return l.rewrite(in.moved)
}

// moved appends a line with its new indentation.
func (in *indentation) moved(out []byte, i int) []byte {
	line := in.row(i)
	body := strings.TrimLeft(line, " ")
	switch {
	case in.inside[i] || in.want[i] == unknownIndent && body != "":
		return append(appendSpaces(out, len(line)-len(body)+int(in.shift[i])), body...)
	case body == "":
		return append(out, line...)
	}
	out = appendSpaces(out, int(in.want[i]))
	for strings.HasPrefix(body, "- ") {
		out = append(out, "- "...)
		body = strings.TrimLeft(body[2:], " ")
	}
	return append(out, body...)
}

func appendSpaces(out []byte, n int) []byte {
	for range n {
		out = append(out, ' ')
	}
	return out
}

// place sets the indentation of a block collection that ends before line end.
func (in *indentation) place(n *yaml.Node, indent, end int) {
	column := n.Column - 1
	if n.Kind == yaml.SequenceNode {
		for i := n.Line - 1; i < end; i++ {
			line := strings.TrimLeft(in.row(i), " ")
			if !in.inside[i] && in.want[i] == unknownIndent && in.lineIndent(i) == column && (line == "-" || strings.HasPrefix(line, "- ")) {
				in.want[i] = int32(indent)
			}
		}
		for i, item := range n.Content {
			in.placeValue(item, indent, column, in.nextLine(n.Content, i, 1, end))
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value, next := n.Content[i], n.Content[i+1], in.nextLine(n.Content, i, 2, end)
		column := key.Column - 1
		if in.lineIndent(key.Line-1) == column {
			in.want[key.Line-1] = int32(indent)
		}
		if isBlock(value) && value.Line == key.Line { // after an empty key: it moves with the key
			in.place(value, value.Column-1+indent-column, next)
			continue
		}
		in.placeValue(value, indent, column, next)
	}
}

func isBlock(n *yaml.Node) bool {
	return n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

// nextLine returns the first line of the next element, or end.
func (in *indentation) nextLine(list []*yaml.Node, i, step, end int) int {
	if i+step < len(list) {
		return list[i+step].Line - 1
	}
	return end
}

// placeValue decides about the lines of a value in a collection that was indented by column and now is by indent.
func (in *indentation) placeValue(v *yaml.Node, indent, column, end int) {
	if isBlock(v) {
		in.place(v, indent+yamltext.IndentStep, end)
		return
	}
	for i := v.Line - 1; i < end; i++ {
		if first := i == v.Line-1; in.want[i] == unknownIndent && (!first || in.lineIndent(i) == v.Column-1) {
			shift := indent - column
			if body := in.lineIndent(i) + shift; !in.inside[i] && body <= indent {
				shift += indent + yamltext.IndentStep - body
			}
			in.shift[i] = int32(shift)
		}
	}
}

// placeComments indents a comment like the next line if they were aligned, otherwise like the nearest previous line
// with the same or less indentation.
func (in *indentation) placeComments() {
	next := 0        // next decided line
	var before []int // decided lines, each indented more than the one before it
	for i := range in.inside {
		if in.isDecided(i) {
			before = append(in.indentedLess(before, in.lineIndent(i)), i)
		}
		if in.inside[i] || !in.isComment(i) {
			continue
		}
		for next = max(next, i+1); next < len(in.inside) && !in.isDecided(next); {
			next++
		}
		old, with := in.lineIndent(i), next
		if next == len(in.inside) || in.lineIndent(next) != old {
			with = -1
			if less := in.indentedLess(before, old+1); len(less) > 0 {
				with = less[len(less)-1]
			}
		}
		if in.want[i] = int32(old); with >= 0 {
			in.want[i] += in.want[with] - int32(in.lineIndent(with))
		}
	}
}

// indentedLess returns the lines, sorted by indentation, below the limit.
func (in *indentation) indentedLess(lines []int, limit int) []int {
	n := sort.Search(len(lines), func(i int) bool { return in.lineIndent(lines[i]) >= limit })
	return lines[:n]
}

// isDecided reports whether a line starts an element whose indentation is set.
func (in *indentation) isDecided(i int) bool {
	return in.want[i] != unknownIndent && !in.inside[i] && !in.isComment(i)
}

func (in *indentation) isComment(i int) bool {
	return strings.HasPrefix(strings.TrimLeft(in.row(i), " "), "#")
}

package format

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// clean removes byte order marks, carriage returns and blanks at line ends, and superfluous blank lines.
func (l *layout) clean() []byte {
	out := make([]byte, 0, len(l.text)+1)
	blank := true // the last line of out is blank, or out is empty
	last := l.Lines.Count() - 1
	for i := range l.Lines.Count() {
		line := l.row(i)
		if !l.inside[i] && !l.goesOn(i) {
			line = strings.TrimRight(line, " \t")
			if line == "" && blank && (i == 0 || !l.inside[i-1]) {
				continue
			}
		}
		out = append(append(out, line...), '\n')
		blank = line == ""
	}
	if l.inside[last] {
		return out[:len(out)-1] // the end of the text is part of a scalar
	}
	return append(bytes.TrimRight(out, "\n"), '\n')
}

// goesOn reports whether the next line belongs to the same scalar: then trailing blanks can matter.
func (l *layout) goesOn(i int) bool { return i+1 < len(l.inside) && l.inside[i+1] }

// moveVersion moves the line of the key oatf before the first key.
func (l *layout) moveVersion() []byte {
	from, to, ok := yamltext.LineOf(l.Source, "oatf")
	if !ok || from <= to {
		return l.text
	}
	return l.rewrite(func(out []byte, i int) []byte {
		switch {
		case i == to-1:
			i = from - 1
		case i >= to && i < from:
			i--
		}
		return append(out, l.row(i)...)
	})
}

// lineIndent returns the number of leading spaces of a line.
func (l *layout) lineIndent(line int) int {
	row := l.row(line)
	return len(row) - len(strings.TrimLeft(row, " "))
}

// quote adds double quotes to strings that a YAML 1.1 reader would read as another type.
func (l *layout) quote() []byte {
	var quoted []*yaml.Node // in the order of the text
	yamltext.EachScalar(l.Root, func(n *yaml.Node) {
		if yamltext.IsPlain(n) && yamltext.IsRetyped(n) && strings.HasPrefix(l.textAt(n), n.Value) {
			quoted = append(quoted, n)
		}
	})
	return l.rewrite(func(out []byte, i int) []byte {
		row, done := l.row(i), 0
		for ; len(quoted) > 0 && quoted[0].Line-1 == i; quoted = quoted[1:] {
			n := quoted[0]
			start := len(row) - len(l.textAt(n))
			out = append(append(append(append(out, row[done:start]...), '"'), n.Value...), '"')
			done = start + len(n.Value)
		}
		return append(out, row[done:]...)
	})
}

// textAt returns the rest of the line from the start of a node.
func (l *layout) textAt(n *yaml.Node) string {
	return l.Source.Lines.From(place.NodeStart(n))
}

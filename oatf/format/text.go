package format

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// clean takes away what nobody sees: a byte order mark, carriage returns at line
// ends, blanks at line ends, and blank lines at the start, at the end and in a row.
func (l *layout) clean() []byte {
	var out []string
	for i, line := range l.rows {
		if !l.inside[i] && !l.goesOn(i) {
			line = strings.TrimRight(line, " \t")
			if line == "" && (len(out) == 0 || out[len(out)-1] == "" && !l.inside[i-1]) {
				continue
			}
		}
		out = append(out, line)
	}
	if last := len(l.rows) - 1; l.inside[last] {
		return []byte(strings.Join(out, "\n")) // the end of the text is part of a scalar
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

// goesOn says whether the next line belongs to the same scalar, so that blanks at
// this line's end may matter.
func (l *layout) goesOn(i int) bool { return i+1 < len(l.rows) && l.inside[i+1] }

// moveVersion moves the line of the key oatf before the first key.
func (l *layout) moveVersion() []byte {
	if l.Root.Kind != yaml.MappingNode || l.Root.Style&yaml.FlowStyle != 0 {
		return l.text
	}
	keys := l.Root.Content
	for i := 2; i+1 < len(keys); i += 2 {
		from, to := keys[i].Line-1, keys[0].Line-1
		if keys[i].Value == "oatf" && keys[i+1].Line == keys[i].Line && !l.goesOn(from) && l.lineIndent(from) == keys[i].Column-1 && l.lineIndent(to) == keys[0].Column-1 {
			line := l.rows[from]
			lines := slices.Insert(slices.Delete(slices.Clone(l.rows), from, from+1), to, line)
			return []byte(strings.Join(lines, "\n"))
		}
	}
	return l.text
}

// lineIndent is how many spaces a line begins with.
func (l *layout) lineIndent(line int) int {
	return len(l.rows[line]) - len(strings.TrimLeft(l.rows[line], " "))
}

// quote puts plain scalars in double quotes that are strings here and something else
// to a YAML 1.1 reader.
func (l *layout) quote() []byte {
	lines := slices.Clone(l.rows)
	var line strings.Builder
	done := 0 // bytes of the row that are in line
	flush := func(row int) {
		if done > 0 {
			lines[row] = line.String() + l.rows[row][done:]
		}
		line.Reset()
		done = 0
	}
	row := 0
	yamltext.EachScalar(l.Root, func(n *yaml.Node) { // in the order of the text
		if !yamltext.IsPlain(n) || !yamltext.IsRetyped(n) || !strings.HasPrefix(l.textAt(n), n.Value) {
			return
		}
		if n.Line-1 != row {
			flush(row)
			row = n.Line - 1
		}
		start := len(l.rows[row]) - len(l.textAt(n))
		line.WriteString(l.rows[row][done:start] + `"` + n.Value + `"`)
		done = start + len(n.Value)
	})
	flush(row)
	return []byte(strings.Join(lines, "\n"))
}

// textAt is the rest of the line from where a node begins.
func (l *layout) textAt(n *yaml.Node) string {
	return l.Source.Lines.From(place.NodeStart(n))
}

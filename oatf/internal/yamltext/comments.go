package yamltext

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
)

// Comment is the range of a comment, from # to the end of the line.
type Comment struct{ Start, End int }

// Comments returns the comments of a text: after # between scalars, and on the first line of a block scalar.
func Comments(lines *place.Lines, root *yaml.Node) []Comment {
	f := &finder{lines: lines}
	EachScalar(root, func(n *yaml.Node) {
		if IsEmpty(n) {
			return
		}
		start, end := Extent(lines, n)
		f.between(start)
		if isBlockScalar(n) {
			f.at = start
			f.between(min(end, f.lineEnd(start)))
		}
		f.at = end
	})
	f.between(len(lines.Text))
	return f.list
}

type finder struct {
	lines *place.Lines
	at    int
	list  []Comment
}

func (f *finder) lineEnd(i int) int {
	number := f.lines.At(i)
	return f.lines.In(number, 1) + len(f.lines.Line(number))
}

// between finds comments up to an offset.
func (f *finder) between(end int) {
	for f.at < end {
		n := strings.IndexByte(f.lines.Text[f.at:end], '#')
		if n < 0 {
			break
		}
		i := f.at + n
		f.at = i + 1
		if i == 0 || strings.IndexByte(" \t\r\n", f.lines.Text[i-1]) >= 0 || f.lines.In(f.lines.At(i), 1) == i {
			f.at = f.lineEnd(i)
			f.list = append(f.list, Comment{i, f.at})
		}
	}
	f.at = max(f.at, end)
}

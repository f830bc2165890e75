package patch

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// comment is the range of a comment, from # to the end of the line.
type comment struct{ start, end int }

// comments returns the comments of a text: after # between scalars, and on the first line of a block scalar.
func comments(lines *place.Lines, root *yaml.Node) []comment {
	f := &finder{lines: lines}
	yamltext.EachScalar(root, func(n *yaml.Node) {
		if yamltext.IsEmpty(n) {
			return
		}
		start, end := yamltext.Extent(lines, n)
		f.between(start)
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
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
	list  []comment
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
			f.list = append(f.list, comment{i, f.at})
		}
	}
	f.at = max(f.at, end)
}

func lost(all []comment, parts []part) []comment {
	kept := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return p.end == 0 })
	slices.SortFunc(kept, func(a, b part) int { return cmp.Compare(a.start, b.start) })
	var list []comment
	for _, c := range all {
		for len(kept) > 0 && kept[0].end <= c.start {
			kept = kept[1:]
		}
		if len(kept) == 0 || kept[0].start > c.start {
			list = append(list, c)
		}
	}
	return list
}

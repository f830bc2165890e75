package patch

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

func lost(all []yamltext.Comment, parts []part) []yamltext.Comment {
	kept := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return p.end == 0 })
	slices.SortFunc(kept, func(a, b part) int { return cmp.Compare(a.start, b.start) })
	var list []yamltext.Comment
	for _, c := range all {
		for len(kept) > 0 && kept[0].end <= c.Start {
			kept = kept[1:]
		}
		if len(kept) == 0 || kept[0].start > c.Start {
			list = append(list, c)
		}
	}
	return list
}

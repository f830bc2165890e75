package diagnosis

import (
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// timeText matches a time: the part before the fraction, the fraction, the zone.
var timeText = regexp.MustCompile(`^"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(\.\d+)?(Z|z|[-+]00:?00|)"$`)

// timeNodes returns the UTC times of an event: those of its envelope, then all.
func timeNodes(doc *strictjson.Document) (top, all []strictjson.Node) {
	if doc == nil || !doc.Root().Is(strictjson.Object) {
		return nil, nil
	}
	is := func(n strictjson.Node) bool { return n.Is(strictjson.String) && timeText.Match(n.Raw()) }
	for n := range doc.Root().Children() {
		if is(n) {
			top = append(top, n)
		}
	}
	values(doc.Root(), func(n strictjson.Node) {
		if is(n) {
			all = append(all, n)
		}
	})
	return top, all
}

func sameZone(zone string) []string     { return []string{zone} }
func sameFraction(text string) []string { return []string{text} }
func zones(zone string) []string        { return []string{zone, "Z", "+00:00", "", "-00:00", "+0000"} }

// zeros returns spellings of a fraction with more or fewer trailing zeros.
func zeros(fraction string) (list []string) {
	bare := strings.TrimRight(fraction, "0")
	if bare == "." || bare == "" {
		list, bare = append(list, ""), "."
	}
	for _, digits := range []int{1, 2, 3, 4, 5, 6, 7, 9} {
		if missing := digits - (len(bare) - 1); missing >= 0 {
			list = append(list, bare+strings.Repeat("0", missing))
		}
	}
	return list
}

// times yields a line with its times reformatted uniformly: for each zone, and for each number of digits of the
// fraction.
func times(zones, fractions func(string) []string) func(*session.Single, []byte, *strictjson.Document) iter.Seq[[]byte] {
	return func(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
		top, all := timeNodes(doc)
		return func(yield func([]byte) bool) {
			for i, list := range [][]strictjson.Node{top, all} {
				if len(list) == 0 || i == 1 && len(all) == len(top) {
					continue
				}
				parts := timeText.FindSubmatch(list[0].Raw())
				for _, zone := range zones(string(parts[3])) {
					for at := range fractions(string(parts[2])) {
						if !yield(respelled(line, list, zone, at, fractions)) {
							return
						}
					}
				}
			}
		}
	}
}

func respelled(line []byte, list []strictjson.Node, zone string, choice int, fractions func(string) []string) []byte {
	var edits []edit
	for _, n := range list {
		parts := timeText.FindSubmatch(n.Raw())
		all := fractions(string(parts[2]))
		from, to := n.Span()
		edits = append(edits, edit{from, to, fmt.Sprintf(`"%s%s%s"`, parts[1], all[min(choice, len(all)-1)], zone)})
	}
	return apply(line, edits)
}

// undoCut tries all microseconds of the envelope's time if it has milliseconds, with either spelling of the zone.
func undoCut(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	top, _ := timeNodes(doc)
	return func(yield func([]byte) bool) {
		if len(top) != 1 {
			return
		}
		parts := timeText.FindSubmatch(top[0].Raw())
		if len(parts[2]) != len(".000") {
			return
		}
		from, to := top[0].Span()
		for _, zone := range []string{string(parts[3]), map[bool]string{true: "+00:00", false: "Z"}[string(parts[3]) == "Z"]} {
			for micro := range 1000 {
				if !yield(apply(line, []edit{{from, to, fmt.Sprintf(`"%s%s%03d%s"`, parts[1], parts[2], micro, zone)}})) {
					return
				}
			}
		}
	}
}

package cassette

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// maxSurveyed is how many entries a request that is missing is compared with: the first by
// their names, which are as good as drawn by lot.
const maxSurveyed = 10_000

// library is what is known of the entries to find the nearest one to a request: a sketch
// of the words of each.
type library struct{ entries []sketched }

type sketched struct {
	name  string
	words sketch
}

// survey reads all entries. Those that cannot be read are near nothing.
func (c *Cassette) survey() *library {
	l := &library{}
	names, err := c.names()
	if err != nil {
		return l
	}
	for _, name := range names[:min(len(names), maxSurveyed)] {
		if r, _, found, _ := c.load(context.Background(), name); found {
			l.entries = append(l.entries, sketched{name, sketchOf(r.canonical)})
		}
	}
	return l
}

// sketch holds the least hashes of a text's words: how many two sketches have in common says
// how alike the texts are.
type sketch []uint64

const sketchSize = 64

func sketchOf(text []byte) sketch {
	words := strings.FieldsFunc(masked(string(text)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	s := make(sketch, len(words))
	for i, w := range words {
		h := fnv.New64a()
		_, _ = h.Write([]byte(w)) // never fails
		s[i] = h.Sum64()
	}
	slices.Sort(s)
	s = slices.Compact(s)
	return slices.Clip(s[:min(len(s), sketchSize)])
}

// alike is how many hashes two sketches have in common.
func (s sketch) alike(t sketch) (n int) {
	for len(s) > 0 && len(t) > 0 {
		switch c := cmp.Compare(s[0], t[0]); {
		case c < 0:
			s = s[1:]
		case c > 0:
			t = t[1:]
		default:
			s, t = s[1:], t[1:]
			n++
		}
	}
	return n
}

// delimiters are the marks around a judged text, which differ whenever the text does.
var delimiters = regexp.MustCompile(`[0-9a-f]{32,}`)

// masked is a text whose delimiters are all the same.
func masked(text string) string { return delimiters.ReplaceAllString(text, "…") }

// Nearest says which entry is the most like a request that is not recorded, and in what
// they differ; "" when nothing like it is recorded.
func (c *Cassette) Nearest(ctx context.Context, r Request) string {
	words := sketchOf(r.canonical)
	best, most := "", 0
	for _, e := range c.library().entries {
		if n := e.words.alike(words); n > most {
			best, most = e.name, n
		}
	}
	if best == "" {
		return ""
	}
	recorded, _, found, err := c.load(ctx, best)
	if err != nil || !found {
		return "" // removed since the survey
	}
	return best + " differs in " + difference(r.canonical, recorded.canonical)
}

// maxDifferences is how many members that differ are shown.
const maxDifferences = 3

// difference says in what a request differs from a recorded one.
func difference(asked, recorded []byte) string {
	pointers, now := leaves(asked)
	more, before := leaves(recorded)
	for _, p := range more {
		if _, known := now[p]; !known {
			pointers = append(pointers, p)
		}
	}
	var shown []string
	count := 0
	for _, p := range pointers {
		if a, b := masked(now[p]), masked(before[p]); a != b {
			if count++; count <= maxDifferences {
				shown = append(shown, say.Visible(p)+": "+contrast(b, a))
			}
		}
	}
	if count > maxDifferences {
		shown = append(shown, fmt.Sprintf("%d more", count-maxDifferences))
	}
	return strings.Join(shown, "; ")
}

// leaves are the values of a request that hold no others, in JSON, by their pointers.
func leaves(canonical []byte) (pointers []string, values map[string]string) {
	values = map[string]string{}
	doc, err := scan(canonical)
	if err != nil {
		return nil, values // not of a request that was made or read
	}
	for n := range doc.Root().All() {
		if n.Is(strictjson.Object) || n.Is(strictjson.Array) {
			continue
		}
		p := n.Pointer()
		pointers = append(pointers, p)
		values[p] = string(n.Raw())
		if text, ok := n.Text(); ok {
			values[p] = strconv.Quote(text)
		}
	}
	return pointers, values
}

// contrast shows two values around the place where they begin to differ.
func contrast(recorded, asked string) string {
	same := 0
	for same < min(len(recorded), len(asked)) && recorded[same] == asked[same] {
		same++
	}
	return "recorded " + window(recorded, same) + ", asked for " + window(asked, same)
}

const (
	windowBefore = 24 // bytes
	windowBehind = 48 // code points
)

// window is what stands in a value around a place; "nothing" for no value.
func window(value string, place int) string {
	if value == "" {
		return "nothing"
	}
	start := 0
	if place > windowBefore {
		for start = place - windowBefore; !utf8.RuneStart(value[start]); start-- {
		}
	}
	shown := say.Clip(value[start:], windowBefore+windowBehind)
	if start > 0 {
		shown = "…" + shown
	}
	return say.Visible(shown)
}

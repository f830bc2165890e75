package cassette

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

const (
	// Limits of the search for similar entries: number, total bytes and values. The first ones by name are a random
	// sample, because names are hashes.
	maxSurveyed    = 10_000
	surveyedBytes  = 256 << 20
	surveyedLeaves = 200_000

	// maxCompared is the number of bytes of a text that are compared.
	maxCompared = 1 << 20
)

// library is the index for finding the nearest entry.
type library struct{ entries []sketched }

// sketched is an entry with a sketch of each value in its request.
type sketched struct {
	name   string
	leaves []leaf // in the order of their places
}

// survey reads all entries, except unreadable ones.
func (c *Cassette) survey() *library {
	l := &library{}
	names, err := c.names()
	if err != nil {
		return l
	}
	size, values := surveyedBytes, surveyedLeaves
	for _, name := range names[:min(len(names), maxSurveyed)] {
		r, _, found, _ := c.load(context.Background(), name)
		if !found {
			continue
		}
		e := sketched{name, sketchOf(r.canonical)}
		if size, values = size-len(r.canonical), values-len(e.leaves); size < 0 || values < 0 {
			break
		}
		l.entries = append(l.entries, e)
	}
	return l
}

// leaf is a scalar value of a request.
type leaf struct {
	place uint64 // of its pointer
	value uint64
	words sketch
}

// sketchOf returns the scalar values of a request in order.
func sketchOf(canonical []byte) (list []leaf) {
	pointers, values := leaves(canonical)
	for _, p := range pointers {
		text := masked(values[p])
		list = append(list, leaf{hash([]byte(p)), hash(text), wordsOf(text)})
	}
	slices.SortFunc(list, func(a, b leaf) int { return cmp.Compare(a.place, b.place) })
	return list
}

func hash(text []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(text) // never fails
	return h.Sum64()
}

// compared returns how many values of two requests differ, and how similar those are.
func compared(a, b []leaf) (different, alike int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].place < b[0].place:
			a = a[1:]
			different++
		case a[0].place > b[0].place:
			b = b[1:]
			different++
		default:
			if a[0].value != b[0].value {
				different++
				alike += a[0].words.alike(b[0].words)
			}
			a, b = a[1:], b[1:]
		}
	}
	return different + len(a) + len(b), alike
}

// sketch holds the smallest hashes of a text's words, sorted. The overlap of two sketches estimates the texts'
// similarity.
type sketch []uint64

const sketchSize = 32

func wordsOf(text []byte) (s sketch) {
	for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		s = s.with(hash(word))
	}
	return slices.Clip(s)
}

func (s sketch) with(hash uint64) sketch {
	at, known := slices.BinarySearch(s, hash)
	if known || at == sketchSize {
		return s
	}
	return slices.Insert(s[:min(len(s), sketchSize-1)], at, hash)
}

// alike returns how many hashes two sketches have in common.
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

// masked returns a text with all delimiters replaced by equal ones.
func masked(text []byte) []byte {
	return delimiters.ReplaceAllLiteral(text[:min(len(text), maxCompared)], []byte(say.Ellipsis))
}

// Nearest describes the recorded request most similar to r and the difference, or returns "".
func (c *Cassette) Nearest(ctx context.Context, r Request) string {
	c.comparing.Lock() // of large texts one at a time
	defer c.comparing.Unlock()
	asked := sketchOf(r.canonical)
	best, least, most := "", len(asked), 0 // nothing that differs in all values is near
	for _, e := range c.library().entries {
		different, alike := compared(asked, e.leaves)
		if different < least || different == least && alike > most {
			best, least, most = e.name, different, alike
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

// maxDifferences is the maximum number of different members shown.
const maxDifferences = 3

// difference describes how a request differs from a recorded one.
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
		if a, b := masked(now[p]), masked(before[p]); len(now[p]) != len(before[p]) || !bytes.Equal(a, b) {
			if count++; count <= maxDifferences {
				shown = append(shown, say.Visible(p)+": "+contrast(b, a))
			}
		}
	}
	switch {
	case count == 0:
		return fmt.Sprintf("the text after its first %d bytes", maxCompared)
	case count > maxDifferences:
		shown = append(shown, fmt.Sprintf("%d more", count-maxDifferences))
	}
	return strings.Join(shown, "; ")
}

// leaves returns the scalar values of a request as JSON, by pointer.
func leaves(canonical []byte) (pointers []string, values map[string][]byte) {
	values = map[string][]byte{}
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
		values[p] = n.Raw()
	}
	return pointers, values
}

// contrast returns excerpts of two values around their first difference.
func contrast(recorded, asked []byte) string {
	same := 0
	for same < min(len(recorded), len(asked)) && recorded[same] == asked[same] {
		same++
	}
	return "recorded " + window(recorded, same) + ", asked for " + window(asked, same)
}

const (
	windowBefore = 24  // bytes
	windowBytes  = 100 // bytes
)

// window returns the part of a value around a position, or "nothing" without a value.
func window(value []byte, place int) string {
	if len(value) == 0 {
		return "nothing"
	}
	start, before := 0, ""
	if place > windowBefore {
		for start = place - windowBefore; start > 0 && !utf8.RuneStart(value[start]); start-- {
		}
		before = say.Ellipsis
	}
	return before + say.Visible(say.Preview(value[start:], windowBytes))
}

package secrets

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/secrets/layer"
	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

// Bounds of what is joined of the texts of an array.
const (
	mostEdge    = 512      // bytes of each end of a long text
	mostCommand = 64 << 10 // bytes of a command
)

// Array looks at the texts of an array, or at the deltas of a stream, for what only shows when they
// are read one after another: a token that is cut in pieces, the lines of a key, and the words of a
// command, of which one is the value of the flag before. It calls found with the number of a text and
// a hit in it. What is in one text alone is for [Scanner.Scan].
func (s *Scanner) Array(texts [][]byte, found func(text int, h Hit)) {
	if len(texts) < 2 {
		return
	}
	s.pairs(texts, found)
	if s.meet(texts) {
		s.tokensOf(texts, found)
	}
	lines, words := false, false
	total := 0
	for _, text := range texts {
		lines = lines || bytes.Contains(text, []byte(keyBegin))
		words = words || len(text) > 1 && text[0] == '-' && text[1] > ' '
		total += len(text) + 1
	}
	if lines {
		s.separated(texts, '\n', func(h *Hit) bool { return h.Rule == s.set.keyRule() }, found)
	}
	if words && total <= mostCommand {
		s.separated(texts, ' ', func(h *Hit) bool { return h.Class == Secret }, found)
	}
}

// meet reports whether a token can go on from one text to the next.
func (s *Scanner) meet(texts [][]byte) bool {
	for i, text := range texts[1:] {
		before := texts[i]
		if len(before) > 0 && len(text) > 0 && tokenByte(before[len(before)-1]) && tokenByte(text[0]) {
			return true
		}
	}
	return false
}

// pairs looks at names and their values one after the other, as in ["X-Api-Key", "…"].
func (s *Scanner) pairs(texts [][]byte, found func(text int, h Hit)) {
	for i, value := range texts[1:] {
		name := texts[i]
		if len(name) > naming.MostName || len(texts) > 2 && bytes.IndexByte(name, '-') <= 0 {
			continue
		}
		if rule, secret := s.set.Member(name, value); secret && naming.Secret(value, naming.Plausible) {
			found(i+1, Hit{0, len(value), rule, Secret, ""})
		}
	}
}

// part is where the bytes of a text are in what was joined.
type part struct{ text, from, start, end int }

// tokensOf joins the ends of texts.
func (s *Scanner) tokensOf(texts [][]byte, found func(text int, h Hit)) {
	var parts []part
	var joined []byte
	var breaks []int
	add := func(i, from, to int) {
		parts = append(parts, part{i, from, len(joined), len(joined) + to - from})
		joined = append(joined, texts[i][from:to]...)
	}
	for i, text := range texts {
		if i > 0 {
			breaks = append(breaks, len(joined))
		}
		if len(text) <= 2*mostEdge {
			add(i, 0, len(text))
			continue
		}
		add(i, 0, mostEdge)
		joined = append(joined, '\n')
		add(i, len(text)-mostEdge, len(text))
	}
	s.hits = s.hits[:0]
	view := layer.Plain(joined)
	s.passes.reset()
	s.passes.joined(&view, joined, nil, breaks)
	s.spread(parts, func(*Hit) bool { return true }, found)
}

// separated joins texts with a byte between them and looks at the whole.
func (s *Scanner) separated(texts [][]byte, by byte, wanted func(*Hit) bool, found func(text int, h Hit)) {
	var parts []part
	var joined []byte
	for i, text := range texts {
		parts = append(parts, part{i, 0, len(joined), len(joined) + len(text)})
		joined = append(append(joined, text...), by)
	}
	s.Scan(joined)
	s.spread(parts, wanted, func(i int, h Hit) {
		if by == ' ' && h.Start == 0 && i > 0 && len(texts[i-1]) > 1 && texts[i-1][0] == '-' {
			h.End = len(texts[i]) // the whole word is the value of the flag
		}
		found(i, h)
	})
}

// spread gives each text its part of the hits.
func (s *Scanner) spread(parts []part, wanted func(*Hit) bool, found func(text int, h Hit)) {
	for i := range s.hits {
		h := s.hits[i]
		if !wanted(&h) {
			continue
		}
		for _, p := range parts {
			if start, end := max(h.Start, p.start), min(h.End, p.end); start < end {
				found(p.text, Hit{start - p.start + p.from, end - p.start + p.from, h.Rule, h.Class, ""})
			}
		}
	}
}

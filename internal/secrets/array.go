package secrets

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/internal/secrets/layer"
	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

// leastEdge is the number of bytes at each end of a text that is joined with its neighbours. It is more for a long word.
const leastEdge = 512

// Array searches the texts of an array, or the deltas of a stream, for secrets that span several
// texts: split tokens, the lines of a key, and command words after a flag. It calls found with a
// text's index and a hit in it. [Scanner.Scan] finds secrets within one text.
func (s *Scanner) Array(texts [][]byte, found func(text int, h Hit)) {
	if len(texts) < 2 {
		return
	}
	s.pairs(texts, found)
	if s.meet(texts) {
		s.tokensOf(texts, found)
	}
	lines, words := false, false
	for _, text := range texts {
		lines = lines || bytes.Contains(text, []byte(keyBegin))
		words = words || len(text) > 1 && text[0] == '-' && text[1] > ' '
	}
	if lines {
		s.separated(texts, '\n', func(h *Hit) bool { return h.Rule == s.set.keyRule() }, found)
	}
	if words {
		s.separated(texts, ' ', func(h *Hit) bool { return h.Class == Secret }, found)
	}
}

// meet reports whether a token can continue from one text to the next.
func (s *Scanner) meet(texts [][]byte) bool {
	for i, text := range texts[1:] {
		before := texts[i]
		if len(before) > 0 && len(text) > 0 && tokenByte(before[len(before)-1]) && tokenByte(text[0]) {
			return true
		}
	}
	return false
}

// pairs checks names followed by their values, as in ["X-Api-Key", "…"].
func (s *Scanner) pairs(texts [][]byte, found func(text int, h Hit)) {
	for i, value := range texts[1:] {
		name := texts[i]
		if len(name) > naming.MostName || len(texts) > 2 && bytes.IndexByte(name, '-') <= 0 || bytes.Contains(name, []byte(Stars)) {
			continue // what redaction left of a text is not a name
		}
		if rule, secret := s.set.Member(name, value); secret && naming.Secret(value, naming.Plausible) {
			found(i+1, Hit{0, len(value), rule, Secret, "", true})
		}
	}
}

// tokensOf joins the ends of texts and searches them for tokens.
func (s *Scanner) tokensOf(texts [][]byte, found func(text int, h Hit)) {
	s.parts, s.joined, s.breaks = s.parts[:0], s.joined[:0], s.breaks[:0]
	for i, text := range texts {
		if i > 0 {
			s.breaks = append(s.breaks, len(s.joined))
		}
		head, tail := edges(text)
		if head >= tail {
			s.part(i, text, 0, len(text))
			continue
		}
		s.part(i, text, 0, head)
		s.joined = append(s.joined, '\n')
		s.part(i, text, tail, len(text))
	}
	s.hits = s.hits[:0]
	s.plain = layer.Plain(s.joined)
	s.passes.joined(&s.plain, s.joined, nil, s.breaks)
	s.spread(func(*Hit) bool { return true }, found)
}

// edges returns the end of the first and the start of the last part of a text to be joined: whole words.
func edges(text []byte) (head, tail int) {
	head, tail = leastEdge, len(text)-leastEdge
	for head < tail && tokenByte(text[head]) {
		head++
	}
	for head < tail && tokenByte(text[tail-1]) {
		tail--
	}
	return head, tail
}

// part appends a part of a text to the joined text.
func (s *Scanner) part(i int, text []byte, from, to int) {
	s.parts = append(s.parts, part{i, from, len(s.joined), len(s.joined) + to - from})
	s.joined = append(s.joined, text[from:to]...)
}

// separated searches the texts joined with a separator.
func (s *Scanner) separated(texts [][]byte, by byte, wanted func(*Hit) bool, found func(text int, h Hit)) {
	s.parts, s.command = s.parts[:0], s.command[:0]
	for i, text := range texts {
		s.parts = append(s.parts, part{i, 0, len(s.command), len(s.command) + len(text)})
		s.command = append(append(s.command, text...), by)
	}
	whole := func(i int, h Hit) {
		if by == ' ' && h.Start == 0 && i > 0 && len(texts[i-1]) > 1 && texts[i-1][0] == '-' {
			h.End = len(texts[i]) // the whole word is the flag's value
		}
		found(i, h)
	}
	homes := s.Scan(s.command)
	s.spread(wanted, whole)
	homes = slices.DeleteFunc(slices.Clone(homes), func(h Hit) bool { return h.Class != Home })
	if by != ' ' || len(homes) == 0 {
		return
	}
	// Without the home folders a command can show another secret, which a second run would find.
	s.before = Apply(s.before[:0], s.command, homes, nil)
	for i, h := range s.Scan(s.before) {
		s.hits[i].Start, _ = applied(homes, h.Start)
		_, s.hits[i].End = applied(homes, h.End-1)
	}
	s.spread(wanted, whole)
}

// applied returns the range before [Apply] of the byte at i after it.
func applied(hits []Hit, i int) (start, end int) {
	grown := 0 // bytes, by the replacements before i
	for _, h := range hits {
		from := h.Start + grown
		if i < from {
			break
		}
		if i < from+len(h.With) {
			return h.Start, h.End
		}
		grown += len(h.With) - (h.End - h.Start)
	}
	return i - grown, i - grown + 1
}

// spread maps hits back to the texts.
func (s *Scanner) spread(wanted func(*Hit) bool, found func(text int, h Hit)) {
	for i := range s.hits {
		h := s.hits[i]
		if !wanted(&h) {
			continue
		}
		for _, p := range s.parts {
			if start, end := max(h.Start, p.start), min(h.End, p.end); start < end {
				found(p.text, Hit{start - p.start + p.from, end - p.start + p.from, h.Rule, h.Class, "", h.loose})
			}
		}
	}
}

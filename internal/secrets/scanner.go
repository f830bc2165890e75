package secrets

import (
	"bytes"
	"slices"

	"github.com/cupel-dev/cupel/internal/secrets/layer"
	"github.com/cupel-dev/cupel/internal/secrets/naming"
	"github.com/cupel-dev/cupel/internal/secrets/personal"
)

// Hit is a range of bytes to hide.
type Hit struct {
	Start, End int
	Rule       string // id of a rule of the set
	Class      Class
	With       string // replacement; "" for a secret or personal data: three stars

	loose bool // the rule matched the place, not the value's form
}

// part locates a range of a text in the joined text.
type part struct{ text, from, start, end int }

// Stars replaces hidden bytes (ADR-006 §2).
const Stars = "***"

// MostDepth limits nested encodings.
const MostDepth = 4

// Scanner finds secrets in texts. It reuses its memory and does not allocate without hits. It is
// not safe for concurrent use.
type Scanner struct {
	set  *Set
	hits []Hit

	plain   layer.View
	views   [MostDepth]layer.View // decoded text by depth
	blobs   [MostDepth]layer.View // decoded runs
	buffers [MostDepth][]byte
	passes  passes
	joined  []byte
	at      []int32
	deepest []byte
	breaks  []int
	parts   []part // of joined texts
	command []byte
	out     []byte
	before  []byte
}

// NewScanner returns a scanner.
func NewScanner(set *Set) *Scanner {
	s := &Scanner{set: set}
	s.passes.scanner = s
	s.passes.found = s.passes.keyword
	return s
}

// Scan returns the hits in a text, sorted, without overlaps, valid until the next call. text is UTF-8 of less than 2
// GiB; other bytes are skipped. Overlapping hits are merged under the rule of the highest class, then the first.
func (s *Scanner) Scan(text []byte) []Hit {
	s.hits = s.hits[:0]
	s.plain = layer.Plain(text)
	s.layers(&s.plain, 0)
	s.hits = s.merge()
	return s.hits
}

// layers searches a view and its encoded parts.
func (s *Scanner) layers(v *layer.View, depth int) {
	s.passes.look(v)
	if depth == MostDepth {
		s.deep(v)
		return
	}
	s.lines(v)
	layer.Runs(v.Text, &s.buffers[depth], func(decoded []byte, start, end int) {
		s.blobs[depth] = v.Blob(decoded, start, end)
		s.layers(&s.blobs[depth], depth+1)
	})
	if v.Decode(&s.views[depth]) {
		s.layers(&s.views[depth], depth+1)
	}
}

// deep reports what is encoded once more than is decoded, so that it is hidden.
func (s *Scanner) deep(v *layer.View) {
	found := func(start, end int) {
		from, to := v.Span(start, end)
		s.hits = append(s.hits, Hit{from, to, ruleDeep, Secret, "", true})
	}
	layer.Runs(v.Text, &s.deepest, func(_ []byte, start, end int) { found(start, end) })
	v.Letters(found)
}

// leastJoined is the length of the shortest token that is looked for across lines.
const leastJoined = 20

// lines searches for tokens that continue on the next line.
func (s *Scanner) lines(v *layer.View) {
	text := v.Text
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return
		}
		at += n + 1
		if stop := s.line(v, at); stop > at {
			at = stop
		}
	}
}

// line checks the token around the line break that ends at i and returns the token's end.
func (s *Scanner) line(v *layer.View, i int) (stop int) {
	text := v.Text
	left := breakStart(text, i)
	if left == 0 || !tokenByte(text[left-1]) || i == len(text) || !tokenByte(text[i]) {
		return i
	}
	start := left
	for start > 0 && tokenByte(text[start-1]) {
		start--
	}
	s.joined, s.at = s.joined[:0], s.at[:0]
	digit, small := false, false
	s.breaks = s.breaks[:0]
	for stop = start; stop < len(text); {
		if tokenByte(text[stop]) {
			digit = digit || text[stop] >= '0' && text[stop] <= '9'
			small = small || text[stop] >= 'a' && text[stop] <= 'z'
			s.joined, s.at = append(s.joined, text[stop]), append(s.at, int32(stop))
			stop++
			continue
		}
		next := breakEnd(text, stop)
		if next == stop || next == len(text) || !tokenByte(text[next]) {
			break
		}
		s.breaks = append(s.breaks, len(s.joined))
		stop = next
	}
	if !digit && small || len(s.joined) < leastJoined {
		return stop
	}
	s.passes.joined(v, s.joined, s.at, s.breaks)
	return stop
}

// breakStart returns the start of the line break that ends at i, including a soft-break sign.
func breakStart(text []byte, i int) int {
	i--
	if i > 0 && text[i-1] == '\r' {
		i--
	}
	if i > 0 && (text[i-1] == '=' || text[i-1] == '\\') {
		i--
	}
	return i
}

// breakEnd returns the end of the line break at i, or i.
func breakEnd(text []byte, i int) int {
	j := i
	if j < len(text) && (text[j] == '=' || text[j] == '\\') {
		j++
	}
	if j < len(text) && text[j] == '\r' {
		j++
	}
	if j < len(text) && text[j] == '\n' {
		return j + 1
	}
	return i
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// merge sorts and merges hits.
func (s *Scanner) merge() []Hit {
	if len(s.hits) < 2 {
		return s.hits
	}
	if !slices.IsSortedFunc(s.hits, order) { // as they mostly are
		slices.SortStableFunc(s.hits, order)
	}
	merged := s.hits[:1]
	for _, h := range s.hits[1:] {
		last := &merged[len(merged)-1]
		if h.Start >= last.End {
			merged = append(merged, h)
			continue
		}
		start, end := last.Start, max(last.End, h.End)
		if h.Class > last.Class || h.Class == last.Class && last.loose && !h.loose {
			*last = h
		}
		last.Start, last.End = start, end
	}
	return merged
}

// order puts the earlier hit first, of two at a place the longer one.
func order(a, b Hit) int {
	if a.Start != b.Start {
		return a.Start - b.Start
	}
	return b.End - a.End
}

// Apply appends text to dst with the hits replaced.
func Apply(dst, text []byte, hits []Hit, with func(h *Hit, hidden []byte) string) []byte {
	at := 0
	for i := range hits {
		h := &hits[i]
		dst = append(dst, text[at:h.Start]...)
		switch {
		case h.With != "":
			dst = append(dst, h.With...)
		case with != nil:
			dst = append(dst, with(h, text[h.Start:h.End])...)
		default:
			dst = append(dst, Stars...)
		}
		at = h.End
	}
	return append(dst, text[at:]...)
}

// The distances in bytes around an offset within which values are masked, and the word in which they begin.
const (
	maskedBefore = 16 << 10
	maskedAfter  = 4 << 10
)

// Masked returns a text for an excerpt around offset i, with the ASCII letters of credentials replaced by stars, so
// that offsets stay valid. It returns the same text if there is nothing to mask.
func Masked(text []byte, i int) []byte {
	set, err := Credentials()
	if err != nil {
		return nil
	}
	low, high := max(0, min(i, len(text))-maskedBefore), min(len(text), max(i, 0)+maskedAfter)
	for low > 0 && text[low-1] > ' ' && text[low-1] != '"' {
		low--
	}
	low = max(0, low-naming.MostName)
	hits := NewScanner(set).Scan(text[low:high])
	if len(hits) == 0 {
		return text
	}
	masked := bytes.Clone(text)
	for _, h := range hits {
		for j := low + h.Start; j < low+h.End; j++ {
			if c := masked[j]; c > ' ' && c < 0x7f && c != '"' {
				masked[j] = '*'
			}
		}
	}
	return masked
}

// Personal returns the kinds of personal data in the set.
func (s *Set) Personal() personal.Kind { return s.options.Personal }

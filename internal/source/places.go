package source

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

// indexed is the line length from which positions are cached, step their distance.
const (
	indexed = 64 << 10
	step    = 4 << 10
)

type place struct {
	at     int // byte offset
	lines  int // line feeds before it
	begin  int // offset after the last line feed
	runes  int // code points since begin
	astral int // of these, code points beyond the basic plane
}

// pass advances the position to a later byte. Neither may be inside a code point, except at the final position.
func (p place) pass(text []byte, to int) place {
	rest := text[p.at:to]
	if feed := bytes.LastIndexByte(rest, '\n'); feed >= 0 {
		p.lines += bytes.Count(rest, []byte{'\n'})
		p.begin, p.runes, p.astral = p.at+feed+1, 0, 0
		rest = rest[feed+1:]
	}
	p.runes += utf8.RuneCount(rest)
	p.astral += astral(rest)
	p.at = to
	return p
}

// places caches positions in a long text, to locate many findings in one pass. It is safe for concurrent use.
type places struct {
	mu    sync.Mutex
	known []place // position n is at n*step or a few bytes later
}

func (p *places) before(text []byte, offset int) place {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) == 0 {
		p.known = append(p.known, place{})
	}
	for n := len(p.known); offset >= n*step+utf8.UTFMax; n++ {
		p.known = append(p.known, p.known[n-1].pass(text, wholeRune(text, n*step)))
	}
	nearest := p.known[min(offset/step, len(p.known)-1)]
	if nearest.at > offset {
		nearest = p.known[offset/step-1]
	}
	return nearest.pass(text, offset)
}

// wholeRune returns the first code point boundary at or after i.
func wholeRune(text []byte, i int) int {
	for end := i + utf8.UTFMax - 1; i < end && !utf8.RuneStart(text[i]); {
		i++
	}
	return i
}

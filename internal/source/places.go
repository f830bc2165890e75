package source

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

// indexed is how long a line is whose places are worth remembering, and step how far
// apart the remembered ones are.
const (
	indexed = 64 << 10
	step    = 4 << 10
)

// place is what stands before a byte of a text.
type place struct {
	at     int // the byte
	lines  int // line feeds
	begin  int // offset behind the last of them
	runes  int // code points since
	astral int // of these, the ones beyond the basic plane
}

// pass moves the place to a later byte. Both must not stand inside a code point, or the
// later one must be the end of the way.
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

// places remembers places of a long text, so that finding many of them takes one way
// through it. It is safe for concurrent use.
type places struct {
	mu    sync.Mutex
	known []place // number n is at n*step, or a few bytes behind
}

// before returns the place of a byte.
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

// wholeRune is the first offset from i on that no code point of the text goes across.
func wholeRune(text []byte, i int) int {
	for end := i + utf8.UTFMax - 1; i < end && !utf8.RuneStart(text[i]); {
		i++
	}
	return i
}

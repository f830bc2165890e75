package privacy

import (
	"slices"
	"strings"
)

// Wildcards in policy pointers: * is any member or element, ** any number of them, at the end at least one.
const (
	anyOne  = "*"
	anyDeep = "**"
)

// places is a tree of a policy's types and pointers. The first token is the type. With wildcards, a value can be at
// several nodes.
type places struct {
	names    map[string]*places
	prefixes []prefixed // of types alone
	any      *places
	deep     *places
	loops    bool // a ** node, which also matches descendants

	row      int   // 1 + the last row that ends here
	patterns []int // those that end here
}

type prefixed struct {
	prefix string
	next   *places
}

// add returns the node for a type and a pointer's tokens.
func (p *places) add(typ string, tokens []string) *places {
	at := p.ofType(typ)
	for _, token := range tokens {
		at = at.child(token)
	}
	return at
}

func (p *places) ofType(typ string) *places {
	prefix, wild := strings.CutSuffix(typ, ".*")
	if !wild {
		return p.child(typ)
	}
	prefix += "."
	for _, known := range p.prefixes {
		if known.prefix == prefix {
			return known.next
		}
	}
	next := new(places)
	p.prefixes = append(p.prefixes, prefixed{prefix, next})
	return next
}

func (p *places) child(token string) *places {
	switch token {
	case anyOne:
		if p.any == nil {
			p.any = new(places)
		}
		return p.any
	case anyDeep:
		if p.deep == nil {
			p.deep = &places{loops: true}
		}
		return p.deep
	}
	next := p.names[token]
	if next == nil {
		next = new(places)
		if p.names == nil {
			p.names = map[string]*places{}
		}
		p.names[token] = next
	}
	return next
}

// spread returns the tokens with and without each ** except the last, because ** can match nothing.
func spread(tokens []string) [][]string {
	all := [][]string{nil}
	for i, token := range tokens {
		short := all
		if token == anyDeep && i < len(tokens)-1 {
			short = slices.Clone(all)
		}
		long := make([][]string, len(all))
		for j, way := range all {
			long[j] = append(slices.Clip(way), token)
		}
		all = long
		if token == anyDeep && i < len(tokens)-1 {
			all = append(all, short...)
		}
	}
	return all
}

// enter appends the nodes for events of a type.
func (p *places) enter(dst []*places, typ []byte) []*places {
	start := len(dst)
	dst = p.step(dst, start, typ, true)
	for _, known := range p.prefixes {
		if len(typ) >= len(known.prefix) && string(typ[:len(known.prefix)]) == known.prefix {
			dst = append(dst, known.next)
		}
	}
	return dst
}

// step appends the nodes of a child that dst does not contain from start on. Array elements have no name.
func (p *places) step(dst []*places, start int, name []byte, named bool) []*places {
	if p.loops {
		dst = once(dst, start, p)
	}
	if p.deep != nil {
		dst = once(dst, start, p.deep)
	}
	if p.any != nil {
		dst = once(dst, start, p.any)
	}
	if named && p.names != nil {
		if next := p.names[string(name)]; next != nil {
			dst = once(dst, start, next)
		}
	}
	return dst
}

func once(dst []*places, start int, p *places) []*places {
	if slices.Contains(dst[start:], p) {
		return dst
	}
	return append(dst, p)
}

package privacy

import "github.com/cupel-dev/cupel/evidence"

// patch replaces the bytes [start, end) by a text.
type patch struct {
	start, end int
	text       []byte
}

// appendPatched appends a text with sorted, disjoint patches.
func appendPatched(dst, text []byte, patches []patch) []byte {
	at := 0
	for _, p := range patches {
		dst = append(append(dst, text[at:p.start]...), p.text...)
		at = p.end
	}
	return append(dst, text[at:]...)
}

// cutter cuts children out of a container with one comma each: the preceding one or, for the first remaining child,
// the following one.
type cutter struct {
	kept int // the end of the last child after which a cut can begin, -1 before there is one
	open int // the patch that ends where the next child begins, or -1

	named bool // the children have names
}

func newCutter(named bool) cutter { return cutter{-1, -1, named} }

func (c *cutter) child(patches []patch, v evidence.Value, remove bool) []patch {
	if c.open >= 0 {
		patches[c.open].end, _ = c.outer(v)
		c.open = -1
	}
	if remove {
		start, end := c.outer(v)
		if c.kept >= 0 {
			start = c.kept
		} else {
			c.open = len(patches)
		}
		patches = append(patches, patch{start: start, end: end})
	}
	if c.kept >= 0 || !remove {
		_, c.kept = v.Span()
	}
	return patches
}

// outer returns the byte range of a child including its name.
func (c *cutter) outer(v evidence.Value) (start, end int) {
	start, end = v.Span()
	if c.named {
		start, _ = v.NameSpan()
	}
	return start, end
}

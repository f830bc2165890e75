package privacy

import "github.com/cupel-dev/cupel/evidence"

// patch puts a text, or nothing, in the place of the bytes [start, end).
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

// cutter cuts children with a comma each out of a container and preserves the rest: the preceding
// comma or, without a remaining previous child, the following one.
type cutter struct {
	kept int // the end of the last child after which a cut can begin, -1 before there is one
	open int // the patch that ends where the next child begins, or -1

	named bool // the children have names
}

func newCutter(named bool) cutter { return cutter{-1, -1, named} }

// child takes the next child.
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

// outer are the bytes of a child with those of its name.
func (c *cutter) outer(v evidence.Value) (start, end int) {
	start, end = v.Span()
	if c.named {
		start, _ = v.NameSpan()
	}
	return start, end
}

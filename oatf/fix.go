package oatf

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// FixOptions tune Fix.
type FixOptions struct {
	CheckOptions
	Unsafe bool                      // also apply unsafe fixes; see finding.Fix
	Keep   func([]Finding) []Finding // of the findings of a pass, those to be mended; nil: all
}

// Fixed is the result of Fix.
type Fixed struct {
	Checked                // what Check says of Text
	Text    []byte         // the new text; the input itself when nothing was mended
	Edits   []finding.Edit // of the input, in its order, that make Text of it
	Mended  []Finding      // findings whose fixes were applied, in order
}

// maxFixPasses bounds repeated fixing: a fix can reveal another fault, and overlapping fixes wait for the next pass.
const maxFixPasses = 10

// Fix applies the fixes of Check's findings in source order until none is left. Of overlapping
// fixes the first is applied, others in later passes if still found. Fixes change only the bytes
// they name; a fix whose result is not YAML is not applied.
//
// Suppressed findings stay. After ten passes it stops, with remaining fixes in the findings.
func Fix(input []byte, o FixOptions) Fixed {
	fixed := Fixed{Text: input, Checked: o.Check(input)}
	changes := pieces{{end: len(input)}}
	for range maxFixPasses {
		chosen, next := o.pass(fixed)
		if len(chosen) == 0 {
			break
		}
		changes = changes.edited(editsOf(chosen))
		next.Mended = append(fixed.Mended, chosen...)
		fixed = next
	}
	fixed.Edits = changes.edits(len(input))
	return fixed
}

// pass applies compatible fixes and checks the result. If the result is broken, for example by
// duplicate keys, it tries fewer fixes.
func (o FixOptions) pass(before Fixed) (chosen []Finding, after Fixed) {
	all := o.choose(before.Findings)
	for chosen = all; len(chosen) > 0; {
		text, err := finding.Apply(before.Text, editsOf(chosen))
		if err == nil {
			after = Fixed{Text: text, Checked: o.Check(text)}
			if !isBroken(after.Findings) || isBroken(before.Findings) {
				return chosen, after
			}
		}
		if len(chosen) > 1 {
			chosen = chosen[:len(chosen)/2]
			continue
		}
		all = all[1:]
		chosen = all
	}
	return nil, before
}

// isBroken reports whether a text is not valid YAML for OATF.
func isBroken(list []Finding) bool {
	return slices.ContainsFunc(list, func(f Finding) bool { return f.Rule == rules.SyntaxID })
}

// choose returns the findings whose fixes can be applied together.
func (o FixOptions) choose(list []Finding) (chosen []Finding) {
	if o.Keep != nil {
		list = o.Keep(list)
	}
	var taken []finding.Edit
	for _, f := range list {
		if f.Fix == nil || f.Fix.Unsafe && !o.Unsafe || slices.ContainsFunc(f.Fix.Edits, func(e finding.Edit) bool { return touches(taken, e) }) {
			continue
		}
		chosen, taken = append(chosen, f), append(taken, f.Fix.Edits...)
	}
	return chosen
}

// touches reports whether an edit shares a byte, or the place of an insertion, with others.
func touches(taken []finding.Edit, e finding.Edit) bool {
	return slices.ContainsFunc(taken, func(t finding.Edit) bool {
		return t.Start < e.End && e.Start < t.End || t.Start == e.Start
	})
}

// editsOf returns the edits of all fixes, in the order of the text.
func editsOf(list []Finding) (edits []finding.Edit) {
	for _, f := range list {
		edits = append(edits, f.Fix.Edits...)
	}
	slices.SortFunc(edits, func(a, b finding.Edit) int { return a.Start - b.Start })
	return edits
}

// pieces is a text as parts of the original and inserted text.
type pieces []piece

// piece is the bytes [start, end) of the first text or, if that range is empty, text.
type piece struct {
	start, end int
	text       string
}

func (p piece) size() int { return p.end - p.start + len(p.text) }

// from returns a piece without its first n bytes, upto the first n.
func (p piece) from(n int) piece {
	if p.text != "" {
		return piece{text: p.text[n:]}
	}
	return piece{start: p.start + n, end: p.end}
}

func (p piece) upto(n int) piece {
	if p.text != "" {
		return piece{text: p.text[:n]}
	}
	return piece{start: p.start, end: p.start + n}
}

// edited returns the pieces after edits of the text that they make, which are in its order and do not overlap.
func (list pieces) edited(edits []finding.Edit) (out pieces) {
	rest, at := slices.Clone(list), 0 // at: offset of the remaining pieces
	take := func(until int, keep bool) {
		for len(rest) > 0 && at < until {
			n := min(rest[0].size(), until-at)
			if keep {
				out = append(out, rest[0].upto(n))
			}
			if rest[0] = rest[0].from(n); rest[0].size() == 0 {
				rest = rest[1:]
			}
			at += n
		}
	}
	for _, e := range edits {
		take(e.Start, true)
		out = append(out, piece{text: e.Text})
		take(e.End, false)
	}
	return append(out, rest...)
}

// edits returns the edits from the original (size bytes) to the pieces.
func (list pieces) edits(size int) (edits []finding.Edit) {
	at, text := 0, ""
	for _, p := range append(slices.Clip(list), piece{start: size, end: size}) {
		if p.start == p.end && p.start != size || p.text != "" {
			text += p.text
			continue
		}
		if p.start > at || text != "" {
			edits = append(edits, finding.Edit{Start: at, End: p.start, Text: text})
		}
		at, text = p.end, ""
	}
	return edits
}

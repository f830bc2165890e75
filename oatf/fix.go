package oatf

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
)

// FixOptions configures Fix.
type FixOptions struct {
	CheckOptions
	Unsafe bool                      // also apply unsafe fixes; see finding.Fix
	Keep   func([]Finding) []Finding // of the findings of a pass, those to be mended; nil: all
}

type Fixed struct {
	Checked                // what Check says of Text
	Text    []byte         // the new text; the input itself when nothing was mended
	Edits   []finding.Edit // of the input, in its order, that make Text of it
	Mended  []Finding      // findings whose fixes were applied, in order
}

// maxFixPasses limits the passes. Several are needed because a fix can reveal another fault, and overlapping fixes
// are applied one per pass.
const maxFixPasses = 10

// Fix applies the fixes of Check's findings in source order until none is left. Of overlapping fixes, it applies
// the first, and the others in later passes if they are still found. A fix is not applied if the result would not
// be valid YAML. Suppressed findings are not fixed. It stops after ten passes, with remaining fixes in the
// findings.
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

// pass applies compatible fixes. If that breaks the document, for example by duplicate keys, it tries fewer.
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

// isBroken reports whether findings contain a syntax error.
func isBroken(list []Finding) bool {
	return slices.ContainsFunc(list, func(f Finding) bool { return f.Rule == rules.SyntaxID })
}

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

// touches reports whether an edit overlaps others or inserts at the same position.
func touches(taken []finding.Edit, e finding.Edit) bool {
	return slices.ContainsFunc(taken, func(t finding.Edit) bool {
		return t.Start < e.End && e.Start < t.End || t.Start == e.Start
	})
}

func editsOf(list []Finding) (edits []finding.Edit) {
	for _, f := range list {
		edits = append(edits, f.Fix.Edits...)
	}
	slices.SortFunc(edits, func(a, b finding.Edit) int { return a.Start - b.Start })
	return edits
}

// pieces represents an edited text as ranges of the original and inserted texts.
type pieces []piece

// piece is the range [start, end) of the original or, if that is empty, an inserted text.
type piece struct {
	start, end int
	text       string
}

func (p piece) size() int { return p.end - p.start + len(p.text) }

// from returns a piece without its first n bytes; upto returns its first n bytes.
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

// edited applies edits, which must be sorted and not overlap.
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

// edits returns the edits that turn the original, of the given size, into the pieces.
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

package diagnosis

import (
	"bytes"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// numberNodes returns the numbers of an event's payload.
func numberNodes(doc *strictjson.Document, which func([]byte) bool) (list []strictjson.Node) {
	if doc == nil || !doc.Root().Is(strictjson.Object) {
		return nil
	}
	values(doc.Root().Get("payload"), func(n strictjson.Node) {
		if n.Is(strictjson.Number) && which(n.Raw()) {
			list = append(list, n)
		}
	})
	return list
}

func isFloat(raw []byte) bool { return bytes.ContainsAny(raw, ".eE") }
func isWhole(raw []byte) bool { return !isFloat(raw) }

// undoWhole writes integers as floating-point numbers: every subset of them if there are few.
func undoWhole(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	list := numberNodes(doc, isWhole)
	return func(yield func([]byte) bool) {
		if len(list) == 0 {
			return
		}
		few := min(len(list), 10)
		for set := 1; set < 1<<few; set++ {
			var edits []edit
			for i, n := range list[:few] {
				if set&(1<<i) != 0 {
					_, end := n.Span()
					edits = append(edits, edit{end, end, ".0"})
				}
			}
			if !yield(apply(line, edits)) {
				return
			}
		}
		var edits []edit
		for _, n := range list {
			_, end := n.Span()
			edits = append(edits, edit{end, end, ".0"})
		}
		yield(apply(line, edits))
	}
}

// undoPoint writes whole floating-point numbers as integers: those of the envelope, then all.
func undoPoint(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if doc == nil || !doc.Root().Is(strictjson.Object) {
			return
		}
		var top, all []edit
		whole := func(n strictjson.Node) (edit, bool) {
			_, end := n.Span()
			bare, cut := bytes.CutSuffix(n.Raw(), []byte(".0"))
			return edit{end - 2, end, ""}, n.Is(strictjson.Number) && cut && isWhole(bare)
		}
		for n := range doc.Root().Children() {
			if e, ok := whole(n); ok {
				top = append(top, e)
			}
		}
		values(doc.Root(), func(n strictjson.Node) {
			if e, ok := whole(n); ok {
				all = append(all, e)
			}
		})
		for i, list := range [][]edit{top, all} {
			if len(list) > 0 && (i == 0 || len(all) > len(top)) && !yield(apply(line, list)) {
				return
			}
		}
	}
}

// undoSingle writes numbers with the digits that a 32-bit float needs.
func undoSingle(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	var edits []edit
	for _, n := range numberNodes(doc, isFloat) {
		f, err := strconv.ParseFloat(string(n.Raw()), 64)
		short := strconv.FormatFloat(float64(float32(f)), 'g', -1, 32)
		if err != nil || short == string(n.Raw()) || math.Abs(f-float64(float32(f))) > 1e-12*math.Abs(f) {
			continue
		}
		from, to := n.Span()
		edits = append(edits, edit{from, to, short})
	}
	return edited(line, edits)
}

// undoRounding tries numbers that 15 digits do not distinguish.
func undoRounding(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	list := numberNodes(doc, isFloat)
	return func(yield func([]byte) bool) {
		switch {
		case len(list) == 0:
			return
		case len(list) > 2:
			list = list[:2]
		}
		reach := 24 // doubles on each side: 15 digits leave at most that many
		var around [][]edit
		for _, n := range list {
			f, err := strconv.ParseFloat(string(n.Raw()), 64)
			if err != nil {
				return
			}
			from, to := n.Span()
			choices := []edit{{from, to, string(n.Raw())}}
			up, down := f, f
			for range reach {
				up, down = math.Nextafter(up, math.Inf(1)), math.Nextafter(down, math.Inf(-1))
				for _, g := range []float64{up, down} {
					if s := strconv.FormatFloat(g, 'g', 15, 64); s == strconv.FormatFloat(f, 'g', 15, 64) {
						choices = append(choices, edit{from, to, strconv.FormatFloat(g, 'g', -1, 64)})
					}
				}
			}
			around = append(around, choices)
		}
		tries := 0
		for _, a := range around[0] {
			if len(around) == 1 {
				if tries++; tries > maxTries || !yield(apply(line, []edit{a})) {
					return
				}
				continue
			}
			for _, b := range around[1] {
				if tries++; tries > maxTries || !yield(apply(line, []edit{a, b})) {
					return
				}
			}
		}
	}
}

var quotedNumber = regexp.MustCompile(`^"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?"$`)

// undoStrings converts numeric strings to numbers, first in the envelope, then also in the payload.
func undoStrings(_ *session.Single, line []byte, doc *strictjson.Document) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if doc == nil || !doc.Root().Is(strictjson.Object) {
			return
		}
		var top, all []edit
		bare := func(n strictjson.Node) (edit, bool) {
			from, to := n.Span()
			raw := n.Raw()
			if !n.Is(strictjson.String) || !quotedNumber.Match(raw) {
				return edit{}, false
			}
			return edit{from, to, string(raw[1 : len(raw)-1])}, true
		}
		for _, name := range []string{"sequence_number", "seq", "timestamp_monotonic"} {
			if e, ok := bare(doc.Root().Get(name)); ok {
				top = append(top, e)
			}
		}
		all = slices.Clone(top)
		values(doc.Root().Get("payload"), func(n strictjson.Node) {
			if e, ok := bare(n); ok {
				all = append(all, e)
			}
		})
		for i, list := range [][]edit{top, all} {
			if len(list) > 0 && (i == 0 || len(all) > len(top)) && !yield(apply(line, list)) {
				return
			}
		}
	}
}

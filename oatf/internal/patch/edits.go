package patch

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// ErrMeaning means that the changes cannot be written without changing the meaning of the text.
var ErrMeaning = errors.New("the text cannot be changed there without changing its meaning")

// Edits returns the changes as sorted edits, for finding.Apply. The result is parsed and compared
// with the nodes; a difference is ErrMeaning. The tree cannot be used afterwards.
func (t *Tree) Edits() ([]finding.Edit, error) {
	if !t.Changed() {
		return nil, nil
	}
	meaning := yamltext.ValueWith(t.Root, t.Content)
	parts := t.render()
	text, limits, bom := t.Lines.Text, t.Limits, t.Lines.Byte(1, 1)
	t.Root, t.now, t.from, t.Lines = nil, nil, nil, nil // the nodes of one text at a time are enough of them
	limits.Bytes, limits.Nodes = 2*limits.Bytes, 2*limits.Nodes
	after, err := yamltext.ReadAuditedWithin([]byte(join(text, parts)), limits)
	if err != nil || !reflect.DeepEqual(yamltext.Value(after.Root), meaning) {
		return nil, ErrMeaning
	}
	return edits(text, parts, bom), nil
}

// part is original or new bytes.
type part struct {
	start, end int
	text       string // when end is 0
}

func join(text string, parts []part) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	for _, p := range parts {
		b.WriteString(text[p.start:p.end])
		b.WriteString(p.text)
	}
	return b.String()
}

// edits converts parts to edits. A part of the old text that is out of order is written as new text.
func edits(text string, parts []part, bom int) []finding.Edit {
	var list []finding.Edit
	var fresh strings.Builder
	at := 0
	flush := func(to int) {
		if fresh.Len() > 0 || to > at {
			list = append(list, finding.Edit{Start: bom + at, End: bom + to, Text: fresh.String()})
			fresh.Reset()
		}
	}
	stays := inOrder(parts)
	for i, p := range parts {
		if !stays[i] {
			fresh.WriteString(text[p.start:p.end])
			fresh.WriteString(p.text)
			continue
		}
		flush(p.start)
		at = p.end
	}
	flush(len(text))
	return list
}

// inOrder selects the parts of the old text that keep their positions: a longest ascending sequence.
func inOrder(parts []part) []bool {
	type link struct{ part, before int }
	var links []link
	var tails []int // of the sequences of each length, the one that ends first
	for i, p := range parts {
		if p.end == 0 {
			continue
		}
		n, _ := slices.BinarySearchFunc(tails, p.start, func(tail, start int) int {
			if parts[links[tail].part].start < start {
				return -1
			}
			return 1
		})
		before := -1
		if n > 0 {
			before = tails[n-1]
		}
		links = append(links, link{i, before})
		if n == len(tails) {
			tails = append(tails, 0)
		}
		tails[n] = len(links) - 1
	}
	stays := make([]bool, len(parts))
	if len(tails) > 0 {
		for l := tails[len(tails)-1]; l >= 0; l = links[l].before {
			stays[links[l].part] = true
		}
	}
	return stays
}

package stream

import (
	"cmp"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// firsts keeps the first findings by position: in a list, or once full in a heap with the last on top.
type firsts struct {
	list []Finding
	full bool
}

// add adds a finding and reports whether it is among the first most.
func (k *firsts) add(f Finding, most int) bool {
	if len(k.list) < most {
		k.list = append(k.list, f)
		if k.full = len(k.list) == most; k.full {
			for i := most/2 - 1; i >= 0; i-- {
				k.sink(i)
			}
		}
		return true
	}
	if most <= 0 || !k.reaches(f) {
		return false
	}
	k.list[0] = f
	k.sink(0)
	return true
}

// endBefore reports whether the list is full and all its findings are before an offset.
func (k *firsts) endBefore(l Line, offset int) bool {
	if !k.full {
		return false
	}
	last := &k.list[0]
	column := offset/utf8.UTFMax + 1 // the byte's is not less
	return last.File == "" && (last.Line < l.Number || last.Line == l.Number && last.Column < column)
}

// reaches reports whether a finding precedes the last kept one.
func (k *firsts) reaches(f Finding) bool {
	return !k.full || compare(f, k.list[0]) < 0
}

// sink restores the heap order downwards from index i.
func (k *firsts) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(k.list) {
			return
		}
		if child+1 < len(k.list) && compare(k.list[child], k.list[child+1]) < 0 {
			child++
		}
		if compare(k.list[i], k.list[child]) >= 0 {
			return
		}
		k.list[i], k.list[child] = k.list[child], k.list[i]
		i = child
	}
}

func (k *firsts) empty() {
	clear(k.list)
	*k = firsts{list: k.list[:0]}
}

// compare orders findings by position, those about companion files last.
func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File), finding.Compare(a, b),
		cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Found, b.Found),
	)
}

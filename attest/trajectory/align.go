package trajectory

import "slices"

// edit is one line of a script that turns the steps of one run into those of another.
type edit byte

const (
	keep   edit = iota // the steps are equal
	change             // the steps have the same type and name
	remove
	add
)

// Costs of edits. The fewest edits win; of scripts with equally many, the one with the fewest changed arguments.
const (
	oneEdit      = 1 << 24
	otherArgs    = 1
	unreachable  = 1 << 62
	maxAlignment = 1 << 25 // most cells of the table, a byte each
)

// align returns the shortest script of edits from a to b. If the table of that search would be too large, coarse is
// true and everything between the common start and the common end is removed and added.
func align(a, b []Step) (script []edit, coarse bool) {
	start := 0
	for start < min(len(a), len(b)) && a[start].key == b[start].key {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end].key == b[len(b)-1-end].key {
		end++
	}
	middleA, middleB := a[start:len(a)-end], b[start:len(b)-end]
	script = slices.Repeat([]edit{keep}, start)
	found, ok := search(middleA, middleB)
	if !ok {
		found = append(slices.Repeat([]edit{remove}, len(middleA)), slices.Repeat([]edit{add}, len(middleB))...)
	}
	script = append(script, found...)
	return append(script, slices.Repeat([]edit{keep}, end)...), !ok
}

// search looks for the script near the diagonal of the table first, and widens the band until it holds the best one:
// a script with at most as many edits as the band is wide cannot leave it.
func search(a, b []Step) ([]edit, bool) {
	least := max(len(a)-len(b), len(b)-len(a))
	for width := least + 16; ; width *= 2 {
		width = min(width, len(a)+len(b))
		if (len(a)+1)*(2*width+1) > maxAlignment {
			return nil, false
		}
		script, edits := searchBand(a, b, width)
		if edits <= width || width == len(a)+len(b) {
			return script, true
		}
	}
}

// searchBand finds the best script whose insertions and removals never differ by more than width. Cell (i, k) of the
// table has the last edit of the best script from a[:i] to b[:k]; a row has the cells with |i-k| ≤ width.
func searchBand(a, b []Step, width int) (script []edit, edits int) {
	columns := 2*width + 1
	table := make([]edit, (len(a)+1)*columns)
	last, row := make([]int, columns), make([]int, columns)
	for i := 0; i <= len(a); i++ {
		for c := range columns {
			k := i - width + c
			if row[c] = unreachable; k < 0 || k > len(b) {
				continue
			}
			best, by := unreachable, keep
			if i == 0 && k == 0 {
				best = 0
			}
			if i > 0 && k > 0 {
				if cost, e := pair(&a[i-1], &b[k-1]); cost < oneEdit*2 && last[c]+cost < best {
					best, by = last[c]+cost, e
				}
			}
			if c > 0 && k > 0 && row[c-1]+oneEdit < best {
				best, by = row[c-1]+oneEdit, add
			}
			if i > 0 && c+1 < columns && last[c+1]+oneEdit < best {
				best, by = last[c+1]+oneEdit, remove
			}
			row[c], table[i*columns+c] = best, by
		}
		last, row = row, last
	}
	total := last[len(b)-len(a)+width]
	for i, k := len(a), len(b); i > 0 || k > 0; {
		e := table[i*columns+k-i+width]
		script = append(script, e)
		if e != add {
			i--
		}
		if e != remove {
			k--
		}
	}
	slices.Reverse(script)
	return script, total / oneEdit
}

// pair returns the cost of keeping or changing a step. Steps with other names cannot become each other.
func pair(a, b *Step) (cost int, e edit) {
	switch {
	case a.key == b.key:
		return 0, keep
	case a.level != b.level || a.Type != b.Type || a.Name != b.Name:
		return oneEdit * 2, change
	case a.short == b.short:
		return oneEdit, change
	}
	return oneEdit + otherArgs, change
}

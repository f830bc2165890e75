package stream_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// spell names what a list holds, in its order.
func spell(list []finding.Finding) (out []string) {
	for _, f := range list {
		out = append(out, fmt.Sprint(f.File, f.Line, f.Column, f.Rule, f.Severity))
	}
	return out
}

// byPlace puts findings in order: those about other files last.
func byPlace(list []finding.Finding) {
	slices.SortStableFunc(list, func(a, b finding.Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), finding.Compare(a, b), cmp.Compare(a.Severity, b.Severity))
	})
}

// firstOf returns the naive answer: all findings in order, the first most errors and the
// first most others of them.
func firstOf(list []finding.Finding, most int) (kept []finding.Finding) {
	all := slices.Clone(list)
	byPlace(all)
	var made [2]int
	for _, f := range all {
		class := 0
		if f.Severity == finding.Error {
			class = 1
		}
		if made[class]++; made[class] <= most {
			kept = append(kept, f)
		}
	}
	return kept
}

// TestFirstByPlace checks that the first findings by place are kept, in whatever order they come and however they are
// spread over blocks; all are counted, and those that a caller leaves out would not be kept.
func TestFirstByPlace(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 2_000 {
		most := 1 + random.IntN(6)
		var all []finding.Finding
		var count [3]int
		for range random.IntN(40) {
			f := finding.Finding{
				Rule: string(rune('a' + random.IntN(3))), Severity: finding.Severity(random.IntN(3)),
				Line: random.IntN(9), Column: random.IntN(9), File: []string{"", "", "", "plan.json"}[random.IntN(4)],
			}
			count[f.Severity]++
			all = append(all, f)
		}
		want := spell(firstOf(all, most))
		for _, structural := range []bool{false, true} {
			want := want
			if structural {
				errors := slices.Clone(all)
				for i := range errors {
					errors[i].Severity = finding.Error
				}
				want = spell(firstOf(errors, most))
			}
			random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			c, block := stream.NewFindings(most), stream.NewFindings(most)
			for _, f := range all {
				into := []*stream.Findings{c, block}[random.IntN(2)]
				switch {
				case structural && f.File == "" && f.Column > 0 && into.FullOfRejections(stream.Line{Number: f.Line}, f.Column-1):
					into.CountRejection()
				case structural:
					into.Reject(f)
				case f.File == "" && f.Column > 0 && into.Full(f.Severity, stream.Line{Number: f.Line}, f.Column-1):
					into.Count(f.Severity, 1)
				default:
					into.Add(f)
				}
				if random.IntN(5) == 0 {
					c.Merge(block)
				}
			}
			c.Merge(block)
			list, info, warnings, errors := c.Close()
			if got := spell(list); !slices.Equal(got, want) {
				t.Fatalf("of %d findings with room for %d:\ngot  %q\nwant %q", len(all), most, got, want)
			}
			if got := [3]int{info, warnings, errors}; !structural && got != count || errors+warnings+info != len(all) {
				t.Fatalf("counted %d, want %d", got, count)
			}
		}
	}
}

// TestEmitKeepsOrder: what goes out of a block is in file order, and all that is kept
// in the end has gone out once.
func TestEmitKeepsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for range 500 {
		most := 1 + random.IntN(5)
		c := stream.NewFindings(most)
		var out, block []finding.Finding
		c.Emit = func(f finding.Finding, _ bool) { block = append(block, f) }
		for i := range random.IntN(30) {
			c.Add(finding.Finding{Rule: fmt.Sprint("r", i), Severity: finding.Severity(random.IntN(3)), Line: 1 + random.IntN(20)})
			if random.IntN(4) > 0 {
				continue
			}
			c.Close()
			if ordered := slices.Clone(block); true {
				byPlace(ordered)
				if !slices.Equal(spell(ordered), spell(block)) {
					t.Fatalf("out went %q", spell(block))
				}
			}
			out, block = append(out, block...), nil
		}
		list, _, _, _ := c.Close()
		seen := map[string]int{}
		for _, s := range spell(append(out, block...)) {
			seen[s]++
		}
		for _, s := range spell(list) {
			if seen[s] != 1 {
				t.Fatalf("%s went out %d times", s, seen[s])
			}
		}
	}
}

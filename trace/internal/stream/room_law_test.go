package stream_test

import (
	"cmp"
	"slices"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// ofLog is a finding about one of several logs that share a room.
type ofLog struct {
	finding.Finding
	log        int
	structural bool
}

// naiveRoom says which findings are kept of those that came so far: of the errors and of the notes of
// each stage the first by their lines in the input, whichever log they are about.
func naiveRoom(all []ofLog, most int, begins []int) (kept []ofLog) {
	all = slices.Clone(all)
	line := func(f ofLog) int { return cmp.Or(f.Line, begins[f.log]) }
	slices.SortStableFunc(all, func(a, b ofLog) int {
		return cmp.Or(cmp.Compare(line(a), line(b)), cmp.Compare(a.log, b.log), finding.Compare(a.Finding, b.Finding))
	})
	type class struct{ structural, isError bool }
	made := map[class]int{}
	for _, f := range all {
		if c := (class{f.structural, f.Severity == finding.Error}); made[c] < most {
			made[c]++
			kept = append(kept, f)
		}
	}
	return kept
}

// TestRoomOfFindings checks that the logs that share a limit together keep the first findings by place, and each
// counts its own. A caller is informed of a finding that would only be counted if the space ends on an earlier line.
func TestRoomOfFindings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(0, 4).Draw(t, "most")
		begins := rapid.SliceOfN(rapid.IntRange(1, 6), 1, 3).Draw(t, "first lines")
		room := stream.NewRoom(most)
		var logs []*stream.Findings
		for i, line := range begins {
			logs = append(logs, room.Findings(i, line))
		}
		var all []ofLog
		for i := range rapid.IntRange(0, 30).Draw(t, "findings") {
			f := ofLog{
				finding.Finding{
					Rule: string(rune('a' + i)), Severity: rapid.SampledFrom([]finding.Severity{finding.Info, finding.Warning, finding.Error}).Draw(t, "severity"),
					Line: rapid.IntRange(0, 9).Draw(t, "line"), Column: rapid.IntRange(1, 3).Draw(t, "column"),
				},
				rapid.IntRange(0, len(logs)-1).Draw(t, "log"), rapid.Bool().Draw(t, "structural"),
			}
			if f.structural {
				f.Severity = finding.Error
			}
			log, line := logs[f.log], stream.Line{Number: f.Line}
			full, count, add := log.FullOfRejections(line, 0), log.CountRejection, log.Reject
			if !f.structural {
				full, add = log.Full(f.Severity, line, 0), log.Add
				count = func() { log.Count(f.Severity, 1) }
			}
			var last []ofLog // that are kept of its kind
			for _, k := range naiveRoom(all, most, begins) {
				if k.structural == f.structural && (k.Severity == finding.Error) == (f.Severity == finding.Error) {
					last = append(last, k)
				}
			}
			wantFull := most == 0
			if n := len(last); n > 0 && n == most {
				wantFull = cmp.Or(last[n-1].Line, begins[last[n-1].log]) < f.Line
			}
			if full != wantFull {
				t.Fatalf("full on line %d: %v, kept are %v", f.Line, full, last)
			}
			if all = append(all, f); full {
				count()
			} else {
				add(f.Finding)
			}
		}
		for i, log := range logs {
			var want []finding.Finding
			var count [2][3]int
			for _, f := range all {
				if f.log == i {
					stage := 1
					if f.structural {
						stage = 0
					}
					count[stage][f.Severity]++
				}
			}
			rejected := count[0][finding.Error] > 0
			for _, f := range naiveRoom(all, most, begins) {
				if f.log == i && (f.structural || !rejected) {
					want = append(want, f.Finding)
				}
			}
			slices.SortStableFunc(want, finding.Compare)
			resumed := room.Findings(i, begins[i]) // knows of the log what was counted
			resumed.Recount(log.Counts())
			got, info, warnings, errors := resumed.Close()
			if d := diff.Diff(want, got); d != "" || log.Counts() != count {
				t.Fatalf("log %d (-naive +got), counted %v of %v:\n%s", i, log.Counts(), count, d)
			}
			told := count[0]
			if !rejected {
				told = count[1]
			}
			if told != [3]int{info, warnings, errors} {
				t.Fatalf("log %d tells of %d, %d and %d, want %v", i, info, warnings, errors, told)
			}
		}
	})
}

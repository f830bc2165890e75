package trace_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// judgement is what is said of events, their places in a file left out.
type judgement struct {
	Verdict   trace.Verdict
	Integrity trace.Integrity
	Class     trace.EvidenceClass
	Family    trace.Family
	Head      string
	Profiles  []string
	Counts    [3]int64 // events, headers, unreadable records
	Findings  []string // rule, severity, event and member, in order
	Damage    []string // kind and count
	Uncovered []string
}

func judgementOf(tb testing.TB, s subject) judgement {
	tb.Helper()
	opt := s.opt
	opt.Name, opt.Jobs, opt.Limits.Findings = "x", 1, 1<<20
	if s.files != nil {
		opt.Reasoning.Run = s.files
	}
	r, err := trace.Verify(tb.Context(), strings.NewReader(s.log), opt)
	if err != nil {
		tb.Fatal(err)
	}
	j := judgement{
		Verdict: r.Verdict, Integrity: r.Integrity, Class: r.EvidenceClass, Family: r.Family, Head: r.Head, Profiles: r.Canonicalization,
		Counts: [3]int64{r.Events, r.Header, r.Unreadable}, Uncovered: r.NotCovered,
	}
	for _, f := range r.Findings {
		event := "-"
		if f.Index != nil {
			event = fmt.Sprint(*f.Index)
		}
		j.Findings = append(j.Findings, fmt.Sprint(f.Rule, " ", f.Severity, " ", event, " ", f.Path))
	}
	slices.Sort(j.Findings)
	for _, d := range r.Damage {
		j.Damage = append(j.Damage, fmt.Sprint(d.Kind, " ", d.Count))
	}
	return j
}

// recordsOf returns the records of a log of lines; ok is false if one of them is not JSON, because no array can
// contain it.
func recordsOf(log string) (list []string, ok bool) {
	for line := range strings.SplitSeq(log, "\n") {
		line = strings.Trim(line, " \t\r")
		if line == "" {
			continue
		}
		if !json.Valid([]byte(line)) {
			return nil, false
		}
		list = append(list, line)
	}
	return list, len(list) > 0
}

// sameJudgement demands one judgement on records as lines and as an array, in a layout of
// any white space. It says whether the records are an array at all.
func sameJudgement(tb testing.TB, s subject, random *rand.Rand) bool {
	tb.Helper()
	records, ok := recordsOf(s.log)
	if !ok || isLayoutOfAnArray(records) {
		return false
	}
	want := fmt.Sprintf("%+v", judgementOf(tb, s))
	for range 2 {
		array := s
		if array.log = strings.TrimPrefix(layouts(random, records), "\ufeff"); !json.Valid([]byte(array.log)) {
			continue // lines again
		}
		if got := fmt.Sprintf("%+v", judgementOf(tb, array)); got != want {
			tb.Fatalf("%s:\nas lines    %s\nas an array %s\n%.3000s", s.name, want, got, array.log)
		}
	}
	return true
}

// isLayoutOfAnArray reports whether a file of records as lines would be read as an array: its
// first record is one, or holds one as "events".
func isLayoutOfAnArray(records []string) bool {
	var first map[string]json.RawMessage
	if json.Unmarshal([]byte(records[0]), &first) != nil {
		return strings.HasPrefix(records[0], "[")
	}
	return strings.HasPrefix(string(first["events"]), "[")
}

// alteredLines are lines with a change that leaves each of them JSON: other values,
// members gone, lines moved, repeated, removed.
func alteredLines(random *rand.Rand, lines []string) []string {
	lines = slices.Clone(lines)
	for range 1 + random.IntN(3) {
		i, j := random.IntN(len(lines)), random.IntN(len(lines))
		switch random.IntN(7) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines = slices.Insert(lines, i, lines[j])
		case 2:
			if len(lines) > 1 {
				lines = slices.Delete(lines, i, i+1)
			}
		case 3:
			lines = slices.Insert(lines, i, []string{"7", "[]", `"x"`, "null", "{}", `{"a":1,"a":2}`, `{"a":"\ud800"}`, `{"a":1e999}`}[random.IntN(8)])
		default: // a character becomes another, if the line stays JSON
			if lines[i] == "" {
				continue
			}
			at := random.IntN(len(lines[i]))
			other := lines[i][:at] + string("019afz\"{,:"[random.IntN(10)]) + lines[i][at+1:]
			if json.Valid([]byte(other)) {
				lines[i] = other
			}
		}
	}
	return lines
}

// TestLinesAndArray: the same events as lines and as an array have one verdict and one set
// of findings, their places in the file apart.
func TestLinesAndArray(t *testing.T) {
	compared, step := map[trace.Family]int{}, racetest.Step(t)
	check := func(s subject, random *rand.Rand) {
		s.opt = options(random)
		s.opt.Sum, s.opt.ExpectSHA256 = false, "" // of other bytes
		if sameJudgement(t, s, random) {
			compared[judgementOf(t, s).Family]++
		}
	}
	for i, s := range wholeLogs(t) {
		whole := s.log
		for round := 0; round < 8; round += step {
			random := rand.New(rand.NewPCG(uint64(i), uint64(round)))
			if records, ok := recordsOf(whole); ok && round > 0 {
				s.log = strings.Join(alteredLines(random, records), "\n")
			}
			check(s, random)
		}
	}
	for i := range 100 {
		random := rand.New(rand.NewPCG(uint64(i), 17))
		family := sessiontest.Families[i%len(sessiontest.Families)]
		lines := sessiontest.Arbitrary(random, family, "5e551017")
		lines = sessiontest.Damage(random, lines, sessiontest.Arbitrary(random, family, "07e20000"))
		check(subject{name: family, log: strings.Join(lines, "\n")}, random)
	}
	for _, family := range []trace.Family{trace.Reasoning, trace.SessionV0, trace.SessionV1, trace.SessionV1B, trace.SessionBare} {
		if compared[family] < 15 && step == 1 || compared[family] == 0 {
			t.Errorf("only %d logs of the family %q were compared", compared[family], family)
		}
	}
	t.Logf("compared: %v", compared)
	if os.Getenv("CUPEL_VECTORS") == "" && compared[trace.Reasoning] < 50/step {
		t.Errorf("only %d runs were compared", compared[trace.Reasoning])
	}
}

// FuzzLinesAndArray is TestLinesAndArray on any log.
func FuzzLinesAndArray(f *testing.F) { // slow: whole engines beside each other
	for i, s := range racetest.Some(f, wholeLogs(f)) {
		if len(s.log) < 16<<10 {
			f.Add(s.log, uint64(i))
		}
	}
	for _, log := range manyFindings(1_100) {
		f.Add(log, uint64(1))
	}
	files, _ := inMemory(nil)
	f.Fuzz(func(t *testing.T, log string, seed uint64) {
		if len(log) > 1<<20 {
			return
		}
		random := rand.New(rand.NewPCG(seed, 5))
		s := subject{name: "fuzzed", log: log, files: files.MapFS, opt: options(random)}
		s.opt.Sum, s.opt.ExpectSHA256 = false, ""
		sameJudgement(t, s, random)
		if records, ok := recordsOf(log); ok {
			s.log = strings.Join(alteredLines(random, records), "\n")
			sameJudgement(t, s, random)
		}
	})
}

package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// pieces summarises each stretch of a log between the given offsets, once.
func pieces(t testing.TB, log string, ends []int, opt trace.Options) *trace.Summary {
	t.Helper()
	p, err := trace.Open(strings.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	all := &trace.Summary{}
	start := 0
	for _, end := range append(slices.Clone(ends), len(log)) {
		one, err := trace.Summarize(t.Context(), strings.NewReader(log), trace.Range{Start: int64(start), End: int64(end)}, p, opt)
		if err == nil {
			err = all.Merge(one)
		}
		if err != nil {
			t.Fatal(err)
		}
		start = end
	}
	return all
}

// sameReport holds that a log in ranges gives the report of the log in one piece.
func sameReport(t testing.TB, name, log string, ends []int, want []byte, opt trace.Options) {
	t.Helper()
	report, err := pieces(t, log, ends, opt).Report(t.Context(), strings.NewReader(log), opt)
	if err != nil {
		t.Fatalf("%s, cut at %d, %v\n%.2000s", name, ends, err, log)
	}
	got, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s, cut at %d, limits %+v: another report (%s)\n%.2000s", name, ends, opt.Limits, firstDifference(want, got), log)
	}
}

// whole is the report on a log in one piece.
func whole(t testing.TB, log string, opt trace.Options) []byte {
	t.Helper()
	report, err := trace.Verify(t.Context(), strings.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// lineEnds are the offsets at which the lines of a log end, but the last.
func lineEnds(log string) (ends []int) {
	for i := range len(log) - 1 {
		if log[i] == '\n' {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// joined makes a log of lines, whose ends and blanks are of all kinds.
func joined(random *rand.Rand, lines []string) string {
	var b strings.Builder
	crlf, odd := random.IntN(6) == 0, random.IntN(3) == 0
	for i, line := range lines {
		b.WriteString(line)
		switch {
		case i == len(lines)-1 && random.IntN(3) == 0:
		case crlf:
			b.WriteString("\r\n")
		default:
			b.WriteByte('\n')
		}
		if odd && random.IntN(9) == 0 {
			b.WriteString([]string{"\n", " \r\n", "{\n", "\ufeff\n"}[random.IntN(4)])
		}
	}
	return b.String()
}

// optionsOf are options that a summary must not change the meaning of.
func optionsOf(random *rand.Rand) trace.Options {
	opt := trace.Options{Name: "x", Jobs: 1, Limits: trace.Limits{Findings: []int{0, 0, 1, 2, 5}[random.IntN(5)], IDs: []int{0, 0, 1, 3, 8}[random.IntN(5)]}}
	opt.Session.StrictPayload, opt.Session.IntegrityOnly = random.IntN(5) == 0, random.IntN(5) == 0
	if random.IntN(3) == 0 {
		opt.Session.HMACKey = []byte("k")
	}
	if count := int64(random.IntN(30)); random.IntN(5) == 0 {
		opt.Session.ExpectCount = &count
	}
	return opt
}

// TestSummaryOfDamage cuts damaged logs of every family after each of their lines, after
// every line, and anywhere.
func TestSummaryOfDamage(t *testing.T) {
	ways := 0
	samples(140/racetest.Step(t), func(s sample) {
		random := rand.New(rand.NewPCG(uint64(ways), 18))
		log, opt := joined(random, s.lines), optionsOf(random)
		if _, err := trace.Open(strings.NewReader(log), opt); err == trace.ErrArray {
			return
		}
		want, ends := whole(t, log, opt), lineEnds(log)
		sameReport(t, s.name, log, nil, want, opt)
		sameReport(t, s.name, log, ends, want, opt)
		ways += 2
		for _, end := range ends {
			sameReport(t, s.name, log, []int{end}, want, opt)
			ways++
		}
		for range 3 {
			cuts := []int{random.IntN(len(log)), random.IntN(len(log)), random.IntN(len(log))}
			slices.Sort(cuts)
			sameReport(t, s.name, log, cuts, want, opt)
			ways++
		}
	})
	t.Logf("%d ways", ways)
}

// moved is a log of which stretches were moved, repeated, removed and taken from another
// log, so that what is astray goes on over whole runs.
func moved(random *rand.Rand, lines, other []string) []string {
	lines = slices.Clone(lines)
	for range 1 + random.IntN(3) {
		n := len(lines)
		i := random.IntN(n)
		j := min(n, i+1+random.IntN([]int{3, 100, 300}[random.IntN(3)]))
		stretch := slices.Clone(lines[i:j])
		switch random.IntN(5) {
		case 0: // later or earlier
			lines = slices.Delete(lines, i, j)
			lines = slices.Insert(lines, random.IntN(len(lines)+1), stretch...)
		case 1:
			lines = slices.Insert(lines, random.IntN(n+1), stretch...)
		case 2:
			if lines = slices.Delete(lines, i, j); len(lines) == 0 {
				lines = stretch
			}
		case 3:
			k := random.IntN(len(other))
			lines = slices.Insert(lines, i, other[k:min(len(other), k+1+random.IntN(200))]...)
		default:
			lines[i] = edit(random, lines[i])
		}
	}
	return lines
}

// edit changes one letter of an event.
func edit(random *rand.Rand, line string) string {
	e := [][2]string{{`"again"`, `"Again"`}, {`-03-0`, `-02-0`}, {`"TOOL_CALL"`, `"TOOL_RESULT"`}, {`"event_hash":"`, `"event_hash":"0`}, {`"payload":{`, `"payload":{"odd":null,`}}[random.IntN(5)]
	return strings.Replace(line, e[0], e[1], 1)
}

// toolLog returns the lines of a log of calls and results.
func toolLog(family, session string, n int) (lines []string) {
	l := sessiontest.NewLog(family)
	l.Session = session
	lines = append(lines, l.Event("SESSION_START", `{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1"}`))
	for i := len(lines); i < n; i++ {
		if i%3 == 2 {
			lines = append(lines, l.Event("TOOL_RESULT", fmt.Sprintf(`{"tool_name":"t","tool_id":"i%d","result":"again","status":"success","duration_ms":1}`, i-1-i%7/6)))
			continue
		}
		lines = append(lines, l.Event("TOOL_CALL", fmt.Sprintf(`{"tool_name":"t","tool_id":"i%d","args":{"q":"again"}}`, i)))
	}
	return append(lines, l.Event("SESSION_END", `{"status":"success","duration_ms":9}`), l.Seal())
}

// TestSummaryOfRuns cuts long logs whose stretches stand in the wrong place anywhere.
func TestSummaryOfRuns(t *testing.T) {
	for i, family := range sessiontest.Families {
		lines, other := toolLog(family, "5e551017", 400), toolLog(family, "07e20000", 300)
		for k := range 15 / racetest.Step(t) {
			random := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			log := strings.Join(moved(random, lines, other), "\n") + "\n"
			opt := trace.Options{Name: "x", Jobs: 1, Limits: trace.Limits{Findings: []int{0, 0, 3}[random.IntN(3)]}}
			want := whole(t, log, opt)
			sameReport(t, family, log, nil, want, opt)
			for range 3 {
				cuts := []int{random.IntN(len(log)), random.IntN(len(log)), random.IntN(len(log))}
				slices.Sort(cuts)
				sameReport(t, family, log, cuts[:1+random.IntN(3)], want, opt)
			}
		}
	}
}

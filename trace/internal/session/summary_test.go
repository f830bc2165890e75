package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// pieces summarizes each stretch of a log between the given offsets, once.
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

// whole returns the report on a log in one piece.
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

// lineEnds returns the offsets at which the lines of a log end, but the last.
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

// moved returns a log of which stretches were moved, repeated, removed and taken from another
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

// TestSummaryOfRuns cuts long logs with misplaced stretches anywhere.
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

// oddLogs returns logs whose summaries contain rare data: texts that are too long to keep, blocks of few events,
// numbers at their end, events without numbers, ids and clocks that come and go, a byte order mark, losses before the
// first record.
func oddLogs() map[string][]string {
	list := map[string][]string{}
	long := strings.Repeat("é", 700)
	for _, family := range sessiontest.Families {
		lines := toolLog(family, "5e551017", 12)
		list[family+", a long session"] = toolLog(family, "5e551017"+long, 12)
		list[family+", a long hash"] = replaced(lines, 4, `"event_hash":"`, `"event_hash":"`+long)
		list[family+", a hash in escapes"] = replaced(lines, 4, `"event_hash":"`, `"event_hash":"\u0030`)
		list[family+", long lines"] = replaced(replaced(toolLog(family, "5e551017", 40), -1, `"again"`, `"`+strings.Repeat("again", 1_200)+`"`), 20, `"TOOL_RESULT"`, `"TOOL_CALL"`)
		list[family+", without numbers"] = replaced(replaced(lines, -1, `"sequence_number":`, `"odd":`), 3, `"odd":`, `"sequence_number":`)
		list[family+", losses first"] = append([]string{"{", "{}{}", "\ufeff", "{", "[1]"}, lines...)
		for _, lost := range []string{"{", "no json", `{"odd":1}`, "{}{}{}"} {
			many := slices.Repeat([]string{lost}, 1_500)
			list[family+", many times "+lost] = slices.Concat(lines[:5], many, []string{""}, many[:3], lines[5:], many[:2])
		}
		list[family+", other members"] = replaced(lines, -1, `"payload":`, `"mood":1,"`+long+`":2,"payload":`)
		list[family+", the same event again and again"] = slices.Repeat(lines[3:4], 70)
		list[family+", clocks"] = replaced(replaced(replaced(lines, 5, `"timestamp_wall":"2026`, `"timestamp_monotonic":5,"timestamp_wall":"x2026`), 7, `:"2026`, `:"2025`), 9, `:"2026`, `:"y2026`)
		list[family+", long authorities"] = replaced(replaced(lines, -1, `"chain_authority":"server"`, `"chain_authority":"agentops-ingest-`+long+`"`), 6, "agentops", `\u0061gentops`)
		l := sessiontest.NewLog(family)
		l.Number = 1<<64 - 9
		var last []string
		for range 12 {
			last = append(last, l.Event("TOOL_CALL", `{"tool_name":"t","tool_id":"i","args":{}}`))
		}
		list[family+", the last numbers"] = append(last, l.Seal(), l.Event("LOG_DROP", `{}`), l.Event("LOG_DROP", `{}`), l.Seal())
	}
	return list
}

// replaced replaces a text in one line of a log, or with -1 in all of them.
func replaced(lines []string, only int, old, by string) []string {
	lines = slices.Clone(lines)
	for i := range lines {
		if only < 0 || i == only {
			lines[i] = strings.Replace(lines[i], old, by, 1)
		}
	}
	return lines
}

// TestSummaryOfOddLogs cuts each after all of its lines, and after some, unchanged and with valid hashes.
func TestSummaryOfOddLogs(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 4))
	logs := oddLogs()
	for _, name := range racetest.Some(t, slices.Sorted(maps.Keys(logs))) {
		lines := logs[name]
		for _, opt := range []trace.Options{{Name: "x", Jobs: 1}, {Name: "x", Jobs: 1, Limits: trace.Limits{Findings: 2, IDs: 3}}} {
			log := strings.Join(lines, "\n") + "\n"
			want, ends := whole(t, log, opt), lineEnds(log)
			sameReport(t, name, log, nil, want, opt)
			if len(ends) < 100 {
				sameReport(t, name, log, ends, want, opt)
			}
			for range 3 {
				sameReport(t, name, log, []int{ends[random.IntN(len(ends))]}, want, opt)
			}
		}
	}
}

// TestSummaryOfChangedLog: a line that a finding shows, and that is another one now, is an
// error.
func TestSummaryOfChangedLog(t *testing.T) {
	lines := toolLog("session-v0", "5e551017", 30)
	lines = append(lines[:20], append([]string{lines[5]}, lines[20:]...)...)
	log, opt := strings.Join(lines, "\n")+"\n", trace.Options{Name: "x", Jobs: 1}
	made := pieces(t, log, []int{len(log) / 2}, opt)
	if _, err := made.Report(t.Context(), strings.NewReader(log), opt); err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(log, lines[5]+"\n"+lines[20+1], strings.Replace(lines[5], `"event_hash":"`, `"event_hash":"0`, 1)[:len(lines[5])]+"\n"+lines[20+1], 1)
	if _, err := made.Report(t.Context(), strings.NewReader(changed), opt); err == nil || !strings.Contains(err.Error(), "line 21: the log changed since it was summarized") {
		t.Errorf("%v", err)
	}
}

// TestSummaryOfIntactLogIsSmall: what is remembered of an intact log does not grow with it.
func TestSummaryOfIntactLogIsSmall(t *testing.T) {
	size := func(n int) int {
		log := strings.Join(toolLog("session-v0", "5e551017", n), "\n") + "\n"
		text, err := pieces(t, log, nil, trace.Options{}).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return len(text)
	}
	if few, many := size(100), size(900); many > few+20 || many > 2_500 {
		t.Errorf("%d bytes of 100 events, %d of 900", few, many)
	}
}

package trace_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/trace"
)

// The values of a line, and the places where an object begins.
var (
	quotedText  = regexp.MustCompile(`"[^"\\]*"`)
	wholeText   = regexp.MustCompile(`:"[^"\\]*"`)
	wholeNumber = regexp.MustCompile(`[:\[,]-?[0-9]+`)
	opening     = regexp.MustCompile(`\{"`)
)

// replaced replaces one place of a text that a pattern finds.
func replaced(random *rand.Rand, pattern *regexp.Regexp, text string, other func(found string) string) string {
	places := pattern.FindAllStringIndex(text, -1)
	if len(places) == 0 {
		return text
	}
	at := places[random.IntN(len(places))]
	return text[:at[0]] + other(text[at[0]:at[1]]) + text[at[1]:]
}

// oddLines are lines that a trace does not have, or has once.
var oddLines = []string{
	"", " ", "{", "[1]", "null", "\ufeff", `{"record":"x"}`, `{"record":7}`, `{"idx":1}`, `{"trace_schema_version":1}`, `{"trace_schema_version":2}`,
	`{"record":"trace_header","schema_version":1}`, `{"record":"trace_header","schema_version":1,"id":"trace_v1_","spec_id":"s","plan_id":"p","x":{}}`,
	`{"idx":3,"kind":"step_started","step_id":"s","schema_version":1}`, `{"idx":4,"kind":"step_started","step_id":"s","trace_schema_version":1,"é":0}`,
	`{"record":"trace_event","y":1,"event":{"idx":5,"kind":"step_started","step_id":"s","z":1}}`,
}

// altered changes a trace as someone does who means something by it: lines in another order,
// twice, missing or added, and values that are those of other places.
func altered(random *rand.Rand, log string) string {
	lines := strings.Split(log, "\n")
	texts := wholeText.FindAllString(log, -1)
	for range random.IntN(5) {
		i, j := random.IntN(len(lines)), random.IntN(len(lines))
		switch random.IntN(14) {
		default:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines = slices.Insert(lines, i, lines[j])
		case 2:
			if len(lines) > 1 {
				lines = slices.Delete(lines, i, i+1)
			}
		case 3:
			lines = slices.Insert(lines, i, oddLines[random.IntN(len(oddLines))])
		case 4:
			if len(texts) > 0 {
				lines[i] = replaced(random, wholeText, lines[i], func(string) string { return texts[random.IntN(len(texts))] })
			}
		case 5:
			lines[i] = replaced(random, wholeNumber, lines[i], func(n string) string {
				return n[:1] + []string{"-1", "0", "1", "7", "99999999999", "1.5", `"x"`}[random.IntN(7)]
			})
		case 6:
			lines[i] = replaced(random, opening, lines[i], func(string) string { return fmt.Sprintf(`{"m%d":1,"`, random.IntN(6)) })
		case 7:
			lines[i] = replaced(random, quotedText, lines[i], func(text string) string {
				return []string{`""`, `"claim"`, `"tool_call"`, `"evidence"`, `"assumed"`, `"[evidence:e1]"`, `"sha512"`, `"insufficient_evidence"`, "null", text[:1] + `\u0041` + text[1:]}[random.IntN(10)]
			})
		case 8:
			lines[i] += "\r"
		}
	}
	return strings.Join(lines, "\n")
}

// alteredFiles changes the companion files of a trace.
func alteredFiles(random *rand.Rand, files fstest.MapFS) fstest.MapFS {
	files = maps.Clone(files)
	names := slices.Sorted(maps.Keys(files))
	for range random.IntN(4) {
		name := names[random.IntN(len(names))]
		data := bytes.Clone(files[name].Data)
		switch random.IntN(4) {
		case 0:
			delete(files, name)
			names = slices.Sorted(maps.Keys(files))
			if len(names) == 0 {
				return files
			}
			continue
		case 1:
			data = append(data, "\r\n"...)
		case 2:
			data = data[:random.IntN(len(data)+1)]
		case 3:
			if len(data) > 0 {
				data[random.IntN(len(data))] ^= 1
			}
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return files
}

// traces returns reasoning traces with their companion files.
func traces(tb testing.TB) (list []subject) {
	tb.Helper()
	for _, s := range wholeLogs(tb) {
		if s.files != nil {
			list = append(list, s)
		}
	}
	for _, shape := range []reasoningtest.Shape{reasoningtest.Flat, reasoningtest.Wrapped} {
		files, log := inMemory(reasoningtest.Research(shape, 120).Files())
		list = append(list, subject{name: "run", log: string(log), files: files.MapFS})
	}
	return list
}

// partOptions are options that a log in parts can be read under.
func partOptions(random *rand.Rand, log string) trace.Options {
	opt := options(random)
	opt.Sum, opt.ExpectSHA256 = false, ""
	if random.IntN(3) == 0 {
		opt.Limits = beside(random, log)
	}
	if random.IntN(4) == 0 {
		opt.Reasoning.SchemaVersions = []int64{1, 2}
	}
	return opt
}

// TestSummaryOfAlteredTraces cuts changed traces with their companion files.
func TestSummaryOfAlteredTraces(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 3))
	said := map[string]int{}
	all := traces(t)
	for range racetest.Some(t, make([]struct{}, 700)) {
		s := all[random.IntN(len(all))]
		if len(s.log) > 40<<10 {
			continue
		}
		if random.IntN(3) > 0 {
			s.log = altered(random, s.log)
		} else {
			s.log = spoilt(random, s.log)
		}
		s.files, s.opt = alteredFiles(random, s.files), partOptions(random, s.log)
		said[verdictOf(s.answer(t, way{jobs: 1, log: atOnce, files: inMemoryAt}))]++
		sameInParts(t, random, s, 2)
	}
	t.Logf("%v", said)
}

// TestSummaryAtEveryLine cuts a trace between any two lines, and into all its lines.
func TestSummaryAtEveryLine(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 4))
	for _, shape := range []reasoningtest.Shape{reasoningtest.Flat, reasoningtest.Wrapped} {
		files, log := inMemory(reasoningtest.Incident(shape).Files())
		s := subject{name: "incident", log: string(log), files: files.MapFS}
		s.opt.Reasoning.CheckIDs = true
		want := s.answer(t, way{jobs: 1, log: atOnce, files: inMemoryAt})
		var all []trace.Range
		for at := int64(0); at < int64(len(log)); {
			end := at + int64(bytes.IndexByte(log[at:], '\n')) + 1
			all = append(all, trace.Range{Start: at, End: end})
			for _, ranges := range [][]trace.Range{{{End: end}, {Start: end, End: int64(len(log))}}} {
				if got := s.inParts(t, random, ranges); got != want {
					t.Fatalf("cut at byte %d:\n%s\nin one piece:\n%s", end, got, want)
				}
			}
			at = end
		}
		if got := s.inParts(t, random, all); got != want {
			t.Fatalf("line by line:\n%s\nin one piece:\n%s", got, want)
		}
	}
}

// TestHostileRanges checks that the column of a range is at most a few times as long as the range, whatever its lines
// contain.
func TestHostileRanges(t *testing.T) {
	header := `{"record":"trace_header","schema_version":1,"id":"x"}` + "\n"
	event := func(kind, detail string) string {
		return `{"record":"trace_event","event":{"idx":1,"kind":"` + kind + `","step_id":"s",` + detail + `}}` + "\n"
	}
	claim := func(statement, supports string) string {
		return event("claim_emitted", `"claim":{"statement":"`+statement+`","supports":[`+supports+`]}`)
	}
	var members strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&members, `,"m%x":0`, i)
	}
	for name, line := range map[string]string{
		"short lines":      strings.Repeat(event("step_started", `"a":0`), 1_000),
		"unknown members":  event("step_started", `"a":0`+members.String()),
		"listed ids":       event("step_finished", `"output":{"type":"derive","claim_ids":["a"`+strings.Repeat(`,"b"`, 20_000)+`]}`),
		"loose markers":    claim(strings.Repeat("[evidence:]", 10_000), ""),
		"supports":         claim("", strings.Repeat(`{"span":[0,1],"snippet_sha256":"x"},`, 5_000)+`{"span":[0,1],"snippet_sha256":"x"}`),
		"numbers":          event("tool_called", `"call":{"id":"c","arguments":{"a":[1e15`+strings.Repeat(",1e15", 20_000)+`]}}`),
		"escaped texts":    event("tool_called", `"call":{"id":"`+strings.Repeat(`\u0001`, 20_000)+`"}`),
		"headers":          strings.Repeat(header, 1_000),
		"headers and rest": strings.Repeat(header+event("step_started", `"schema_version":1`), 1_000),
	} {
		log := header + line
		s := subject{name: name, log: log, opt: trace.Options{Name: "x"}}
		p, err := trace.Open(strings.NewReader(log), s.opt)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := trace.Summarize(t.Context(), strings.NewReader(log), trace.Range{End: int64(len(log))}, p, s.opt)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, column := range sum.Columns() {
			size += len(column)
		}
		t.Logf("%s: %d bytes of %d, %.1f", name, size, len(log), float64(size)/float64(len(log)))
		if size > 6*len(log) {
			t.Errorf("%s: a column of %d bytes for a range of %d", name, size, len(log))
		}
		if got, want := s.inParts(t, rand.New(rand.NewPCG(1, 1)), []trace.Range{{End: int64(len(log))}}), s.answer(t, way{jobs: 1, log: atOnce, files: inMemoryAt}); got != want {
			t.Errorf("%s: %.300s\nin one piece: %.300s", name, got, want)
		}
	}
}

// FuzzParts checks the law of summaries on any input, with deliberate changes, and with a run's files.
func FuzzParts(f *testing.F) { // slow: runs several engines
	for i, s := range wholeLogs(f) {
		if len(s.log) < 16<<10 {
			f.Add(s.log, uint64(i))
		}
	}
	files, _ := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	f.Fuzz(func(t *testing.T, log string, seed uint64) {
		if len(log) > 64<<10 {
			return // it takes the fuzzer's time and shows nothing that a smaller one does not
		}
		random := rand.New(rand.NewPCG(seed, 8))
		s := subject{name: "fuzzed", log: altered(random, log), files: files.MapFS, opt: partOptions(random, log)}
		sameInParts(t, random, s, 2)
	})
}

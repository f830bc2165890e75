package trace_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace"
)

// inEqualRanges returns the bytes of a log in a number of ranges of about one length.
func inEqualRanges(size, number int) (list []trace.Range) {
	for i := range number {
		list = append(list, trace.Range{Start: int64(size * i / number), End: int64(size * (i + 1) / number)})
	}
	return list
}

// sameInRanges holds that a log in given ranges has the report of the log in one piece.
func sameInRanges(t *testing.T, random *rand.Rand, s subject, ranges []trace.Range) {
	t.Helper()
	want := s.answer(t, way{jobs: 1, log: atOnce, files: inMemoryAt})
	if got := s.inParts(t, random, ranges); got != want {
		t.Fatalf("%s, in ranges %v:\n%.2000s\nwant\n%.2000s", s.name, ranges, got, want)
	}
}

// TestRareRanges: ranges within one long line, of blank lines alone, of lines with every ending, and
// of lines above a limit that no line of the other ranges comes near give the report of the whole.
func TestRareRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 13))
	day := workingDays(t, 12, 1)
	lines := strings.SplitAfter(day, "\n")
	between := func(odd string) string { return strings.Join(lines[:6], "") + odd + strings.Join(lines[6:], "") }
	long := strings.Replace(lines[3], `"payload":{`, `"payload":{"more":"`+strings.Repeat("long ", 60_000)+`",`, 1)
	for name, log := range map[string]string{
		"one long line":           strings.TrimSuffix(long, "\n"),
		"a long line":             between(long),
		"blank lines":             between(strings.Repeat("\n \n\r\n\t\n", 10_000)),
		"nothing but blank lines": strings.Repeat("\n \n\r\n\t\n", 10_000),
		"carriage returns":        strings.ReplaceAll(day, "\n", "\r\n"),
		"no line feed at the end": strings.TrimSuffix(day, "\n"),
		"nothing":                 "",
		"a deep line":             between(strings.Repeat("[", 60) + strings.Repeat("]", 60) + "\n"),
		"a line of many keys":     between(`{"a":{` + strings.TrimSuffix(numbered(`"k%d":0,`, 40), ",") + "}}\n"),
		"a line of many values":   between(`{"a":[` + strings.TrimSuffix(numbered("%d,", 300), ",") + "]}\n"),
	} {
		for _, limits := range []trace.Limits{{}, {LineBytes: 100_000, Depth: 50, Keys: 30, Values: 200}} {
			s := subject{name: name, log: log, opt: trace.Options{Limits: limits}}
			for _, number := range []int{1, 2, 9, 33} {
				sameInRanges(t, random, s, inEqualRanges(len(log), number))
			}
			sameInParts(t, random, s, 6)
		}
	}
}

// numbered returns a text for each number, one after another.
func numbered(form string, n int) (text string) {
	for i := range n {
		text += fmt.Sprintf(form, i)
	}
	return text
}

// TestMillionFaults: a log of 1,000,000 faults has one report, however it is cut.
func TestMillionFaults(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 12))
	n := 1_000_000 / racetest.Share(t, 5) / racetest.Step(t)
	for name, log := range map[string]string{
		"lines that nobody can read": workingDays(t, 2, 1) + strings.Repeat("{\n", n),
		"events with one number":     strings.Repeat(`{"event_type":"ERROR","sequence_number":1,"payload":{}}`+"\n", n),
	} {
		sameInRanges(t, random, subject{name: name, log: log}, inEqualRanges(len(log), 4))
	}
}

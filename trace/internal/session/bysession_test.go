package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// What a worker finds that does not know a session's first record yet, and takes it for one of
// another family or key, is in no report: neither in the session's nor, by memory that is used
// again, in that of another.
func TestSessionsForgetGuesses(t *testing.T) {
	event := func(session, kind, more string) string {
		return `{"session_id":"` + session + `","event_id":"e","event_type":"` + kind + `","timestamp":"","payload":{},"event_hash":""` + more + `}`
	}
	const v1b, v0 = `,"prev_hash":""`, `,"prev_event_hash":"","sequence_number":7`
	key := `{"sdk_public_key":"` + strings.Repeat("A", 43) + `="}`
	signed := v1b + `,"signature":"` + strings.Repeat("A", 86) + `=="`
	family := func(record strictjson.Node) string {
		switch {
		case record.Get("prev_hash").Exists():
			return session.V1B
		case record.Get("prev_event_hash").Exists():
			return session.V0
		}
		return ""
	}
	for name, second := range map[string]func(session string) (first, guessed string){
		"none of this package": func(s string) (string, string) { return `{"session_id":"` + s + `"}`, event(s, "LOG_DROP", v1b) },
		"another family":       func(s string) (string, string) { return event(s, "ERROR", v1b), event(s, "ERROR", v0) },
		"a key that is not its": func(s string) (string, string) {
			return event(s, "ERROR", v1b), strings.Replace(event(s, "SESSION_START", signed), `{}`, key, 1)
		},
	} {
		var lines []string
		for i := range 20 {
			first, guessed := second(fmt.Sprint("a", i))
			lines = append(lines, first, guessed)
			for k := range 10 { // read before one is put in order: they use all recycled memory
				lines = append(lines, event(fmt.Sprint("b", i, k), "SESSION_START", v1b))
			}
		}
		want, got := judged(t, lines, session.Options{}, family, func(*session.Sessions, int) bool { return true }),
			judged(t, lines, session.Options{}, family, func(_ *session.Sessions, i int) bool { return i%12 == 1 || i%12 == 11 })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the first record is of %s (-known -guessed):\n%.3000s", name, diff)
		}
	}
}

// TestSessionsPutAway: a session that is put away after any of its events goes on, when more of
// it comes, as if it had been there all the time.
func TestSessionsPutAway(t *testing.T) {
	check := func(s sample) {
		opt := session.Options{Keys: fixedKeys, HMACKey: []byte("k")}
		family := func(strictjson.Node) string { return s.family }
		each := func(*session.Sessions, int) bool { return true }
		want := judged(t, s.lines, opt, family, each)
		for _, often := range []int{1, 2} { // after each event, and after one in two
			random := rand.New(rand.NewPCG(uint64(len(s.lines)), 5))
			got := judged(t, s.lines, opt, family, func(all *session.Sessions, i int) bool {
				if random.IntN(often) == 0 {
					if err := all.PutAllAway(); err != nil {
						t.Fatal(err)
					}
				}
				return each(all, i)
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, after one event in %d (-there -away):\n%.3000s", s.name, often, diff)
			}
		}
	}
	samples(120/racetest.Step(t), check)
	inside := sessiontest.NewLog(session.V1B) // of no session but those that payloads name
	start := `{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1","session_id":"5e5510%d"}`
	check(sample{"sessions that payloads name", session.V1B, []string{inside.Event("SESSION_START", fmt.Sprintf(start, 1)), inside.Event("SESSION_START", fmt.Sprintf(start, 2))}})
	for _, family := range sessiontest.Families[:3] {
		lines := toolLog(family, "5e551017", 12)
		for i := range 8 { // two events that continue the same one; the log goes on from either
			beside := sessiontest.Rehash(strings.Replace(lines[i], `"again"`, `"Again"`, 1))
			check(sample{fmt.Sprint(family, " forked after line ", i), family, slices.Insert(slices.Clone(lines), i+1, beside)})
			check(sample{fmt.Sprint(family, " forked before line ", i), family, slices.Insert(slices.Clone(lines), i, beside)})
		}
		check(sample{family + ", edited in a row", family, replaced(lines, -1, `"again"`, `"Again"`)})
		check(sample{family + ", edited beside a link that is", family, linkedAnew(replaced(lines, 4, `"again"`, `"Again"`), 6)})
		check(sample{family + ", clocks that nobody can read", family, replaced(replaced(lines, -1, `:"2026`, `:"y2026`), -1, `"timestamp_wall"`, `"timestamp_monotonic":-1,"timestamp_wall"`)})
		check(sample{family + ", clocks that go back within a second", family, slowed(lines)})
		check(sample{family + ", a long session", family, toolLog(family, strings.Repeat("5e551017", 40), 12)})
		check(sample{family + ", a session that changes its name", family, replaced(toolLog(family, strings.Repeat("5e551017", 40), 12), 7, "5e551017", "07e20000")})
	}
}

// linkedAnew are lines of which one names a hash of no event as the one before it, and has hashes that hold.
func linkedAnew(lines []string, only int) []string {
	lines = slices.Clone(lines)
	lines[only] = sessiontest.Rehash(regexp.MustCompile(`(prev_(event_)?hash": ?")[0-9a-f]{8}`).ReplaceAllString(lines[only], "${1}00000000"))
	return lines
}

// slowed are lines each of which is a tenth of a second earlier than the one before.
func slowed(lines []string) []string {
	lines, seconds := slices.Clone(lines), regexp.MustCompile(`:\d\d(\.\d+)?Z"`)
	for i := range lines {
		lines[i] = seconds.ReplaceAllString(lines[i], fmt.Sprintf(`:30.%dZ"`, 9-i%10))
	}
	return lines
}

// judged is what is said of the sessions of a log, each of whose lines is read as a block. before
// says of a line whether all blocks so far are put in order before the next is read.
func judged(t *testing.T, lines []string, opt session.Options, family func(strictjson.Node) string, before func(all *session.Sessions, i int) bool) (list []string) {
	t.Helper()
	limits := stream.Limits{}.WithDefaults()
	all := session.NewSessions(limits, opt, family)
	var blocks []func() error
	for i, text := range lines {
		doc, err := limits.Scanner().Scan([]byte(text))
		if err != nil || !doc.Root().Is(strictjson.Object) {
			continue // of no session
		}
		w := all.Worker()
		w.Line(source.Line{Number: i + 1, Bytes: []byte(text), Size: int64(len(text)), Terminated: true}, doc)
		for blocks = append(blocks, w.Flush()); before(all, i) && len(blocks) > 0; blocks = blocks[1:] {
			if err := blocks[0](); err != nil {
				t.Fatal(err)
			}
		}
	}
	return reported(t, all)
}

// reported is what is said of the sessions of a log, at its end.
func reported(t rapid.TB, all *session.Sessions) (list []string) {
	t.Helper()
	for _, one := range all.List() {
		err := all.Visit(one, func() {
			said := one.ID + " " + one.Family
			if one.Family != "" {
				one.End()
				outcome, err := json.Marshal(one.Outcome(false))
				if err != nil {
					t.Fatal(err)
				}
				said += " " + string(outcome)
			}
			found, _, _, _ := one.Findings.Close()
			for _, f := range found {
				text, err := json.Marshal(f)
				if err != nil {
					t.Fatal(err)
				}
				said += "\n" + string(text)
			}
			list = append(list, said)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

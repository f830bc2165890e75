package naive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/internal/naive"
)

// verified returns a report in the naive checkers' words: its statements on the given rules,
// those about companion files on line 0.
func verified(t testing.TB, log []byte, rules []string, opt trace.Options) (*trace.Report, []naive.Statement) {
	t.Helper()
	opt.Name = "log"
	r, err := trace.Verify(context.Background(), bytes.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	var list []naive.Statement
	for _, f := range r.Findings {
		s := naive.Statement{Rule: f.Rule, Severity: f.Severity.String(), Line: f.Line}
		if strings.HasPrefix(f.Rule, "line.") {
			s.Rule = naive.Unreadable
		}
		if f.File != opt.Name {
			s.Line = 0
		}
		if slices.Contains(rules, s.Rule) {
			list = append(list, s)
		}
	}
	return r, naive.Sorted(list)
}

// sessionsAgree compares both answers on a session log; known is false for a log that
// the naive checker does not take.
func sessionsAgree(t testing.TB, log []byte) (difference string, known bool) {
	t.Helper()
	want, err := naive.Session(log, naive.Options{})
	if err != nil || isArray(log) {
		return "", false
	}
	r, got := verified(t, log, naive.SessionRules, trace.Options{})
	if string(r.Integrity) == want.Integrity && string(r.EvidenceClass) == want.Class && slices.Equal(got, want.Statements) {
		return "", true
	}
	return fmt.Sprintf("checker %s %s %v\nnaive   %s %s %v", r.Integrity, r.EvidenceClass, got, want.Integrity, want.Class, want.Statements), true
}

// sessionLogs returns the logs that the project ships, those of CUPEL_VECTORS, and generated
// ones.
func sessionLogs(t testing.TB) (logs [][]byte) {
	t.Helper()
	for _, folder := range []string{"../../../testdata/examples/session", os.Getenv("CUPEL_VECTORS") + "/session", os.Getenv("CUPEL_VECTORS") + "/session/*"} {
		files, err := filepath.Glob(folder + "/*.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			log, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			logs = append(logs, log)
		}
	}
	if os.Getenv("CUPEL_VECTORS") == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own logs")
	}
	if len(logs) < 5 {
		t.Fatalf("only %d logs were found", len(logs))
	}
	for i := range 40 {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		lines := sessiontest.Arbitrary(r, sessiontest.Families[i%len(sessiontest.Families)], "5e551017")
		logs = append(logs, []byte(strings.Join(lines, "\n")))
	}
	return logs
}

// TestSessions compares the answers on every log and on damaged copies of it.
func TestSessions(t *testing.T) {
	compared, step := 0, racetest.Step(t)
	for i, log := range racetest.Some(t, sessionLogs(t)) {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		for round := range 8 {
			if round > 0 {
				log = damaged(r, log)
			}
			if round%5 == 4 {
				log = respelled(r, log)
			}
			if difference, known := sessionsAgree(t, log); difference != "" {
				t.Fatalf("log %d, round %d:\n%s\n%s", i, round, difference, log)
			} else if known {
				compared++
			}
		}
	}
	if compared == 0 || step == 1 && compared < 200 {
		t.Fatalf("only %d logs were compared", compared)
	}
	t.Logf("%d logs compared", compared)
}

// TestSpellingOfSessions holds that escapes, the order of members, white space and the
// ends of lines change nothing, for either checker.
func TestSpellingOfSessions(t *testing.T) {
	compared := 0
	for i, log := range sessionLogs(t) {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		for round := range 3 {
			if round > 0 {
				log = damaged(r, log)
			}
			other := respelled(r, log)
			a, err := naive.Session(log, naive.Options{})
			b, err2 := naive.Session(other, naive.Options{})
			if err != nil || err2 != nil || isArray(log) {
				continue
			}
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Fatalf("log %d, round %d: naive %v, respelled %v\n%s", i, round, a, b, other)
			}
			x, before := verified(t, log, naive.SessionRules, trace.Options{})
			y, after := verified(t, other, naive.SessionRules, trace.Options{})
			if x.Verdict != y.Verdict || x.EvidenceClass != y.EvidenceClass || !slices.Equal(before, after) {
				t.Fatalf("log %d, round %d: %s %v, respelled %s %v\n%s", i, round, x.Verdict, before, y.Verdict, after, other)
			}
			compared++
		}
	}
	t.Logf("%d logs compared", compared)
}

// FuzzSessions looks for a log on which the answers differ.
func FuzzSessions(f *testing.F) { // slow: runs several engines
	for _, log := range sessionLogs(f) {
		if len(log) < 8<<10 {
			f.Add(log, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, log []byte, seed uint64) {
		if len(log) > 32<<10 || bytes.Count(log, []byte("[")) > 500 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 9))
		for _, l := range [][]byte{log, damaged(r, log), respelled(r, log)} {
			if difference, _ := sessionsAgree(t, l); difference != "" {
				t.Fatalf("%s\n%q", difference, l)
			}
		}
	})
}

// TestNoSession holds that other logs are not judged.
func TestNoSession(t *testing.T) {
	for _, log := range []string{"", "\n", `{"record":"trace_header"}`, `{"a":1}`, "{", `{"kind":"step_started"}`} {
		if _, err := naive.Session([]byte(log), naive.Options{}); !errors.Is(err, naive.ErrFamily) {
			t.Errorf("%q: %v", log, err)
		}
	}
	if _, err := naive.Session([]byte("[\n"+`{"event_type":"ERROR","payload":{}}`+"\n]"), naive.Options{}); !errors.Is(err, naive.ErrLayout) {
		t.Error(err)
	}
}

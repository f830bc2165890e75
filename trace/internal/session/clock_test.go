package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cupel-dev/cupel/trace"
)

// clockCase is one line of clocks.jsonl: a log, and what is said of its ids and times,
// as "severity line rule path [expected, found] <- cause".
type clockCase struct {
	damageCase
	Notes []string
}

// TestClocks edits the ids and times of a good log.
func TestClocks(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/trace/session/clocks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var c clockCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if c.Order == nil {
			c.Order = []int{1, 2, 3, 4, 5, 6, 7, 8}
		}
		r, err := trace.Verify(t.Context(), strings.NewReader(c.log(t)), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			if !strings.HasPrefix(f.Rule, "event.id_") && !strings.HasPrefix(f.Rule, "timestamp.") {
				continue
			}
			said := fmt.Sprintf("%s %d %s %s [%s, %s]", f.Severity, f.Line, f.Rule, f.Path, f.Expected, f.Found)
			if f.CausedBy != "" {
				said += " <- " + f.CausedBy
			}
			got = append(got, said)
		}
		if diff := cmp.Diff(c.Notes, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
		if want := trace.Verdict(c.Verdict); r.Verdict != want {
			t.Errorf("%s: %s, want %s", c.Name, r.Verdict, want)
		}
		n++
	}
	if n < 20 {
		t.Fatalf("only %d cases", n)
	}
	t.Logf("%d logs", n)
}

// TestEventIDsBeyondTheLimit: a copy of an id that is remembered is seen, one of an id
// that is not remembered is not, and that is said.
func TestEventIDsBeyondTheLimit(t *testing.T) {
	lines := goodLog("session-v0")
	log := strings.Join(slices.Concat(lines, lines[3:5]), "\n")
	for limit, want := range map[int]int{3: 0, 4: 1, 5: 2, 100: 2} {
		r, err := trace.Verify(t.Context(), strings.NewReader(log), trace.Options{Limits: trace.Limits{IDs: limit}})
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, f := range r.Findings {
			if f.Rule == "event.id_duplicate" {
				got++
			}
		}
		sentence := fmt.Sprintf("event ids after the first %d: the limit of remembered ids was reached", limit)
		if got != want || slices.Contains(r.NotCovered, sentence) != (limit <= len(lines)) {
			t.Errorf("limit %d: %d copies, want %d; %q", limit, got, want, r.NotCovered)
		}
	}
}

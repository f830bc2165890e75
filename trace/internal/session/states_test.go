package session_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/trace/internal/session"
)

// stateCase is one line of states.jsonl: lines of the good log of a family, and the
// state after them.
type stateCase struct {
	Family string
	Order  []int // the lines, by their number in the good log
	State  json.RawMessage
}

// TestStates checks the JSON form of states: those in the file are rewritten byte for byte, and a run that resumes
// from one comes to the conclusion of a run over the whole log.
func TestStates(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/trace/session/states.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var c stateCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		good := goodLog(c.Family)
		lines := []string{}
		for _, i := range c.Order {
			lines = append(lines, good[i-1])
		}
		opt := session.Options{Growing: true, Keys: fixedKeys}
		got, err := json.Marshal(check(t, c.Family, lines, 0, opt).state)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(c.State), string(got)); diff != "" {
			t.Errorf("%s %v (-file +now):\n%s", c.Family, c.Order, diff)
		}
		whole := check(t, c.Family, append(lines, good[7]), 0, opt)
		opt.Resume = new(session.State)
		if err := json.Unmarshal(c.State, opt.Resume); err != nil {
			t.Fatal(err)
		}
		rest := check(t, c.Family, good[7:], len(lines), opt)
		if diff := cmp.Diff(whole.Outcome, rest.Outcome); diff != "" {
			t.Errorf("%s %v, gone on (-at once +from the file):\n%s", c.Family, c.Order, diff)
		}
		n++
	}
	if n == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d states", n)
}

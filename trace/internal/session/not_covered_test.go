package session_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// coverCase is one line of not_covered.jsonl: the events of a log, and the parts not verified by its verdict, other
// than those that no such verdict verifies.
type coverCase struct {
	Name          string
	Family        string
	Events        [][2]json.RawMessage // type and payload
	Seal          bool                 // the log ends with one
	Edit          [2]string            // of the first line
	IntegrityOnly bool                 `json:"integrity_only"`
	Subjects      []string             // of the sentences: the text before their colon
}

func (c coverCase) log(t *testing.T) string {
	t.Helper()
	if c.Family == "" {
		c.Family = "session-v0"
	}
	l := sessiontest.NewLog(c.Family)
	var lines []string
	for _, event := range c.Events {
		var kind string
		if err := json.Unmarshal(event[0], &kind); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l.Event(kind, string(event[1])))
	}
	if c.Seal {
		lines = append(lines, l.Seal())
	}
	lines[0] = strings.Replace(lines[0], c.Edit[0], c.Edit[1], 1)
	return strings.Join(lines, "\n") + "\n"
}

// always are the subjects of sentences in every report on a log of its kind.
var always = []string{
	"the tail", "a rewrite of the whole log", "order, completeness and content",
	"chain_authority, schema_ver, source_sdk_ver, authority_id and timestamp_monotonic",
}

// TestNotCovered compares what a report says that it does not prove.
func TestNotCovered(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/trace/session/not_covered.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var c coverCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		log := c.log(t)
		opt := trace.Options{Session: trace.SessionOptions{IntegrityOnly: c.IntegrityOnly}}
		r, err := trace.Verify(t.Context(), strings.NewReader(log), opt)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, sentence := range r.NotCovered {
			if subject, why, ok := strings.Cut(sentence, ": "); !ok || why == "" {
				t.Errorf("%s: %q does not say why", c.Name, sentence)
			} else if !slices.Contains(always, subject) {
				got = append(got, subject)
			}
		}
		if diff := cmp.Diff(c.Subjects, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
		n++
	}
	if n < 20 {
		t.Fatalf("only %d cases", n)
	}
	t.Logf("%d logs", n)
}

// TestNotCoveredIsOfTheLog: the sentences are those of the log, not of the way in which
// it was read: as lines, an array or an object, by one worker or more. (TestStepsEqualOneRun holds
// them for a log that is read in steps.)
func TestNotCoveredIsOfTheLog(t *testing.T) {
	ways := 0
	samples(120, func(s sample) {
		lines := slices.DeleteFunc(s.lines, func(line string) bool { return !json.Valid([]byte(line)) || line[0] != '{' })
		if len(lines) == 0 {
			return
		}
		want := sentences(t, strings.Join(lines, "\n"), 1)
		for jobs := 1; jobs < 4; jobs++ {
			for layout, text := range map[string]string{
				"lines": strings.Join(lines, "\r\n\n"), "an array": "[" + strings.Join(lines, ",") + "]", "an object": `{"events":[` + strings.Join(lines, ",\n") + "]}",
			} {
				ways++
				if diff := cmp.Diff(want, sentences(t, text, jobs)); diff != "" {
					t.Fatalf("%s as %s, %d workers (-lines +so):\n%s\n%s", s.name, layout, jobs, diff, text)
				}
			}
		}
	})
	t.Logf("read in %d ways", ways)
}

func sentences(t *testing.T, log string, jobs int) []string {
	t.Helper()
	r, err := trace.Verify(t.Context(), strings.NewReader(log), trace.Options{Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	return r.NotCovered
}

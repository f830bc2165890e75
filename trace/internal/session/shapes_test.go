package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/trace/internal/session"
)

// shapeCase is one line of shapes.jsonl: what is edited in the first event of a good
// log, and what is found on that line.
type shapeCase struct {
	Family   string
	Edit     [2]string // text to replace, and what with
	Strict   bool      // under --strict-payload
	Findings []string  // "severity rule path [expected, found]: message (help)"
}

// TestShapes edits one event and compares all that is said of it.
func TestShapes(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/trace/session/shapes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var c shapeCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		event := goodLog(c.Family)[0]
		if !strings.Contains(event, c.Edit[0]) {
			t.Fatalf("%q is not in %s", c.Edit[0], event)
		}
		a := check(t, c.Family, []string{strings.Replace(event, c.Edit[0], c.Edit[1], 1)}, 0, session.Options{Growing: true, StrictPayload: c.Strict})
		got := []string{}
		for _, f := range a.findings {
			said := fmt.Sprintf("%s %s %s: %s", f.Severity, f.Rule, f.Path, f.Message)
			if f.Expected != "" || f.Found != "" {
				said += fmt.Sprintf(" [%s, %s]", f.Expected, f.Found)
			}
			if f.Help != "" {
				said += " (" + f.Help + ")"
			}
			if f.Rule != "hash.event" && f.Rule != "hash.payload" {
				got = append(got, said)
			}
		}
		if diff := cmp.Diff(c.Findings, got); diff != "" {
			t.Errorf("%s: %q instead of %q (-want +got):\n%s", c.Family, c.Edit[1], c.Edit[0], diff)
		}
		n++
	}
	if n == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d edits", n)
}

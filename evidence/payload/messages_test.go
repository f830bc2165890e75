package payload_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/finding"
)

var update = flag.Bool("update", false, "write testdata/messages.txt anew")

// TestMessages compares the words of all findings of the cases and examples with those that
// were read and found good: testdata/messages.txt, which -update writes.
func TestMessages(t *testing.T) {
	said := map[string]bool{}
	add := func(list []finding.Finding) {
		for _, f := range list {
			line := f.Rule + ": " + f.Message
			if f.Expected+f.Found != "" {
				line += fmt.Sprintf("\n  expected %s\n  found    %s", f.Expected, f.Found)
			}
			said[line] = true
		}
	}
	events, _ := statements(eventCases)
	c := payload.NewChecker(payload.Options{Engine: evidence.Both, Strict: true})
	for _, over := range events {
		add(ofEvent(t, c, laid(t, strings.TrimPrefix(over, "--strict "))))
	}
	runs, _ := statements(runCases)
	for _, words := range runs {
		add(check(t, run(t, words), payload.Options{}))
	}
	for _, r := range payload.Rules() {
		add(example(t, r.Bad))
	}
	got := strings.Join(slices.Sorted(maps.Keys(said)), "\n") + "\n"
	const path = "testdata/messages.txt"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package commands_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/cupel-dev/cupel/internal/reasoningtest"
)

const exampleRuns = "../testdata/examples/trace"

// TestExampleRuns holds the runs of testdata/examples/trace to the program that wrote
// them. With UPDATE_EXAMPLES set it writes them.
func TestExampleRuns(t *testing.T) {
	runs := reasoningtest.Examples()
	for name, files := range runs {
		for _, f := range files {
			path := filepath.Join(exampleRuns, name, f.Name)
			if os.Getenv("UPDATE_EXAMPLES") != "" {
				writeFile(t, path, f.Data)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(data, f.Data) {
				t.Errorf("%s is not what the generator writes: UPDATE_EXAMPLES=1 go test ./commands -run TestExampleRuns", path)
			}
		}
	}
	t.Logf("%d example runs", len(runs))
}

// TestExampleVerdicts verifies the example runs: what each is, and the rules that say
// so.
func TestExampleVerdicts(t *testing.T) {
	for name, want := range map[string]struct {
		verdict string
		rules   []string
	}{
		"incident":                  {"valid", nil},
		"incident-flat":             {"valid", nil},
		"incident-edited-evidence":  {"invalid", []string{"hash.evidence"}},
		"incident-characters":       {"invalid", []string{"hash.snippet"}},
		"incident-event-removed":    {"invalid", []string{"ref.call_unanswered"}},
		"incident-derived-too-soon": {"invalid", []string{"order.dependency", "ref.evidence_later"}},
		"incident-bare-marker":      {"invalid", []string{"marker.legacy"}},
		"incident-custom-kind":      {"rejected", []string{"event.kind_unknown"}},
		"incident-no-chunk-id":      {"rejected", []string{"field.missing"}},
		"incident-cut":              {"rejected", []string{"line.json"}},
	} {
		doc, _ := runTrace(t, []string{"cupel", "trace", "verify", "--format", "json", filepath.Join(exampleRuns, name)})
		in := doc.Inputs[0]
		if in.Verdict != want.verdict {
			t.Errorf("%s: %s, want %s: %+v", name, in.Verdict, want.verdict, in.Findings)
		}
		for _, rule := range want.rules {
			if !in.reports(rule, "error") {
				t.Errorf("%s: %s is not reported: %+v", name, rule, in.Findings)
			}
		}
		for _, f := range in.Findings {
			if len(want.rules) == 0 {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

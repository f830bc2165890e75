package session_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/session"
)

// expectation is what an expected.json says about the log beside it.
type expectation struct {
	ID, File         string
	Family           *string
	Canonicalization []string
	Expected         struct {
		Integrity     string
		EvidenceClass *string  `json:"evidence_class"`
		Violations    []string // the codes that touch integrity, or reject
		PayloadErrors []string `json:"payload_errors"`
		Verdict       string   `json:"class_under_seed_003"`
	}
}

var families = map[string]trace.Family{"els-a": session.V0, "els-b": session.V1, "els-b0": session.V1B}

// verify runs one file.
func verify(t testing.TB, path string, opt trace.Options) *trace.Report {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	opt.Name = path
	r, err := trace.Verify(context.Background(), f, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// split returns the error codes of a report: those of the envelope, and "code path"
// of the payload's.
func split(r *trace.Report) (violations, payload []string) {
	for _, f := range r.Findings {
		if f.Severity != finding.Error {
			continue
		}
		if strings.HasPrefix(f.Rule, "payload.") || strings.HasPrefix(f.Rule, "redaction.") || strings.HasPrefix(f.Rule, "tool.") {
			payload = append(payload, f.Rule+" "+f.Path)
		} else {
			violations = append(violations, f.Rule)
		}
	}
	slices.Sort(violations)
	slices.Sort(payload)
	return slices.Compact(violations), slices.Compact(payload)
}

// TestVectors verifies the shared logs under every engine.
func TestVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own logs are verified")
		return
	}
	files, _ := filepath.Glob(filepath.Join(root, "session/*/expected.json"))
	if len(files) == 0 {
		t.Fatal("no session logs")
	}
	for _, file := range files {
		var want expectation
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, engine := range []trace.Engine{trace.Fast, trace.Reference, trace.Both} {
			compare(t, want, verify(t, filepath.Join(filepath.Dir(file), want.File), trace.Options{Engine: engine}))
		}
	}
	t.Logf("%d logs under three engines", len(files))
}

func compare(t *testing.T, want expectation, got *trace.Report) {
	t.Helper()
	violations, payload := split(got)
	type answer struct {
		Verdict, Integrity, Class, Family string
		Violations, Payload, Profiles     []string
	}
	w := answer{want.Expected.Verdict, want.Expected.Integrity, "", "", want.Expected.Violations, want.Expected.PayloadErrors, want.Canonicalization}
	if want.Family != nil {
		w.Family = string(families[*want.Family])
	}
	if want.Expected.EvidenceClass != nil {
		w.Class = *want.Expected.EvidenceClass
	}
	g := answer{string(got.Verdict), got.Integrity, got.EvidenceClass, string(got.Family), violations, payload, got.Canonicalization}
	for _, list := range []*[]string{&w.Violations, &w.Payload, &w.Profiles, &g.Violations, &g.Payload, &g.Profiles} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("%s (-want +got):\n%s", want.ID, diff)
	}
}

package bundle_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
)

// expectation is the answer on a shared bundle: "ok", or a class and a code. Of a bundle that
// was cut short only the classes are given, as "Integrity|Contract".
type expectation struct{ Class, Code string }

func (e *expectation) UnmarshalJSON(text []byte) error {
	if string(text) == `"ok"` {
		return nil
	}
	type plain expectation
	return json.Unmarshal(text, (*plain)(e))
}

func (e expectation) met(r *bundle.Report) bool {
	switch {
	case e.Class == "":
		return r.Verdict == bundle.Valid && r.Code == ""
	case strings.Contains(e.Class, "|"):
		return r.Verdict == bundle.Invalid && slices.Contains(strings.Split(e.Class, "|"), r.Class)
	}
	return r.Verdict == bundle.Invalid && r.Class == e.Class && r.Code == e.Code
}

// TestSharedBundles verifies the bundles that the public test suites share, where they are.
func TestSharedBundles(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Skip("CUPEL_VECTORS does not name the shared vectors")
	}
	dir := filepath.Join(root, "evidence", "bundles")
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected struct {
		Bundles []struct {
			File     string
			SHA256   string
			Limits   json.RawMessage `json:"under_limits"`
			Root     string          `json:"run_root_recomputed"`
			Expected expectation
		}
	}
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	for _, b := range expected.Bundles {
		t.Run(b.File, func(t *testing.T) {
			opt := bundle.Options{}
			if b.Limits != nil {
				if opt.Limits, err = evidence.ParseLimits(b.Limits); err != nil {
					t.Fatal(err)
				}
			}
			file, err := os.ReadFile(filepath.Join(dir, b.File))
			if err != nil {
				t.Fatal(err)
			}
			r, err := bundle.Verify(t.Context(), bytes.NewReader(file), int64(len(file)), b.File, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !b.Expected.met(r) {
				t.Errorf("%s %q %q, expected %+v: %v", r.Verdict, r.Class, r.Code, b.Expected, r.Findings)
			}
			if r.Verdict == bundle.Valid && (r.SHA256 != b.SHA256 || r.RunRoot != b.Root || r.BundleID != b.Root) {
				t.Errorf("SHA-256 %s, root %s, id %s", r.SHA256, r.RunRoot, r.BundleID)
			}
		})
	}
	if len(expected.Bundles) == 0 {
		t.Error("no bundles")
	}
}

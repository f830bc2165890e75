package trace_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/internal/selftest"
	"github.com/cupel-dev/cupel/trace"
)

// TestCanonicalForms runs the project's own cases under every form.
func TestCanonicalForms(t *testing.T) {
	var forms []selftest.Form
	for _, name := range trace.CanonicalForms() {
		forms = append(forms, selftest.Form{Name: name, Write: func(text []byte) ([]byte, error) { return trace.Canonicalize(name, text) }})
	}
	if len(forms) < 7 {
		t.Errorf("%d forms", len(forms))
	}
	s := selftest.Canonical(forms)
	for _, failure := range s.Failures {
		t.Error(failure)
	}
	if s.Cases == 0 {
		t.Error("no cases")
	}
}

func TestCanonicalizeRefuses(t *testing.T) {
	if _, err := trace.Canonicalize("rfc8786", []byte("{}")); err == nil {
		t.Error("a form that does not exist is written")
	}
	for _, form := range trace.CanonicalForms() {
		if text, err := trace.Canonicalize(form, []byte(`{"a":1,"a":2}`)); err == nil {
			t.Errorf("%s of a text that is not strict JSON: %s", form, text)
		}
	}
}

// TestCanonicalVectors runs the shared vectors of the session formats where they are
// present.
func TestCanonicalVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return
	}
	f, err := os.Open(filepath.Join(root, "session/jcs-cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &members); err != nil {
			t.Fatal(err)
		}
		var input string
		if err := json.Unmarshal(members["input"], &input); err != nil {
			t.Fatal(err)
		}
		for form, outcome := range members {
			if !slices.Contains(trace.CanonicalForms(), form) {
				continue
			}
			n++
			var want struct{ SHA256, Error string }
			if err := json.Unmarshal(outcome, &want); err != nil {
				t.Fatal(err)
			}
			text, err := trace.Canonicalize(form, []byte(input))
			sum := sha256.Sum256(text)
			if (err != nil) != (want.Error != "") || err == nil && hex.EncodeToString(sum[:]) != want.SHA256 {
				t.Errorf("%s of %s: %s, %v", form, input, text, err)
			}
		}
	}
	if n == 0 {
		t.Error("no cases")
	}
	t.Logf("%d cases", n)
}

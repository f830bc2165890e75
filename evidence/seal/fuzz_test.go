package seal_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/seal"
)

// FuzzAttestation holds that no statement and no envelope panics, that there is always an
// answer and only one, and that what was opened compares equal with itself.
func FuzzAttestation(f *testing.F) {
	for _, r := range seal.Rules() {
		f.Add([]byte(r.Bad), true)
		f.Add([]byte(r.Bad), false)
		f.Add([]byte(r.Good), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, signed bool) {
		envelope, trusted := sealed(t, seal.PayloadType, string(text))
		if !signed {
			envelope = text
		}
		a, fault, err := seal.Open(t.Context(), envelope, trusted)
		switch {
		case err != nil || (a == nil) == (fault == nil):
			t.Fatal(a, fault, err)
		case fault != nil && (fault.Severity != evidence.SeverityError || !strings.HasPrefix(fault.Rule, "Attestation") || fault.Message == ""):
			t.Fatalf("%+v", fault)
		case a != nil && len(a.Compare(a.Facts)) > 0:
			t.Fatalf("%+v differ from themselves: %+v", a.Facts, a.Compare(a.Facts))
		}
	})
}

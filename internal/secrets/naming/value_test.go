package naming_test

import (
	"testing"

	"github.com/cupel-dev/cupel/internal/secrets/naming"
)

// TestSecretOfGeneralized: a text is judged alike before and after its home folder was
// generalized, so that a redacted text is not redacted again.
func TestSecretOfGeneralized(t *testing.T) {
	for before, after := range map[string]string{
		" /home/bob/x":      " ~/**/x",
		"see /home/bob/x":   "see ~/**/x",
		"/home/bob/keys":    "~/**/keys",
		"in /home/bob, too": "in ~/**, too",
	} {
		for proof := naming.Anything; proof <= naming.Certain; proof++ {
			if naming.Secret([]byte(before), proof) != naming.Secret([]byte(after), proof) {
				t.Errorf("proof %d: %q and %q are judged differently", proof, before, after)
			}
		}
	}
	if !naming.Secret([]byte("hunter2 ~/**"), naming.Anything) {
		t.Error("a password beside a home folder is none")
	}
}

// TestNameOfGeneralized: so is a name.
func TestNameOfGeneralized(t *testing.T) {
	for before, after := range map[string]string{
		"/home/bob/xx--token": "~/**/xx--token",
		"/home/eve/key":       "~/**/key",
		"/home/bob/api_key":   "~/**/api_key",
		"/root/password":      "~/**/password",
	} {
		if b, a := naming.Classify([]byte(before)), naming.Classify([]byte(after)); a != b {
			t.Errorf("%q has strength %d, %q %d", before, b, after, a)
		}
	}
}

package incident_test

import (
	"errors"
	"testing"

	"github.com/cupel-dev/cupel/evidence/incident"
)

// FuzzPackage holds that no text panics, and that each has an answer.
func FuzzPackage(f *testing.F) {
	p, err := incident.Pack(f.Context(), examples(f), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.Text, p.Context.Text())
	f.Add(p.Text[:2048], []byte("{}"))
	f.Fuzz(func(t *testing.T, text, against []byte) {
		context, err := incident.ReadContext(against)
		if err != nil {
			context = nil
		}
		_, err = incident.Verify(t.Context(), text, context)
		var refused *incident.Refusal
		var unsupported *incident.Unsupported
		if err != nil && !errors.As(err, &refused) && !errors.As(err, &unsupported) {
			t.Fatal(err)
		}
	})
}

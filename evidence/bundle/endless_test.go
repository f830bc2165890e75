package bundle_test

import (
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
)

// endless is an input without an end and without a line, such as a device.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	clear(p)
	return len(p), nil
}

// TestEndless: what has no end is given up soon beyond the limit.
func TestEndless(t *testing.T) {
	limits := evidence.Limits{EventsBytes: 1 << 20, LineBytes: 1 << 10}
	var r endless
	total, err := bundle.Events(t.Context(), &r, -1, "endless", 0, evidence.Options{Limits: limits}, func(*evidence.Result) error { return nil })
	if err != nil || total.Rooted || total.Counts.Errors == 0 {
		t.Errorf("%+v, %v", total, err)
	}
	if r.read > 4<<20 {
		t.Errorf("%d bytes were read", r.read)
	}
}

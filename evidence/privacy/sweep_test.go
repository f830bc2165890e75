package privacy

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
)

// TestSweep: a secret that is left in a changed text makes the event an error, at the first
// place, and nothing is said to be the redacted event; the next event is redacted again. What is
// not changed or only reported is not swept: it is the caller's to keep.
func TestSweep(t *testing.T) {
	r := NewRedactor(Default())
	r.left = func(text []byte) (string, bool) { return "jwt", bytes.Contains(text, []byte("left")) }
	for _, c := range []struct{ in, pointer, out string }{
		{`{"type":"t","data":{"a":["--token=b","left --token=b"],"b":"left --token=c"}}`, "/data/a/1", ""},
		{`{"type":"t","data":{"a":["--token=b"]}}`, "", `{"type":"t","data":{"a":["--token=***"]}}`},
		{`{"type":"t","data":"left","x":"left --token=a"}`, "", ""},
		{`{"type":"t","subject":"left /home/bob","data":"--token=a"}`, "/subject", ""},
	} {
		result, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		out, changes, err := r.Event(nil, result.Event)
		left := (*SweepError)(nil)
		if failed := errors.As(err, &left); failed != (c.pointer != "") || failed && (left.Pointer != c.pointer || left.Rule != "jwt" || changes != nil) || string(out) != c.out {
			t.Errorf("%s: %v\n%s", c.in, err, out)
		}
	}
}

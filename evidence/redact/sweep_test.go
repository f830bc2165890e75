package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/bundletest"
)

// leaving is a redactor that leaves a secret in some events. Nobody knows an event of which
// the real one does.
type leaving struct{ redactor }

func (l leaving) Event(dst []byte, e *evidence.Event) ([]byte, []privacy.Change, error) {
	if bytes.Contains(e.Text(), []byte("left")) {
		return dst, nil, &privacy.SweepError{Pointer: "/data", Rule: "jwt"}
	}
	return l.redactor.Event(dst, e)
}

// TestSweepFails: when a secret would be left, nothing is written, of a stream and of a
// bundle, of a small event and of a large one, and the error says where.
func TestSweepFails(t *testing.T) {
	for _, filler := range []string{"", strings.Repeat("x", largeBytes)} {
		data, _ := json.Marshal("left --token=a " + filler)
		r := bundletest.Recipe{Events: 3, Set: map[string]json.RawMessage{"0/data": json.RawMessage(`"--token=b"`), "1/data": data}}
		for kind, text := range map[bundle.Kind][]byte{bundle.KindStream: r.Stream(), bundle.KindBundle: r.Bundle()} {
			var out bytes.Buffer
			d := newRedaction(bytes.NewReader(text), "run", new(memory), &out, Options{})
			real := d.redactor
			d.redactor = func() redactor { return leaving{real()} }
			_, err := d.do(context.Background(), int64(len(text)))
			var event *EventError
			var left *privacy.SweepError
			if !errors.As(err, &event) || event.Line != 2 || !errors.As(err, &left) || left.Pointer != "/data" || out.Len() > 0 {
				t.Errorf("%s: %v\n%.200s", kind, err, out.Bytes())
			}
		}
	}
}

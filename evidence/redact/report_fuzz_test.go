package redact

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// FuzzReport holds that no text panics where a report or a disclosure is read piece by piece,
// that what is read as a report is strict JSON with those events as a whole, and that it is
// written as the same report.
func FuzzReport(f *testing.F) {
	for _, r := range rules {
		f.Add([]byte(r.Bad))
		f.Add([]byte(r.Good))
	}
	f.Add([]byte(`{"events":[{"line":1,"content_hash":"","changes":[]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, pair := range [][2]string{{goodReport, string(text)}, {string(text), goodDisclosure}} {
			if _, err := Reveal(strings.NewReader(pair[0]), strings.NewReader(pair[1]), func(Disclosed) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		var events []Event
		r, fault, err := ReadReport(bytes.NewReader(text), func(e *Event) error {
			events = append(events, *e)
			return nil
		})
		switch {
		case err != nil:
			t.Fatal(err)
		case fault != nil:
			return
		}
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
		if err != nil || doc.Root().Get(eventsName).Len() != len(events) {
			t.Fatalf("%s: %d events, %v", text, len(events), err)
		}
		var written bytes.Buffer
		r.Events = events
		if err := NewWriter(&written).Close(r); err != nil {
			t.Fatal(err)
		}
		n := 0
		again, fault, err := ReadReport(&written, func(e *Event) error {
			if !e.same(&events[n]) || e.Line != events[n].Line {
				t.Fatalf("%s: %+v", text, e)
			}
			n++
			return nil
		})
		if err != nil || fault != nil || n != len(events) || again.OutputSHA256 != r.OutputSHA256 || again.Policy != r.Policy || again.Summary != r.Summary {
			t.Fatalf("%s became %+v, %+v, %v", text, again, fault, err)
		}
	})
}

package importer_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	packets "github.com/cupel-dev/cupel/internal/otlp"
)

// FuzzImport: whatever an input is, nothing panics, what is made is JSON on one line that
// the engine can judge, what is refused has a place, every value leads back into the input,
// and the same is made of it twice.
func FuzzImport(f *testing.F) {
	for name, text := range inputs(f) {
		if len(text) < 4096 {
			f.Add(name[len(name)-1] == 'l', uint8(len(name)), text)
		}
	}
	engine := attest.NewEngine(attest.Options{})
	formats := importer.Formats()
	f.Fuzz(func(t *testing.T, lines bool, from uint8, text []byte) {
		name := map[bool]string{true: "x.jsonl", false: "x.json"}[lines]
		format := formats[int(from)%len(formats)]
		traces, err := imported(name, text, format)
		again, failed := imported(name, text, format)
		if len(again) != len(traces) || (err == nil) != (failed == nil) {
			t.Fatalf("%d traces (%v), then %d (%v)", len(traces), err, len(again), failed)
		}
		for i, trace := range traces {
			if string(again[i].Raw) != string(trace.Raw) {
				t.Errorf("%s\nand then %s", trace.Raw, again[i].Raw)
			}
			refused := trace.Refused
			if refused == nil && trace.Origin != nil && len(trace.Raw) > 0 && !packets.Looks(text) {
				if !json.Valid(trace.Raw) {
					t.Fatalf("no JSON: %s", trace.Raw)
				}
				checkPointers(t, name, text, trace)
			}
			if refused == nil {
				refused, _ = errors.AsType[*attest.Error](engine.ValidateText(trace.TraceText))
			}
			if f := trace.Finding; refused != nil && f("x", refused).Line < 1 && !packets.Looks(text) {
				t.Errorf("no place: %+v", refused)
			}
		}
	})
}

package attest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// elsewhere maps byte n of a trace to byte n+1 of another text, with n as the pointer.
type elsewhere struct{ text string }

func (elsewhere) Pointer(offset int) string { return fmt.Sprintf("/made/of/%d", offset) }

func (e elsewhere) Place(offset int) (text []byte, line, at int) {
	return []byte(e.text), 7, offset + 1
}

// TestOrigin: results and refusals of a trace that was made of another text lead there.
func TestOrigin(t *testing.T) {
	const made = `{"schema_version":1,"trace_id":"t","output":{"message":"x"}}`
	engine := attest.NewEngine(attest.Options{})
	p, err := engine.Prepare(attest.Assertion{AssertionID: "a", Type: attest.TypeContent, Spec: map[string]any{"target": "output.message", "check": "contains", "value": "y"}})
	if err != nil {
		t.Fatal(err)
	}
	text := attest.TraceText{Raw: []byte(made), Line: 1, Origin: elsewhere{"\n" + made}}
	results, err := engine.EvaluatePrepared(context.Background(), text, []attest.Prepared{p, p})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Pointer != "/made/of/55" {
			t.Errorf("%q", r.Pointer)
		}
	}
	f := text.Finding("file", &attest.Error{Offset: 1})
	if f.Line != 8 || f.Column != 2 {
		t.Errorf("line %d, column %d", f.Line, f.Column)
	}
	text.Origin = nil // the memory of an evaluation, used again, knows nothing of the last one
	results, err = engine.EvaluatePrepared(context.Background(), text, []attest.Prepared{p})
	if err != nil || results[0].Pointer != "/output/message" {
		t.Errorf("%v, %q", err, results[0].Pointer)
	}
}

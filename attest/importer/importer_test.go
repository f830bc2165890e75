package importer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

var update = flag.Bool("update", false, "write the expected traces anew")

const cases = "../../testdata/attest/import"

// inputs returns the texts of the cases and the examples by their names.
func inputs(t testing.TB) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	const examples = "../../testdata/examples/attest"
	for _, pattern := range []string{cases + "/*.json", cases + "/*.jsonl", examples + "/openai-*.json", examples + "/anthropic.json", examples + "/otel.json", examples + "/langchain.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found[filepath.Base(file)] = text
		}
	}
	return found
}

// imported is everything that is made of an input, its memory its own.
func imported(name string, text []byte, from importer.Format) (traces []importer.Trace, err error) {
	engine := attest.NewEngine(attest.Options{})
	lines := filepath.Ext(name) == ".jsonl"
	for trace, failed := range importer.Traces(engine, bytes.NewReader(text), importer.Options{From: from, Lines: lines}) {
		if failed != nil {
			return traces, failed
		}
		trace.Raw = bytes.Clone(trace.Raw)
		traces = append(traces, trace)
	}
	return traces, nil
}

// TestImport compares what is made of each input with what is expected.
func TestImport(t *testing.T) {
	engine := attest.NewEngine(attest.Options{})
	for name, text := range inputs(t) {
		traces, err := imported(name, text, importer.Auto)
		var got strings.Builder
		for _, trace := range traces {
			show(t, &got, engine, trace)
		}
		if err != nil {
			fmt.Fprintf(&got, "== error\n%v\n", err)
		}
		golden := filepath.Join(cases, name+".want")
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != got.String() {
			t.Errorf("%s (%v): got\n%s", name, err, got.String())
		}
	}
}

// show writes a trace or its error, in the form of the expected texts.
func show(t *testing.T, b *strings.Builder, engine *attest.Engine, trace importer.Trace) {
	t.Helper()
	fmt.Fprintf(b, "== line %d: %s", trace.Line, trace.From)
	if len(trace.Also) > 0 {
		fmt.Fprintf(b, ", also %v", trace.Also)
	}
	if trace.Label != "" {
		fmt.Fprintf(b, ", %s", trace.Label)
	}
	b.WriteByte('\n')
	refused := trace.Refused
	if refused == nil {
		if trace.Origin != nil {
			var made bytes.Buffer
			if err := json.Indent(&made, trace.Raw, "", "  "); err != nil {
				t.Fatalf("%v: %s", err, trace.Raw)
			}
			fmt.Fprintf(b, "%s\n", made.Bytes())
			if c := trace.Coverage; c != nil && (!c.Complete || c.Spans.Total != c.Spans.Read) {
				fmt.Fprintf(b, "complete %v: %s\n", c.Complete, c.Text())
			}
		}
		refused, _ = errors.AsType[*attest.Error](engine.ValidateText(trace.TraceText))
	}
	if refused != nil {
		f := trace.Finding("", refused)
		fmt.Fprintf(b, "%d:%d: %s\n  %s\n", f.Line, f.Column, f.Message, f.Help)
	}
}

// TestPointers checks that a pointer leads to the value in the input that the trace copied; the pointer does not
// depend on the value.
func TestPointers(t *testing.T) {
	copies := 0
	for name, text := range inputs(t) {
		traces, _ := imported(name, text, importer.Auto)
		for _, trace := range traces {
			if trace.Origin == nil || trace.Refused != nil {
				continue
			}
			copies += checkPointers(t, name, text, trace)
		}
	}
	if copies < 100 {
		t.Errorf("only %d values are copies", copies)
	}
}

// checkPointers follows the pointers of all values of a trace and returns how many lead to
// the same bytes.
func checkPointers(t *testing.T, name string, text []byte, trace importer.Trace) (copies int) {
	t.Helper()
	list := withAll(documents(text))
	for _, at := range valueStarts(trace.Raw) {
		source, line, offset := trace.Origin.Place(at)
		if line < 1 || offset < 0 || offset >= len(source) {
			t.Fatalf("%s: the value at %d comes from %d of %d in line %d", name, at, offset, len(source), line)
		}
		pointed, ok := follow(list, trace.Origin.Pointer(at))
		if strings.Contains(trace.Origin.Pointer(at), "…") {
			continue // a long name is cut
		}
		if !ok {
			t.Fatalf("%s: the pointer %q of the value at %d leads nowhere", name, trace.Origin.Pointer(at), at)
		}
		var made, original json.RawMessage
		_ = json.NewDecoder(bytes.NewReader(trace.Raw[at:])).Decode(&made)
		_ = json.NewDecoder(bytes.NewReader(source[offset:])).Decode(&original)
		if bytes.Equal(made, original) {
			copies++
			if !slices.ContainsFunc(pointed, func(v json.RawMessage) bool { return bytes.Equal(v, original) }) {
				t.Errorf("%s: %q leads to %s, not to %s", name, trace.Origin.Pointer(at), pointed, original)
			}
		}
	}
	return copies
}

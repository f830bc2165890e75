package importer_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

// decoded returns a JSON text as encoding/json reads it, its numbers as they were written.
func decoded(t rapid.TB, text []byte) (value any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	return value
}

// shuffled returns the JSON of a value with its members in any order, with blanks.
func shuffled(t *rapid.T, value any) string {
	switch v := value.(type) {
	case map[string]any:
		names := rapid.Permutation(slices.Sorted(maps.Keys(v))).Draw(t, "members")
		members := make([]string, len(names))
		for i, name := range names {
			key, _ := json.Marshal(name)
			members[i] = string(key) + ": " + shuffled(t, v[name])
		}
		return "{ " + strings.Join(members, ", ") + "}"
	case []any:
		elements := make([]string, len(v))
		for i, element := range v {
			elements[i] = shuffled(t, element)
		}
		return "[" + strings.Join(elements, " ,") + " ]"
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// whole returns the inputs of one value or of lines that can be read, without halves of
// surrogate pairs, which encoding/json does not keep.
func whole(t *testing.T) (names []string, texts map[string][]byte) {
	t.Helper()
	texts = map[string][]byte{}
	for name, text := range inputs(t) {
		if !strings.Contains(name, "hostile") && !strings.Contains(string(text), `\ud8`) {
			names, texts[name] = append(names, name), text
		}
	}
	slices.Sort(names)
	if len(names) < 10 {
		t.Fatalf("only %v", names)
	}
	return names, texts
}

// meaning returns the result of an input: the traces as values, or the errors. It leaves out places, which belong to
// the input.
func meaning(t rapid.TB, name string, text []byte) (list []any) {
	traces, err := imported(name, text, importer.Auto)
	for _, trace := range traces {
		if trace.Refused != nil {
			list = append(list, trace.Refused.Message)
			continue
		}
		list = append(list, decoded(t, trace.Raw))
	}
	if err != nil {
		list = append(list, err.Error())
	}
	return list
}

// TestMemberOrder: the order of members and the blanks between them change nothing.
func TestMemberOrder(t *testing.T) {
	names, texts := whole(t)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "input")
		var other strings.Builder
		for _, line := range documents(texts[name]) {
			other.WriteString(shuffled(t, decoded(t, line)) + "\n")
		}
		if want, got := meaning(t, name, texts[name]), meaning(t, name, []byte(other.String())); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\nin another order\n%s\n%v", name, want, other.String(), got)
		}
	})
}

// TestSpanOrder: the order of spans, of lines, and which spans share a line change nothing.
func TestSpanOrder(t *testing.T) {
	var names []string
	all, texts := whole(t)
	for _, name := range all {
		if strings.HasPrefix(name, "otel") && !strings.HasPrefix(name, "otel-ids") && !strings.HasPrefix(name, "otel-empty") {
			names = append(names, name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "input")
		spans := rapid.Permutation(spansOf(t, texts[name])).Draw(t, "spans")
		var lines strings.Builder
		for len(spans) > 0 {
			n := rapid.IntRange(1, len(spans)).Draw(t, "on one line")
			text, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": []any{map[string]any{"spans": spans[:n]}}}}})
			if err != nil {
				t.Fatal(err)
			}
			lines.Write(append(text, '\n'))
			spans = spans[n:]
		}
		want, got := meaning(t, name, texts[name]), meaning(t, "x.jsonl", []byte(lines.String()))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\nin another order\n%s\n%v", name, want, lines.String(), got)
		}
	})
}

// spansOf returns the spans of an input of OpenTelemetry.
func spansOf(t rapid.TB, text []byte) (spans []any) {
	children := func(value any, names ...string) []any {
		members, _ := value.(map[string]any)
		for _, name := range names {
			if list, ok := members[name].([]any); ok {
				return list
			}
		}
		return nil
	}
	for _, line := range documents(text) {
		for _, resource := range children(decoded(t, line), "resourceSpans", "resource_spans") {
			for _, scope := range children(resource, "scopeSpans", "scope_spans") {
				spans = append(spans, children(scope, "spans")...)
			}
		}
	}
	return spans
}

// TestChunks: how an input arrives changes nothing.
func TestChunks(t *testing.T) {
	engine := attest.NewEngine(attest.Options{})
	for name, text := range inputs(t) {
		whole, _ := imported(name, text, importer.Auto)
		i := 0
		for trace, err := range importer.Traces(engine, iotest.OneByteReader(bytes.NewReader(text)), importer.Options{Lines: filepath.Ext(name) == ".jsonl"}) {
			if err != nil {
				break
			}
			if !bytes.Equal(trace.Raw, whole[i].Raw) || trace.Label != whole[i].Label || trace.From != whole[i].From {
				t.Errorf("%s: trace %d differs", name, i)
			}
			i++
		}
		if i != len(whole) {
			t.Errorf("%s: %d traces of %d", name, i, len(whole))
		}
	}
}

// TestWritten: evaluating what was made of an input is evaluating the trace that was made,
// written to a file as it is or by encoding/json, except for where the pointers lead.
func TestWritten(t *testing.T) {
	engine := attest.NewEngine(attest.Options{})
	var prepared []attest.Prepared
	for _, spec := range []map[string]any{
		{"target": "output.message", "check": "contains", "value": "refund"},
		{"target": "steps[?type=='tool_call'].result", "check": "contains", "value": "delivered"},
		{"target": "input.user_message", "check": "regex_match", "value": "[a-z]+"},
		{"target": "steps[*].args", "check": "not_contains", "value": "1"},
	} {
		p, err := engine.Prepare(attest.Assertion{AssertionID: "a", Type: attest.TypeContent, Spec: spec})
		if err != nil {
			t.Fatal(err)
		}
		prepared = append(prepared, p)
	}
	evaluated := 0
	for name, text := range inputs(t) {
		traces, _ := imported(name, text, importer.Auto)
		for _, made := range traces {
			if made.Refused != nil || made.Origin == nil {
				continue
			}
			var trace attest.Trace
			if err := json.Unmarshal(made.Raw, &trace); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, err := json.Marshal(trace)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want := resultsOf(t, engine, made.TraceText, prepared)
			for _, written := range [][]byte{made.Raw, again} {
				if bytes.ContainsAny(written, "\r\n") {
					t.Errorf("%s: a trace takes several lines", name)
				}
				if got := resultsOf(t, engine, attest.TraceText{Raw: written, Line: 1, Size: int64(len(written)), Coverage: made.Coverage}, prepared); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v, written: %v", name, want, got)
				}
				evaluated++
			}
		}
	}
	if evaluated < 20 {
		t.Errorf("only %d evaluations", evaluated)
	}
}

// resultsOf returns the explanations of results, or of errors.
func resultsOf(t *testing.T, engine *attest.Engine, text attest.TraceText, prepared []attest.Prepared) (list []string) {
	t.Helper()
	results, err := engine.EvaluatePrepared(t.Context(), text, prepared)
	if err != nil {
		return []string{err.Error()}
	}
	for _, r := range results {
		list = append(list, string(r.Status)+" "+r.Explanation)
	}
	return list
}

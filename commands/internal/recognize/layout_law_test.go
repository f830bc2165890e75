package recognize

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLayoutLaw: records are recognized in every layout, the layout is right where no line is damaged, and
// text that is not JSON has none.
func TestLayoutLaw(t *testing.T) {
	kinds := map[Family]string{
		Trace:      `{"record":"trace_start","trace_schema_version":1}`,
		Evidence:   `{"specversion":"1.0","type":"assay.env.filtered","data":{}}`,
		AgentTrace: `{"trace_id":"t","output":{"message":"} {"}}`,
		None:       `{"a":[{"b":"\n"}]}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SampledFrom([]Family{Trace, Evidence, AgentTrace, None}).Draw(t, "kind")
		records := slices.Repeat([]string{kinds[of]}, rapid.IntRange(1, 4).Draw(t, "records"))
		layout := rapid.SampledFrom([]Layout{OnLines, OneValue, InArray}).Draw(t, "layout")
		text, want := recordsAs(records, layout, rapid.Bool().Draw(t, "indented")), layout
		if layout == OneValue && len(records) > 1 {
			want = SeveralValues
		}
		s := Text(Head{Text: []byte(text)})
		if s.Family != of || s.Layout != want {
			t.Fatalf("kind %d and layout %d, expected %d and %d, of\n%s", s.Family, s.Layout, of, want, text)
		}
		cut := text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
		if s := Text(Head{Text: []byte(cut)}); s.Layout != OnLines && !allJSON(cut) {
			t.Fatalf("layout %d of\n%s", s.Layout, cut)
		}
		s = Text(Head{[]byte(cut), true})
		if begins := want == SeveralValues && s.Layout == OneValue; s.Layout != OnLines && s.Layout != want && !begins || s.State == Ours && s.Family != of {
			t.Fatalf("kind %d and layout %d, expected %d and %d, of what is cut:\n%s", s.Family, s.Layout, of, want, cut)
		}
		damaged := []byte(text)
		damaged[rapid.IntRange(0, len(text)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
		if s := Text(Head{Text: damaged}); s.Layout != OnLines && !allJSON(string(damaged)) {
			t.Fatalf("layout %d of\n%s", s.Layout, damaged)
		}
	})
}

// TestCloseAllLaw checks that JSON that is cut anywhere is completed to valid JSON, with everything before the cut in
// its place.
func TestCloseAllLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, _ := json.Marshal(anyJSON(3).Draw(t, "value"))
		if rapid.Bool().Draw(t, "indented") {
			var b bytes.Buffer
			_ = json.Indent(&b, text, "", " ")
			text = b.Bytes()
		}
		at := rapid.IntRange(0, len(text)).Draw(t, "cut")
		whole, well := closeAll(text[:at], true)
		if !well || !allJSON(string(whole)) {
			t.Fatalf("%q becomes %q", text[:at], whole)
		}
		kept := bytes.TrimRight(whole, "}]")
		if !bytes.HasPrefix(text, kept) {
			t.Fatalf("%q becomes %q", text[:at], whole)
		}
		if _, well := closeAll(text[:at], false); well != allJSON(string(text[:at])) {
			t.Fatalf("%q is JSON: %v", text[:at], well)
		}
	})
}

// anyJSON draws values that hold others down to a depth.
func anyJSON(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Just(any(nil)), rapid.Just(any(true)),
		rapid.Map(rapid.IntRange(-12, 12), func(n int) any { return n }),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "}", "]", "{\"", "\\", ": ", "\u00e9\n"}), func(s string) any { return s }),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(anyJSON(depth-1), 0, 3), func(list []any) any { return list }),
			rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"", "a", "b", "}"}), anyJSON(depth-1), 0, 3), func(m map[string]any) any { return m }))
	}
	return rapid.OneOf(kinds...)
}

// recordsAs writes records in a layout.
func recordsAs(records []string, layout Layout, indented bool) string {
	spreadOut := make([]string, len(records))
	for i, r := range records {
		var b bytes.Buffer
		_ = json.Indent(&b, []byte(r), "", "  ") // it is JSON
		spreadOut[i] = b.String()
	}
	switch {
	case layout == OneValue:
		return strings.Join(spreadOut, "\n") + "\n"
	case layout == OnLines:
		return strings.Join(records, "\n") + "\n"
	case indented:
		return "[\n" + strings.Join(spreadOut, ",\n") + "\n]\n"
	}
	return "[" + strings.Join(records, ",") + "]"
}

// allJSON reports whether a text is values and nothing else.
func allJSON(text string) bool {
	decoder := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	for decoder.More() {
		var value any
		if decoder.Decode(&value) != nil {
			return false
		}
	}
	return true
}

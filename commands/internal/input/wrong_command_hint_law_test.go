package input

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSightLaw: records of a kind are seen as such in every layout of theirs, the layout is told
// where no line is damaged, and no text that is no JSON has one.
func TestSightLaw(t *testing.T) {
	kinds := map[kind]string{
		KindTrace:    `{"record":"trace_start","trace_schema_version":1}`,
		KindEvidence: `{"specversion":"1.0","type":"assay.env.filtered","data":{}}`,
		KindDialog:   `{"trace_id":"t","output":{"message":"} {"}}`,
		KindNone:     `{"a":[{"b":"\n"}]}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SampledFrom([]kind{KindTrace, KindEvidence, KindDialog, KindNone}).Draw(t, "kind")
		records := slices.Repeat([]string{kinds[of]}, rapid.IntRange(1, 4).Draw(t, "records"))
		layout := rapid.SampledFrom([]spread{onLines, oneSpread, inArray}).Draw(t, "layout")
		text, want := recordsAs(records, layout, rapid.Bool().Draw(t, "indented")), layout
		if layout == oneSpread && len(records) > 1 {
			want = severalSpread
		}
		s := SightOf(beginning{text: []byte(text)})
		if s.Kind != of || s.spread != want {
			t.Fatalf("kind %d and layout %d, expected %d and %d, of\n%s", s.Kind, s.spread, of, want, text)
		}
		cut := text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
		if s := SightOf(beginning{text: []byte(cut)}); s.spread != onLines && !allJSON(cut) {
			t.Fatalf("layout %d of\n%s", s.spread, cut)
		}
		s = SightOf(beginning{[]byte(cut), true})
		if begins := want == severalSpread && s.spread == oneSpread; s.spread != onLines && s.spread != want && !begins || s.what != "" && s.Kind != of {
			t.Fatalf("kind %d and layout %d, expected %d and %d, of what is cut:\n%s", s.Kind, s.spread, of, want, cut)
		}
		damaged := []byte(text)
		damaged[rapid.IntRange(0, len(text)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
		if s := SightOf(beginning{text: damaged}); s.spread != onLines && !allJSON(string(damaged)) {
			t.Fatalf("layout %d of\n%s", s.spread, damaged)
		}
	})
}

// TestAllClosedLaw: of JSON that is cut anywhere, what is there of it is closed to JSON again, in which
// all stands in its place that stood before the cut.
func TestAllClosedLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, _ := json.Marshal(anyJSON(3).Draw(t, "value"))
		if rapid.Bool().Draw(t, "indented") {
			var b bytes.Buffer
			_ = json.Indent(&b, text, "", " ")
			text = b.Bytes()
		}
		at := rapid.IntRange(0, len(text)).Draw(t, "cut")
		whole, well := allClosed(text[:at], true)
		if !well || !allJSON(string(whole)) {
			t.Fatalf("%q becomes %q", text[:at], whole)
		}
		kept := bytes.TrimRight(whole, "}]")
		if !bytes.HasPrefix(text, kept) {
			t.Fatalf("%q becomes %q", text[:at], whole)
		}
		if _, well := allClosed(text[:at], false); well != allJSON(string(text[:at])) {
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
func recordsAs(records []string, layout spread, indented bool) string {
	spreadOut := make([]string, len(records))
	for i, r := range records {
		var b bytes.Buffer
		_ = json.Indent(&b, []byte(r), "", "  ") // it is JSON
		spreadOut[i] = b.String()
	}
	switch {
	case layout == oneSpread:
		return strings.Join(spreadOut, "\n") + "\n"
	case layout == onLines:
		return strings.Join(records, "\n") + "\n"
	case indented:
		return "[\n" + strings.Join(spreadOut, ",\n") + "\n]\n"
	}
	return "[" + strings.Join(records, ",") + "]"
}

// allJSON says whether a text is values and nothing else.
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

// TestSightOfAnything: no beginning of a file is too much for a look at it, and each hint stands on
// one line.
func TestSightOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"{", "}", "[", "]", "\"", ":", ",", "\n", "1", "oatf", "assertions", "\x00", "\xff", "# ", "- ", "\"specversion\":\"1.0\"", "\"trace_id\":1"}))
		head := strings.Join(pieces.Draw(t, "pieces"), "")
		for as := KindNone; as <= KindSuite; as++ {
			if hint := SightOf(beginning{[]byte(head), rapid.Bool().Draw(t, "cut")}).Hint("x\ny", as); strings.Contains(hint, "\n") {
				t.Fatalf("%q", hint)
			}
		}
	})
}

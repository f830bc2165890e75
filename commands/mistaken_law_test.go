package commands

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
		kindTrace:    `{"record":"trace_start","trace_schema_version":1}`,
		kindEvidence: `{"specversion":"1.0","type":"assay.env.filtered","data":{}}`,
		kindDialog:   `{"trace_id":"t","output":{"message":"} {"}}`,
		kindNone:     `{"a":[{"b":"\n"}]}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SampledFrom([]kind{kindTrace, kindEvidence, kindDialog, kindNone}).Draw(t, "kind")
		records := slices.Repeat([]string{kinds[of]}, rapid.IntRange(1, 4).Draw(t, "records"))
		layout := rapid.SampledFrom([]spread{onLines, oneSpread, inArray}).Draw(t, "layout")
		text, want := recordsAs(records, layout, rapid.Bool().Draw(t, "indented")), layout
		if layout == oneSpread && len(records) > 1 {
			want = severalSpread
		}
		s := sightOf([]byte(text))
		if s.kind != of || s.spread != want {
			t.Fatalf("kind %d and layout %d, expected %d and %d, of\n%s", s.kind, s.spread, of, want, text)
		}
		cut := text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
		if s := sightOf([]byte(cut)); s.spread != onLines && !allJSON(cut) {
			t.Fatalf("layout %d of\n%s", s.spread, cut)
		}
		damaged := []byte(text)
		damaged[rapid.IntRange(0, len(text)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
		if s := sightOf(damaged); s.spread != onLines && !allJSON(string(damaged)) {
			t.Fatalf("layout %d of\n%s", s.spread, damaged)
		}
	})
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
		for as := kindNone; as <= kindSuite; as++ {
			if hint := sightOf([]byte(head)).hint("x\ny", as); strings.Contains(hint, "\n") {
				t.Fatalf("%q", hint)
			}
		}
	})
}

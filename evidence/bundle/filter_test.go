package bundle_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
)

// passes reads a filter and an event.
func passes(t interface{ Fatal(...any) }, text bundle.FilterText, event string) bool {
	f, err := bundle.NewFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(event))
	if err != nil {
		t.Fatal(err)
	}
	return f.Passes(&r)
}

func TestFilter(t *testing.T) {
	const event = `{"type":"assay.tool.decision","subject":"fs/a*b","time":"2026-01-02T03:04:05.5Z","assayseq":7}`
	for _, c := range []struct {
		text  bundle.FilterText
		event string
		want  bool
	}{
		{bundle.FilterText{}, event, true},
		{bundle.FilterText{}, `not an event`, true},
		{bundle.FilterText{Types: []string{"*"}}, `not an event`, false},
		{bundle.FilterText{Types: []string{"*"}}, `{}`, false},
		{bundle.FilterText{Types: []string{"assay.tool.decision"}}, event, true},
		{bundle.FilterText{Types: []string{"assay.tool"}}, event, false},
		{bundle.FilterText{Types: []string{""}}, event, false},
		{bundle.FilterText{Types: []string{"assay.*"}}, event, true},
		{bundle.FilterText{Types: []string{"x", "*.decision"}}, event, true},
		{bundle.FilterText{Types: []string{"*.decision.*"}}, event, false},
		{bundle.FilterText{Types: []string{"*"}, Subjects: []string{"*"}}, `{"type":"a","subject":null}`, false},
		{bundle.FilterText{Subjects: []string{"*"}}, `{"type":"a","subject":""}`, true},
		{bundle.FilterText{Subjects: []string{"fs/*"}}, event, true},
		{bundle.FilterText{Since: "2026-01-02T03:04:05.5Z", Until: "2026-01-02T03:04:05.500Z"}, event, true},
		{bundle.FilterText{Since: "2026-01-02T03:04:05.500000001Z"}, event, false},
		{bundle.FilterText{Until: "2026-01-02T03:04:05Z"}, event, false},
		{bundle.FilterText{Since: "2026-01-02", Until: "2026-01-02"}, event, true},
		{bundle.FilterText{Since: "2026-01-03"}, event, false},
		{bundle.FilterText{Until: "2026-01-01"}, event, false},
		{bundle.FilterText{Until: "2016-12-31"}, `{"time":"2016-12-31T23:59:60Z"}`, true},
		{bundle.FilterText{Since: "2026-01-02"}, `{"time":"soon"}`, false},
		{bundle.FilterText{Sequences: "7"}, event, true},
		{bundle.FilterText{Sequences: "0-6,8-"}, event, false},
		{bundle.FilterText{Sequences: "1,7-7"}, event, true},
		{bundle.FilterText{Sequences: "0-"}, event, true},
		{bundle.FilterText{Sequences: "0-"}, `{"assayseq":1.0}`, false},
		{bundle.FilterText{Sequences: "0-"}, `{"assayseq":18446744073709551615}`, true},
	} {
		if got := passes(t, c.text, c.event); got != c.want {
			t.Errorf("%+v of %s: %v", c.text, c.event, got)
		}
	}
}

func TestFilterMistakes(t *testing.T) {
	for _, text := range []bundle.FilterText{
		{Since: "x"},
		{Until: "2026-13-01"},
		{Since: "2026-01-02", Until: "2026-01-01"},
		{Sequences: "-1"},
		{Sequences: "1,"},
		{Sequences: "a"},
		{Sequences: "2-1"},
		{Sequences: "1-2-3"},
		{Sequences: "18446744073709551616"},
		{Sequences: " 1"},
	} {
		if _, err := bundle.NewFilter(text); err == nil {
			t.Errorf("%+v is taken", text)
		} else if strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q", err)
		}
	}
}

// TestPatternLaw compares the patterns with the naive meaning of a star.
func TestPatternLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringOfN(rapid.SampledFrom([]rune("ab*")), 0, 7, -1)
		pattern, text := letters.Draw(t, "pattern"), strings.ReplaceAll(letters.Draw(t, "text"), "*", "b")
		event := fmt.Sprintf(`{"type":%s}`, strconv.Quote(text))
		if got, want := passes(t, bundle.FilterText{Types: []string{pattern}}, event), starred(pattern, text); got != want {
			t.Errorf("%q of %q: %v", pattern, text, got)
		}
	})
}

func starred(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case pattern[0] == '*':
		return starred(pattern[1:], text) || text != "" && starred(pattern, text[1:])
	}
	return text != "" && text[0] == pattern[0] && starred(pattern[1:], text[1:])
}

package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestUnreadableLines holds what is said of a line that cannot be read.
func TestUnreadableLines(t *testing.T) {
	limits := stream.Limits{LineBytes: 40, Depth: 3, Keys: 2}
	deep := `{"a":[[[1]]]}`
	for _, c := range []struct{ line, want string }{
		{"\ufeff{}\n", `line.bom 1:1 "" help "save the file as UTF-8 without a byte order mark"`},
		{"{\"a\":\"\xff\"}\n", `line.utf8 1:7 "a" help ""`},
		{`{"a":[{"b":1,"\u0062":2}]}`, `line.duplicate_key 1:14 "a[0].b" help ""`},
		{deep + "\n", `line.limit 1:8 "a[0][0]" help "raise the limit with --max-depth"`},
		{`{"a":1,"b":2,"c":3}` + "\n", `line.limit 1:14 "" help "raise the limit with --max-keys"`},
		{strings.Repeat("x", 41) + "\n", `line.limit 1:0 "" help "raise the limit with --max-line-bytes"`},
		{"{\"a\":[1\n", `line.json 1:8 "a" help "" note "the line ends inside a value: a record takes exactly one line"`},
		{"{\"a\":[1", `line.json 1:8 "a" help "" note "the file ends inside this line: a crash of the writer, or a partial copy"`},
		{"{a}\n", `line.json 1:2 "" help ""`},
		{" 7\n", `line.not_object 1:2 "" help "" expected object, found number`},
		{"null", `line.not_object 1:1 "" help "" expected object, found null`},
	} {
		r := newReading(limits, 1)
		r.read(t, strings.NewReader(c.line))
		list, _, _, _ := r.findings.Close()
		if len(list) != 1 {
			t.Errorf("%q: %d findings", c.line, len(list))
			continue
		}
		if got := described(list[0]); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.line, got, c.want)
		}
		clauses := strings.FieldsFunc(list[0].Message, func(r rune) bool { return r == ',' || r == ':' || r == ';' })
		slices.Sort(clauses)
		if len(slices.Compact(clauses)) < len(clauses) {
			t.Errorf("%q: a clause stands twice in %q", c.line, list[0].Message)
		}
		if list[0].Severity != finding.Error {
			t.Errorf("%q: severity %v", c.line, list[0].Severity)
		}
	}
}

func described(f finding.Finding) string {
	s := fmt.Sprintf("%s %d:%d %q help %q", f.Rule, f.Line, f.Column, f.Path, f.Help)
	if f.Notes != nil {
		s += fmt.Sprintf(" note %q", strings.Join(f.Notes, "; "))
	}
	if f.Expected != "" {
		s += fmt.Sprintf(" expected %s, found %s", f.Expected, f.Found)
	}
	return s
}

func TestEmptyFile(t *testing.T) {
	for blank, want := range map[int64]string{0: "the file has no content", 1: "the file has no content: 1 blank line", 3: "the file has no content: 3 blank lines"} {
		if f := stream.EmptyFile(stream.Counts{Blank: blank}); f.Rule != "file.empty" || f.Message != want {
			t.Errorf("%d blank lines: %s %q", blank, f.Rule, f.Message)
		}
	}
}

func TestDottedPath(t *testing.T) {
	for pointer, want := range map[string]string{
		"": "", "/event/supports/0/span/1": "event.supports[0].span[1]", "/0": "[0]", "/a~1b/~0": "a/b.~", "/": "",
	} {
		if got := stream.DottedPath(pointer); got != want {
			t.Errorf("%q: %q, want %q", pointer, got, want)
		}
	}
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range stream.Rules() {
		if r.ID == "" || r.Title == "" || r.Clause == "" || r.Rationale == "" || r.Class != "rejected" || r.Severity != finding.Error || seen[r.ID] {
			t.Errorf("row %+v", r)
		}
		seen[r.ID] = true
	}
	if len(seen) == 0 {
		t.Error("no rules")
	}
}

func TestLimits(t *testing.T) {
	if got, want := (stream.Limits{}).WithDefaults(), (stream.Limits{LineBytes: 16 << 20, Depth: 128, Keys: 100_000, Values: 1_000_000, Findings: 1_000, IDs: 4_000_000, Sessions: 10_000, Ended: 100_000}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	own := stream.Limits{LineBytes: 1, Depth: 2, Keys: 3, Values: 6, Findings: 4, IDs: 5, Sessions: 7, Ended: 8}
	if got := own.WithDefaults(); got != own {
		t.Errorf("%+v, want %+v", got, own)
	}
	if err := (&stream.LimitError{What: "distinct ids", Limit: 7, Flag: "--max-ids"}); err.Error() != "more than 7 distinct ids" {
		t.Error(err)
	}
}

package attest_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
)

// TestTraces: one trace per line, or one over several lines.
func TestTraces(t *testing.T) {
	for _, c := range []struct {
		name, input string
		lines       bool
		want        []string
	}{
		{"one line", `{"a":1}`, false, []string{`1 7 {"a":1}`}},
		{"one line and its end", "{\"a\":1}\n", false, []string{`1 7 {"a":1}`}},
		{"several lines", "{\n \"a\": 1\n}\n", false, []string{"1 12 {\n \"a\": 1\n}\n"}},
		{"JSON lines", "{\"a\":1}\n\n{\"b\":2}\r\n{\"c\":3}", false, []string{`1 7 {"a":1}`, `3 7 {"b":2}`, `4 7 {"c":3}`}},
		{"JSON lines by name", "{\n{\"b\":2}\n", true, []string{`1 1 {`, `2 7 {"b":2}`}},
		{"byte order mark", "\ufeff{\"a\":1}\n", false, []string{`1 7 {"a":1}`}},
		{"blank lines first", "\n \n{\n}\n", false, []string{"3 4 {\n}\n"}},
		{"no JSON", "hello\nworld\n", false, []string{"1 12 hello\nworld\n"}},
		{"JSON lines with a mistake in the first", "{\"a\":}\n{\"b\":2}\n", false, []string{`1 6 {"a":}`, `2 7 {"b":2}`}},
		{"nothing", "\n\n", false, nil},
		{"a line beyond the limit", "{" + strings.Repeat(" ", 200_000) + "}\n{\"b\":2}\n", false, []string{"1 200002 long", `2 7 {"b":2}`}},
		{"lines beyond the limit", "{\n" + strings.Repeat(" \n", 100_000) + "}\n", false, []string{"1 200004 long"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := attest.NewEngine(attest.Options{Limits: attest.Limits{TraceBytes: 100}})
			var got []string
			for text, err := range e.Traces(strings.NewReader(c.input), c.lines) {
				if err != nil {
					t.Fatal(err)
				}
				raw := string(text.Raw)
				if text.Size > int64(len(raw)) {
					raw = "long"
					if err := protocolError(e.ValidateText(text)); err == nil || err.Message != fmt.Sprintf("trace exceeds max size: %d > 100 bytes", text.Size) {
						t.Errorf("got %v", err)
					}
				}
				got = append(got, fmt.Sprintf("%d %d %s", text.Line, text.Size, raw))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

// TestTracesReadError: the error of the reader comes last.
func TestTracesReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := io.MultiReader(strings.NewReader("{\"a\":1}\n"), iotest.ErrReader(broken))
	var last error
	traces := 0
	for _, err := range attest.NewEngine(attest.Options{}).Traces(r, true) {
		if last = err; err == nil {
			traces++
		}
	}
	if !errors.Is(last, broken) || traces != 1 {
		t.Errorf("%d traces, then %v", traces, last)
	}
}

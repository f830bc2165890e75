package attest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/attesttest"
)

// A line of testdata/attest/validate is {"case", "options", "trace", "want"}; "want"
// is null for a valid trace, else the error object.
func TestValidateTrace(t *testing.T) {
	total := 0
	for _, path := range attesttest.Files(t, os.DirFS(validateCases), "*.jsonl") {
		lines := readCases(t, validateCases, path)
		for i := range lines {
			c := &lines[i]
			total++
			t.Run(c.Case.Case, func(t *testing.T) {
				got := json.RawMessage("null")
				if err := engineFor(c.Options).ValidateTrace(c.Trace); err != nil {
					got = protocolError(err).AppendJSON(nil)
				}
				checkCase(t, c, got)
			})
		}
		update(t, validateCases+path, lines)
	}
	if total == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d cases", total)
}

// TestLimits tries every limit of §7 on its bound and beyond.
func TestLimits(t *testing.T) {
	const frame = `{"schema_version":1,"trace_id":"t","output":{"message":"m"}%s}`
	steps := func(n int) string {
		return fmt.Sprintf(frame, `,"steps":[`+strings.TrimSuffix(strings.Repeat(`{"type":"tool_call","name":"a"},`, n), ",")+`]`)
	}
	message := func(n int) string {
		return strings.Replace(fmt.Sprintf(frame, ""), `"m"`, `"`+strings.Repeat("é", n)+`"`, 1)
	}
	padded := func(size int) string {
		empty := len(fmt.Sprintf(frame, `,"pad":""`))
		return fmt.Sprintf(frame, `,"pad":"`+strings.Repeat("x", size-empty)+`"`)
	}
	result := func(size int) string {
		return fmt.Sprintf(frame, `,"steps":[{"type":"tool_call","name":"fetch","args":{"a":"`+strings.Repeat("y", 2_000_000)+
			`"},"result":{"r":"`+strings.Repeat("x", size-len(`{"r":""}`))+`"}}]`)
	}
	for _, c := range []struct{ name, trace, message, detail string }{
		{"trace size on the bound", padded(10_485_760), "", ""},
		{
			"trace size", padded(12_000_000), "trace exceeds max size: 12000000 > 10485760 bytes",
			"Reduce trace size by filtering steps or truncating tool results. Max allowed: 10485760 bytes (10 MB).",
		},
		{"steps on the bound", steps(10_000), "", ""},
		{"steps", steps(10_001), "trace exceeds max steps: 10001 > 10000", "Split the trace or drop steps that no assertion needs. Max allowed: 10000 steps."},
		{"output on the bound", message(500_000), "", ""},
		{"output", message(500_001), "output.message length 500001 exceeds 500000 characters", "Truncate output.message before submitting. Max allowed: 500000 characters."},
		{"result on the bound", result(1_048_576), "", ""},
		{
			"result", result(1_200_000), "trace step 'fetch' result exceeds 1048576 bytes (actual: 1200000 bytes)",
			"Truncate the 'result' field for step 'fetch' before submitting. Consider filtering large arrays or binary data from tool results.",
		},
		{"nesting on the bound", fmt.Sprintf(frame, `,"x":`+strings.Repeat("[", 999)+strings.Repeat("]", 999)), "", ""},
		{
			"nesting", fmt.Sprintf(frame, `,"x":`+strings.Repeat("[", 50_000)+strings.Repeat("]", 50_000)),
			"trace cannot be read: JSON nesting exceeds 1000 levels at byte 1063", "Flatten the data: at most 1000 levels of JSON containers are allowed.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := protocolError(attest.NewEngine(attest.Options{}).ValidateTrace([]byte(c.trace)))
			var message, detail string
			if err != nil {
				message, detail = err.Message, err.Data.Detail
			}
			if diff := cmp.Diff([]string{c.message, c.detail}, []string{message, detail}); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

// TestUnreadableTraces: whatever the bytes, the answer is an error that says where.
func TestUnreadableTraces(t *testing.T) {
	for trace, want := range map[string]string{
		"":                           "trace cannot be read: no JSON value at byte 0",
		"{":                          "trace cannot be read: unexpected end of the text at byte 1",
		"{\"a\":1}}":                 "trace cannot be read: unexpected '}' after the value at byte 7",
		"{\"a\":\"\xff\"}":           "trace cannot be read: byte 0xff is not UTF-8 in /a",
		"{\"output\":{\"n\":1e400}}": "trace cannot be read: number beyond the range of a double in /output/n",
	} {
		err := protocolError(attest.NewEngine(attest.Options{}).ValidateTrace([]byte(trace)))
		if err == nil || err.Message != want || err.Code != attest.CodeInvalidTrace {
			t.Errorf("%q: got %v, want %q", trace, err, want)
		}
	}
}

// TestDeprecatedVersion: schema_version 0 passes and is warned about.
func TestDeprecatedVersion(t *testing.T) {
	var log bytes.Buffer
	e := attest.NewEngine(attest.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err := e.ValidateTrace([]byte(`{"schema_version":0,"trace_id":"t","output":{"a":1}}`)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "schema_version 0 is deprecated") {
		t.Errorf("no warning in %q", log.String())
	}
}

package scan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/scan"
)

// TestRefusals: what the scanner refuses, and whose fault it is.
func TestRefusals(t *testing.T) {
	deep := strings.Repeat("[", 20)
	const tooMany = "Leave out steps or long lists that no assertion needs, or raise --max-values. Max allowed: 9 values: objects, arrays, strings, numbers, true, false and null."
	for text, want := range map[string]scan.Refusal{
		`{"trace":{"n":1e999}}`:                         {scan.InTrace, "trace cannot be read: number beyond the range of a double in /n", "Send numbers between -1.8e308 and 1.8e308, or send the value as a string.", 14},
		`{"trace":` + deep:                              {scan.InTrace, "trace cannot be read: JSON nesting exceeds 10 levels at byte 18", "Flatten the data: at most 10 levels of JSON containers are allowed.", 18},
		`{"assertions":[{"n":1e999`:                     {scan.InAssertions, "assertions cannot be read: number beyond the range of a double in /assertions/0/n", "Send numbers between -1.8e308 and 1.8e308, or send the value as a string.", 20},
		`{"trace":[1,2,3,4,5,6,7,8],"assertions":[]}`:   {scan.InTrace, "trace cannot be read: the value takes the request beyond 9 JSON values at byte 24", tooMany, 24},
		`{"trace":{},"assertions":[1,2,3,4,5,6,7,8,9]}`: {scan.InAssertions, "assertions cannot be read: the value takes the request beyond 9 JSON values in /assertions/6", tooMany, 38},
		`{"traces":1e999}`:                              {scan.WholeText, "invalid JSON: number beyond the range of a double at byte 10", "Send numbers between -1.8e308 and 1.8e308, or send the value as a string.", 10},
		`{"trace":}`:                                    {scan.WholeText, "invalid JSON: unexpected '}', expected a value at byte 9", "Send compact JSON as RFC 8259 defines it, one object per line.", 9},
		"\"\xff\"":                                      {scan.WholeText, "invalid JSON: byte 0xff is not UTF-8 at byte 1", "Encode the text as UTF-8; replace what cannot be encoded before sending.", 1},
		`{`:                                             {scan.WholeText, "invalid JSON: unexpected end of the text at byte 1", "The JSON ends too early: send the whole object on one line.", 1},
	} {
		values := 0
		if strings.Contains(text, "8") {
			values = 9
		}
		_, err := scan.New(10, values).Scan([]byte(text))
		if got := scan.Params(err, 10); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", text, got, want)
		}
		if got := scan.Text(err, 10); got.Part != scan.WholeText || !strings.HasPrefix(got.Message, "invalid JSON: ") || got.Offset != want.Offset {
			t.Errorf("%s: %+v", text, got)
		}
		if got := scan.Trace(err, 10); got.Part != scan.InTrace || !strings.HasPrefix(got.Message, "trace cannot be read: ") {
			t.Errorf("%s: %+v", text, got)
		}
	}
	other := errors.New("other")
	if scan.Params(other, 10).Message != "other" || scan.Text(other, 10).Message != "other" || scan.Trace(other, 10).Message != "trace cannot be read: other" {
		t.Error("an error of another kind is not passed on")
	}
}

// TestLenient: clients repeat names and cut texts within a character.
func TestLenient(t *testing.T) {
	if _, err := scan.New(10, 0).Scan([]byte(`{"a":1,"a":"\ud800"}`)); err != nil {
		t.Error(err)
	}
}

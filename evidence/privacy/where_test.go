package privacy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence/privacy"
)

// TestRemembers compares a redactor that has seen every case, and more names than it remembers, with a new one.
func TestRemembers(t *testing.T) {
	p := privacy.Default()
	used := privacy.NewRedactor(p)
	cases := readCases(t)
	compare := func(when string) {
		for _, c := range cases {
			e := read([]byte(c.In))
			got, want := redact(used, e), redact(privacy.NewRedactor(p), e)
			if got.text != want.text || got.swept != want.swept || !slices.Equal(got.changes, want.changes) {
				t.Errorf("%s, %s: %s\n got %s %q\nwant %s %q", when, c.Name, c.In, got.text, got.changes, want.text, want.changes)
			}
		}
	}
	compare("once")
	compare("again")
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf(`"n%d":{"a%d":"text","password":"hunter2-%d"}`, i, i, i))
	}
	e := event1(t, `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:a:b","id":"r:0","time":"2026-01-01T00:00:00Z",`+
		`"datacontenttype":"application/json","assayrunid":"r","assayseq":0,"data":{`+strings.Join(names, ",")+`}}`)
	for range 2 {
		if got := redact(used, e); len(got.changes) != len(names) || strings.Contains(got.text, "hunter2") {
			t.Errorf("%d passwords of %d were found", len(got.changes), len(names))
		}
	}
	compare("with full memory")
}

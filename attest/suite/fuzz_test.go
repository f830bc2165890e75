package suite_test

import (
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/suite"
)

// FuzzSuite: no suite makes the reader panic, and its findings have places.
func FuzzSuite(f *testing.F) {
	f.Add("a.yaml", []byte("- assertion_id: a\n  type: trace\n  spec: {check: no_duplicates}\n"))
	f.Add("a.json", []byte(`{"assertions": [{"assertion_id": "a", "x": 1}]}`))
	f.Add("a.jsonl", []byte("{}\n[]\n\"x\"\n"))
	f.Add("a", []byte("\ufeffa: [&x 1, *x]"))
	e := attest.NewEngine(attest.Options{})
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		file, findings := suite.Parse(e, name, data, nil)
		for _, finding := range findings {
			if finding.Line < 1 || finding.Column < 1 {
				t.Errorf("no place: %+v", finding)
			}
		}
		if len(findings) == 0 && file.Len() == 0 {
			t.Error("an empty suite without a finding")
		}
	})
}

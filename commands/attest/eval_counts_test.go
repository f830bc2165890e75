package attestcmd

import (
	"encoding/json"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// TestSkippedIsNoSoftFailure: what a hard failure saved is counted apart, as a suite's own
// budget of soft failures does.
func TestSkippedIsNoSoftFailure(t *testing.T) {
	results := []attest.Result{
		{Status: attest.Pass},
		{Status: attest.SoftFail},
		{Status: attest.SoftFail, Skipped: true},
		{Status: attest.SoftFail, Skipped: true},
	}
	var n, all evalCounts
	for _, r := range results {
		n.count(r)
	}
	one := 1
	if n != (evalCounts{Pass: 1, SoftFail: 1, Skipped: 2}) || !(attest.Suite{MaxSoft: &one}).Holds(results) {
		t.Errorf("%+v", n)
	}
	n.count(attest.Result{Status: attest.HardFail})
	all.add(n)
	all.add(n)
	if text, err := json.Marshal(all); err != nil || string(text) != `{"pass":2,"soft_fail":2,"hard_fail":2,"error":0,"skipped":4}` || all.String() != "2 pass, 2 soft_fail, 2 hard_fail, 4 skipped" {
		t.Errorf("%s, %v, %s", text, err, all)
	}
	if text, _ := json.Marshal(evalCounts{}); string(text) != `{"pass":0,"soft_fail":0,"hard_fail":0,"error":0}` {
		t.Errorf("%s", text)
	}
}

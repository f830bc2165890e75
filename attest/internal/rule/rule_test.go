package rule_test

import (
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/rule"
)

// TestTable: no row is empty, and no id occurs twice.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range rule.Table {
		if r.ID == "" || r.Title == "" || r.Clause == "" || r.Rationale == "" || r.Bad == "" || r.Good == "" || seen[r.ID] {
			t.Errorf("row %d: %+v", i, r)
		}
		seen[r.ID] = true
	}
	f := rule.SoftFail.New("a")
	if f.Rule != "assertion.soft_fail" || f.Message != "a" || f.Severity != rule.Table[rule.SoftFail].Severity {
		t.Errorf("%+v", f)
	}
}

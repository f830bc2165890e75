package archtest

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/incident"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/conformance"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/expect"
	"github.com/cupel-dev/cupel/trace"
)

// ruleTables are the rules of each package that has some.
var ruleTables = map[string][]finding.Rule{
	"attest": attest.Rules(), "trace": trace.Rules(),
	"oatf": oatf.Rules(), "oatf/conformance": conformance.Rules(), "oatf/eval": eval.Rules(), "oatf/expect": expect.Rules(),
	"evidence": evidence.Rules(), "evidence/bundle": bundle.Rules(), "evidence/incident": incident.Rules(), "evidence/lint": lint.Rules(), "evidence/payload": payload.Rules(),
	"evidence/projection": projection.Rules(), "evidence/proof": proof.Rules(), "evidence/redact": redact.Rules(), "evidence/seal": seal.Rules(),
}

// casesElsewhere are rules whose cases are in a data file that several packages share.
var casesElsewhere = map[string]string{
	"anchor.sha256":    "testdata/evidence/bundles.jsonl",
	"anchor.run_root":  "testdata/evidence/bundles.jsonl",
	"anchor.bundle_id": "testdata/evidence/bundles.jsonl",
}

// TestEveryRuleHasACase holds that each rule has a bad and a good example, which the tests of its package run, or that a
// test or a data file of its package names it.
func TestEveryRuleHasACase(t *testing.T) {
	for folder, rules := range ruleTables {
		if len(rules) == 0 {
			t.Errorf("%s has no rules", folder)
		}
		cases := casesOf(t, folder)
		for _, r := range rules {
			shared := casesElsewhere[r.ID]
			switch {
			case r.Bad != "" && r.Good != "", strings.Contains(cases, r.ID):
			case shared == "":
				t.Errorf("%s: rule %s has no case: add examples to its row, or a case to the package's tests", folder, r.ID)
			case !strings.Contains(readFile(t, shared), r.ID):
				t.Errorf("%s: rule %s has no case in %s", folder, r.ID, shared)
			}
		}
	}
}

// casesOf returns the text of all tests and data files of tests below a folder.
func casesOf(t *testing.T, folder string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".txt") || strings.Contains(filepath.ToSlash(name), "/testdata/") {
			text.WriteString(readFile(t, name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

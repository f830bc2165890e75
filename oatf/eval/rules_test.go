package eval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// TestRuleExamples runs the examples of the rules about verdicts: each is the inside of an
// attack, which is evaluated on a call of a tool. Those of the rules about indicators and
// lines are run where their findings have places, by `oatf eval`.
func TestRuleExamples(t *testing.T) {
	count := 0
	for _, r := range eval.Rules() {
		if r.Title == "" || r.Clause == "" || r.Rationale == "" {
			t.Errorf("%s lacks its title, clause or rationale", r.ID)
		}
		if strings.HasPrefix(r.ID, "E-1") {
			continue
		}
		if r.Bad == "" {
			if r.ID != "E-003" && r.ID != "E-004" { // programs alone can do that
				t.Errorf("%s has no example", r.ID)
			}
			continue
		}
		count++
		if codes := codesOf(t, r.Bad); !slices.Contains(codes, r.ID) {
			t.Errorf("%s: the bad example gives %v", r.ID, codes)
		}
		if codes := codesOf(t, r.Good); slices.Contains(codes, r.ID) {
			t.Errorf("%s: the good example gives %v", r.ID, codes)
		}
	}
	if count < 4 {
		t.Fatalf("only %d rules have examples", count)
	}
}

func codesOf(t *testing.T, example string) (codes []string) {
	t.Helper()
	doc, err := oatf.Parse([]byte("oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {tools: []}}\n  " +
		strings.ReplaceAll(strings.TrimSpace(example), "\n", "\n  ") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := eval.NewEvaluator(doc, eval.Options{CEL: eval.NewCEL(eval.CELOptions{})})
	if err != nil {
		t.Fatal(err)
	}
	v := verdictOn(t, e, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cat","arguments":{"path":"/tmp"}}}`+"\n")
	for _, d := range v.Diagnostics {
		codes = append(codes, eval.DiagnosticFinding(d).Rule)
	}
	return codes
}

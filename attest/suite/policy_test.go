package suite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
)

// TestParsePolicy holds what a policy says, and the faults of one.
func TestParsePolicy(t *testing.T) {
	for text, want := range map[string]string{
		"layers: {content: {max_hard_fails: 1, max_soft_fails: 2}}\nmax_cost_usd: 0.5\nblock_on_regression: true\nfailure_classes: {flaky_judge: allow}": "",
		`{"layers": {"llm_judge": {"max_hard_fails": 0}}}`: "",
		"":                                  "it is empty",
		"layers: [":                         "invalid YAML: ",
		"- 1":                               "a policy must be an object (line 1)",
		"layer: {}":                         `unknown key "layer" in a policy, did you mean "layers"? (line 1)`,
		"\nlayers: {contents: {}}":          `unknown key "contents" in layers, did you mean "content"? (line 2)`,
		"layers: {content: {max_fails: 1}}": `unknown key "max_fails" in the layer content, `,
		"layers: {content: {max_hard_fails: -1}}":  "a limit must be a whole number of 0 or more (line 1)",
		"layers: {content: {max_hard_fails: 1.5}}": "a limit must be a whole number of 0 or more (line 1)",
		"layers: {content: 5}":                     "the layer content must be an object (line 1)",
		"layers: {content: {}, content: {}}":       "", // the loader says so
		"max_cost_usd: free":                       "max_cost_usd must be a number of dollars of 0 or more (line 1)",
		"max_cost_usd: .nan":                       "max_cost_usd must be a number of dollars of 0 or more (line 1)",
		"block_on_regression: maybe":               "block_on_regression must be true or false (line 1)",
		"failure_classes: {flaky_judge: ignore}":   "a failure class is either allow or block (line 1)",
		"failure_classes: {flaky: allow}":          `unknown key "flaky" in failure_classes, `,
		"max_cost_usd: 1\n---\nmax_cost_usd: 2":    "a policy is one YAML document, and a second begins here (line 2)",
	} {
		_, err := ParsePolicy([]byte(text))
		switch {
		case strings.Contains(text, "content: {}, content"):
			if err == nil {
				t.Errorf("%q: no error for a key that occurs twice", text)
			}
		case want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
}

// TestPolicyIsMonotone holds that a stricter policy never passes a run that a weaker one blocks, whatever the order of
// the results.
func TestPolicyIsMonotone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	blocked := func(text string, results []attest.Result) bool {
		p, err := ParsePolicy([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var tally Tally
		some := false
		for _, r := range results {
			some = p.Blocks(&tally, r) || some
		}
		return some || len(p.Broken(tally, 0, 0)) > 0
	}
	for range 2000 {
		var results []attest.Result
		for range random.IntN(6) {
			r := attest.Result{Status: []attest.Status{attest.Pass, attest.SoftFail, attest.HardFail}[random.IntN(3)]}
			r.Type = []attest.AssertionType{"content", "llm_judge"}[random.IntN(2)]
			if r.Type == "llm_judge" {
				r.Judge = &attest.JudgeMetadata{HighVariance: random.IntN(2) == 0}
			}
			results = append(results, r)
		}
		hard, soft := random.IntN(4), random.IntN(4)
		policy := "layers: {content: {max_hard_fails: %d, max_soft_fails: %d}}\nfailure_classes: {flaky_judge: %s}"
		weak, strict := fmt.Sprintf(policy, hard+random.IntN(2), soft+random.IntN(2), "allow"), fmt.Sprintf(policy, hard, soft, []string{"allow", "block"}[random.IntN(2)])
		if blocked(weak, results) && !blocked(strict, results) {
			t.Fatalf("%s blocks %v, and %s does not", weak, results, strict)
		}
		before := blocked(strict, results)
		random.Shuffle(len(results), func(i, k int) { results[i], results[k] = results[k], results[i] })
		if blocked(strict, results) != before {
			t.Fatalf("the order of %v matters to %s", results, strict)
		}
	}
}

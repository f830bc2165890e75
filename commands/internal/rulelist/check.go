package rulelist

import (
	"slices"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/trace"
)

// ModelRule is the rule of an assertion that asks a model.
const ModelRule = "check.model"

// SecretRule is the rule of a secret in a file that is not a record.
const SecretRule = "check.secret"

// CheckRules are the rules of `cupel check` itself.
var CheckRules = finding.Table{
	{
		ID:        "check.unknown",
		Title:     "the file may contain records, but its format is unknown",
		Severity:  finding.Warning,
		Clause:    "docs/check.md",
		Rationale: "A file that looks like a record, but has no known format, can be a damaged record. It is reported so that nobody takes it for a checked one. Use `exclude` in cupel.yaml to leave out foreign files. A file that you name must have a known format.",
		Bad:       `{"vent":"TOOL_CALL","pay":{}}`,
		Good:      `{"event_type":"ERROR","payload":{"error_type":"t","message":"m","fatal":false}}`,
	},
	{
		ID:       ModelRule,
		Title:    "an assertion asks a model, and was not evaluated",
		Severity: finding.Info,
		Clause:   "docs/check.md",
		Rationale: "A check reaches no network: the assertions of a suite that ask a judge or have texts embedded are passed over, each with its place, " +
			"and the others are evaluated. `cupel attest eval` asks the models.",
		Bad:  `{assertion_id: helpful, type: llm_judge, spec: {rubric: helpfulness, threshold: 0.75}}`,
		Good: `{assertion_id: polite, type: content, spec: {target: output.message, check: contains, value: please}}`,
	},
	{
		ID:       SecretRule,
		Title:    "a file that is not a record has a secret",
		Severity: finding.Warning,
		Clause:   "docs/check.md",
		Rationale: "With `--secrets`, check also looks for keys, tokens and passwords in the files that it skips. They get no verdict: " +
			"a finding names the place and the kind of the secret, and never its value. Anyone who gets the file gets the secret: change it.",
		Bad:  `password = "kV9-tr0ub4dor"`,
		Good: `password = os.environ["DB_PASSWORD"]`,
	},
}

// CheckedRules returns the rules of `cupel check` and of the commands that it runs.
func CheckedRules() []finding.Rule {
	return slices.Concat(CheckRules, RequireRules, trace.Rules(), EvidenceLintRules(), oatf.Rules(), attest.Rules())
}

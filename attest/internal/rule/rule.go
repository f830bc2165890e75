// Package rule is the rule table of suites, traces and results.
package rule

import "github.com/cupel-dev/cupel/finding"

// Handle is an index into Table.
type Handle uint8

// The rules.
const (
	SuiteSyntax Handle = iota
	SuiteEmpty
	SuiteKey
	SuiteDuplicate
	SuiteAssertion
	SuiteProvider
	TraceInvalid
	EvaluationFailed
	HardFail
	SoftFail
	MaxSoft
	CassetteUnused
	Unanswerable
	SchemaKeyword
	SchemaFormat
	ToolRepeated
	ToolPattern
	ToolSpelling
	SuiteCase
	PolicyBroken
)

const suiteFormat = "suite format (docs/attest-suite.md)"

// Table lists the rules on suites, traces and results. Examples are suites in YAML, or a trace. Those on results
// use a trace with output.message "Done." without models; those of assertion.unanswerable use an import with lost
// calls.
var Table = finding.Table{
	SuiteSyntax: {
		ID: "suite.syntax", Title: "the suite is not JSON, JSON lines or YAML", Severity: finding.Error, Clause: suiteFormat,
		Rationale: "A suite that cannot be read evaluates nothing. Anchors, aliases, tags and repeated keys are refused, because readers disagree about them.",
		Bad:       "assertions: {a: 1, a: 2}",
		Good:      example("check: contains, value: done"),
	},
	SuiteEmpty: {
		ID: "suite.empty", Title: "the suite has no assertions", Severity: finding.Error, Clause: suiteFormat,
		Rationale: "An empty suite passes whatever the agent did.",
		Bad:       "assertions: []",
		Good:      example("check: contains, value: done"),
	},
	SuiteKey: {
		ID: "suite.key", Title: "a key of the suite is unknown", Severity: finding.Error, Clause: suiteFormat,
		Rationale: "A mistyped key is an expectation that nobody checks.",
		Bad:       example("check: contains, value: done, case_senstive: true"),
		Good:      example("check: contains, value: done, case_sensitive: false"),
	},
	SuiteDuplicate: {
		ID: "suite.duplicate_id", Title: "an assertion_id is repeated", Severity: finding.Error, Clause: "attest protocol v1, section 2.2",
		Rationale: "Results are matched to assertions by their id.",
		Bad:       example("check: contains, value: done") + "\n" + example("check: contains, value: agent"),
		Good:      example("check: contains, value: done"),
	},
	SuiteAssertion: {
		ID: "suite.assertion", Title: "an assertion cannot be evaluated", Severity: finding.Error, Clause: "attest protocol v1, sections 4 and 5 (1002)",
		Rationale: "Unknown types and checks, bad regular expressions, schemas and targets say nothing about a trace.",
		Bad:       example("check: regex_match, value: '['"),
		Good:      example("check: regex_match, value: '[a-z]'"),
	},
	SuiteProvider: {
		ID: "suite.provider", Title: "an assertion needs a model, but none is configured", Severity: finding.Error, Clause: "attest protocol v1, section 2.1 (layers_5_6)",
		Rationale: "Without a provider, an embedding or a judge has no result, so the run exits with 2. The engine of cupel attest serve fails the assertion and evaluates the others.",
		Bad:       "- {assertion_id: a, type: embedding, spec: {target: output.message, reference: Done.}}",
		Good:      "- {assertion_id: a, type: embedding, spec: {target: output.message, reference: Done., model: builtin/lexical}}",
	},
	TraceInvalid: {
		ID: "trace.invalid", Title: "the trace is valid", Severity: finding.Error, Clause: "attest protocol v1, section 7 (1001)",
		Rationale: "The seven validation steps come before any assertion; the first that fails is reported.",
		Bad:       `{"schema_version": 1, "trace_id": "", "output": {"message": "Done."}}`,
		Good:      `{"schema_version": 1, "trace_id": "trc_1", "output": {"message": "Done."}}`,
	},
	EvaluationFailed: {
		ID: "evaluation.failed", Title: "the assertions could be evaluated", Severity: finding.Error, Clause: "attest protocol v1, section 5 (2001, 3002)",
		Rationale: "A model that does not answer, or answers what cannot be used, says nothing about the trace, and neither does an evaluation whose time is over.",
		Bad:       judged,
		Good:      example("check: contains, value: done"),
	},
	HardFail: {
		ID: "assertion.hard_fail", Title: "an assertion fails", Severity: finding.Error, Clause: "attest protocol v1, section 2.2",
		Rationale: "The trace does not meet the suite's requirement, or the check cannot be evaluated on it.",
		Bad:       example("check: contains, value: refund"),
		Good:      example("check: contains, value: done"),
	},
	SoftFail: {
		ID: "assertion.soft_fail", Title: "a soft assertion fails", Severity: finding.Warning, Clause: "attest protocol v1, section 4",
		Rationale: "Soft failures are counted and reported, but only more than --max-soft of them make the answer no.",
		Bad:       example("check: contains, value: refund, soft: true"),
		Good:      example("check: contains, value: done, soft: true"),
	},
	MaxSoft: {
		ID: "suite.max_soft", Title: "more assertions fail softly than the suite allows", Severity: finding.Error, Clause: suiteFormat,
		Rationale: "max_soft bounds the soft failures of a suite over all the traces of a run, --max-soft those of all suites together. The bound makes the answer no, whatever --select, --ignore and --fail-on leave of the failures themselves; those that a baseline accepts do not count.",
		Bad:       "max_soft: 0\nassertions:\n" + example("check: contains, value: refund, soft: true"),
		Good:      "max_soft: 1\nassertions:\n" + example("check: contains, value: refund, soft: true"),
	},
	Unanswerable: {
		ID: "assertion.unanswerable", Title: "the record of an imported trace lacks content that an assertion needs", Severity: finding.Error, Clause: "traces of other formats (docs/attest-import.md)",
		Rationale: "A lost tool call could be the forbidden one: an assertion about absence, a count or a limit is not evaluated on a trace with lost or unread calls, spans or texts. The run exits with 2; --allow-incomplete evaluates the existing content.",
		Bad:       forbids,
		Good:      example("check: contains, value: done"),
	},
	CassetteUnused: {
		ID: "cassette.unused", Title: "a recorded model answer is unused", Severity: finding.Warning, Clause: "cassettes (docs/attest-cassettes.md)",
		Rationale: "An unused recorded answer belongs to another prompt, trace or suite. Nothing keeps it correct. --prune removes it. A run that leaves assertions out, by --tag and --filter or after a hard failure, does not report them.",
		Bad:       example("check: contains, value: done"),
		Good:      judged,
	},
	SchemaKeyword: {
		ID: "suite.schema_keyword", Title: "a schema has a misspelled keyword", Severity: finding.Warning, Clause: "JSON Schema 2020-12, core, section 4.3.1",
		Rationale: "JSON Schema ignores keywords that it does not know, so a misspelled one never fails.",
		Bad:       schemaExample("properites: {id: {type: string}}"),
		Good:      schemaExample("properties: {id: {type: string}}"),
	},
	SchemaFormat: {
		ID: "suite.schema_format", Title: "a schema has a format that is not checked", Severity: finding.Warning, Clause: "JSON Schema 2020-12, validation, section 7.2.1",
		Rationale: "The keyword format is an annotation by default and never fails. A spec with format: assert checks it.",
		Bad:       schemaExample("format: email"),
		Good:      "- {assertion_id: a, type: schema, spec: {target: output.message, format: assert, schema: {format: regex}}}",
	},
	ToolRepeated: {
		ID: "suite.tool_repeated", Title: "a list of tools has a name twice", Severity: finding.Warning, Clause: "attest protocol v1, section 4.3",
		Rationale: "The second entry checks nothing that the first does not, except in checks of order. It is often a copy that should name another tool.",
		Bad:       toolExample("required_tools, tools: [a, a]"),
		Good:      toolExample("forbidden_tools, tools: [a, b]"),
	},
	ToolPattern: {
		ID: "suite.tool_pattern", Title: "a tool name looks like a pattern", Severity: finding.Warning, Clause: "attest protocol v1, section 4.3",
		Rationale: "Tool names are compared as they are. A forbidden name with an asterisk matches no call, so the assertion never fails.",
		Bad:       toolExample("forbidden_tools, tools: ['delete_*']"),
		Good:      toolExample("forbidden_tools, tools: [delete_file]"),
	},
	ToolSpelling: {
		ID: "suite.tool_spelling", Title: "a forbidden tool is spelled like another one that is called", Severity: finding.Warning, Clause: "attest protocol v1, section 4.3",
		Rationale: "No trace of the run calls the forbidden tool, but one calls a tool with almost the same name. A misspelled name never fails.",
		Bad:       toolExample("forbidden_tools, tools: [delete_fiel]"),
		Good:      toolExample("forbidden_tools, tools: [delete_file]"),
	},
	SuiteCase: {
		ID: "suite.case", Title: "a case of the suite cannot be used, or no trace belongs to it", Severity: finding.Error, Clause: suiteFormat,
		Rationale: "A case without a trace checks nothing, although the suite asks for it: its run is missing, or its id is misspelled. A case that lacks a value, or names a file that cannot be read, cannot be checked at all.",
		Bad:       "cases: [{id: a, traces: '*'}]\nassertions:\n" + example("check: contains, value: '{{word}}'"),
		Good:      "cases: [{id: a, traces: '*', word: done}]\nassertions:\n" + example("check: contains, value: '{{word}}'"),
	},
	PolicyBroken: {
		ID: "suite.policy", Title: "the results do not meet the policy", Severity: finding.Error, Clause: "policies (docs/attest-suite.md)",
		Rationale: "The file of --policy limits the failures of each layer, the cost, and the results that are worse than in an earlier run.",
		Bad:       example("check: contains, value: refund") + "\n# policy: {layers: {content: {max_hard_fails: 0}}}",
		Good:      example("check: contains, value: refund") + "\n# policy: {layers: {content: {max_hard_fails: 1}}}",
	},
}

func schemaExample(schema string) string {
	return "- {assertion_id: a, type: schema, spec: {target: output.message, schema: {" + schema + "}}}"
}

func toolExample(check string) string {
	return "- {assertion_id: a, type: trace, spec: {check: " + check + "}}"
}

// judged is a suite with a judge. The example of CassetteUnused has a recorded answer for it.
const judged = "- {assertion_id: a, type: llm_judge, spec: {rubric: helpfulness}}"

func example(check string) string {
	return "- {assertion_id: a, type: content, spec: {target: output.message, " + check + "}}"
}

// New returns a finding of the rule, with its severity and without a position.
func (h Handle) New(message string) finding.Finding { return Table[h].New(message) }

// forbids is a suite that cannot pass on a trace with lost calls.
const forbids = `assertions:
  - {assertion_id: a, type: trace, spec: {check: forbidden_tools, tools: [pay]}}
`

package eval

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf"
)

// Rules returns the rules of diagnostics in an [AttackVerdict]. Examples are the content of an attack; a good one,
// evaluated on a tool call, has no diagnostic.
func Rules() []finding.Rule { return slices.Clone(rules) }

type rule uint8

const (
	noIndicators rule = iota
	nothingEvaluated
	unknownLogic
	foreignVerdict
	noMessage
	nothingResolved
	noText
	blindTarget

	indicatorMatched
	indicatorFailed
	indicatorSkipped
	badLine
)

const (
	sdk    = "OATF SDK specification 0.1, "
	format = "OATF format specification 0.1, "
)

var rules = finding.Table{
	noIndicators: {
		ID: "E-001", Title: "the document has no indicators", Severity: finding.Error, Class: "no verdict",
		Clause:    sdk + "§4.5",
		Rationale: "Without indicators nothing says whether an agent complied. Such a document simulates an attack; its evaluation is an error, never a pass.",
		Bad:       "indicators: []\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_name, pattern: {target: name, condition: {exists: true}}}\n",
	},
	nothingEvaluated: {
		ID: "E-002", Title: "no indicator was evaluated", Severity: finding.Error, Class: "no verdict",
		Clause:    sdk + "§4.5",
		Rationale: "All indicators were skipped, because an evaluator or a matching message was missing. A verdict without an evaluation is not a pass.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_arguments, semantic: {target: arguments, intent: exfiltration}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},
	unknownLogic: {
		ID: "E-003", Title: "the correlation logic does not exist", Severity: finding.Error, Class: "no verdict",
		Clause:    sdk + "§2.20",
		Rationale: "Indicators combine by any or by all. A document that is parsed has no other value; one that a program makes can have.",
	},
	foreignVerdict: {
		ID: "E-004", Title: "a verdict belongs to no indicator of the document", Severity: finding.Warning,
		Clause:    sdk + "§4.5",
		Rationale: "It does not count. Mostly an id is misspelled, or the verdicts are those of another document; then the indicator that was meant counts as skipped.",
	},
	noMessage: {
		ID: "E-005", Title: "an indicator applies to no message", Severity: finding.Warning,
		Clause:    format + "§6",
		Rationale: "The run has no messages of the kinds that its surface needs, so the indicator was skipped. Under revision 2026-03, its protocol, operation, actor and direction select the messages. `cupel oatf eval --explain-selection` shows them.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_description, pattern: {contains: IMPORTANT}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},
	nothingResolved: {
		ID: "E-006", Title: "an indicator's target leads to nothing", Severity: finding.Warning,
		Clause:    sdk + "§4.2",
		Rationale: "No message that the indicator applies to has a value there, so it counts as not matched. Mostly the argument has another name, or the run is not one of this attack. A target begins at the params of a request, at the result of a response or at an event.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: arguments.file, condition: {contains: id_rsa}}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},

	noText: {
		ID: "E-007", Title: "an indicator looks for text, but its target never holds text", Severity: finding.Warning,
		Clause:    sdk + "§5.3",
		Rationale: "In revision sdk-0.1, contains, starts_with, ends_with and regex match only strings, but the values at the target are always of another type, usually objects. The default targets of most surfaces are objects: name a target with a string, or use an expression.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {contains: id_rsa}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},

	blindTarget: {
		ID: "E-008", Title: "an indicator can never match", Severity: finding.Warning,
		Clause:    format + "§6",
		Rationale: "Its target is a path that no payload of its protocol has, in any revision. If no other indicator of a document was evaluated, the document has no verdict.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: args.path, condition: {contains: id_rsa}}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},

	indicatorMatched: {
		ID: "E-101", Title: "an indicator matched", Severity: finding.Error,
		Clause:    sdk + "§4.4",
		Rationale: "A message contains what the indicator looks for: the agent did what the attack wants, or a part of it. The document's correlation logic combines this into the verdict.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: name, condition: {exists: true}}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: name, condition: {contains: a tool of another name}}}\n",
	},
	indicatorFailed: {
		ID: "E-102", Title: "an indicator could not be evaluated", Severity: finding.Error, Class: "no verdict",
		Clause:    sdk + "§4.4",
		Rationale: "It is unknown whether the agent did what the indicator looks for, so the document has no verdict. The expression fails on a message, an evaluator does not answer, or a part of a capture cannot be read.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_arguments, expression: {cel: size(message)}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, expression: {cel: size(message) > 100}}\n",
	},
	indicatorSkipped: {
		ID: "E-103", Title: "an indicator was skipped", Severity: finding.Warning,
		Clause:    sdk + "§4.5",
		Rationale: "It counts as not matched, but nothing was looked at: for want of an evaluator, or of a message that it applies to. A verdict that rests on the other indicators says less than one on all of them.",
		Bad:       "indicators:\n  - {protocol: mcp, surface: tool_arguments, semantic: {target: arguments, intent: exfiltration}}\n",
		Good:      "indicators:\n  - {protocol: mcp, surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n",
	},
	badLine: {
		ID: "E-104", Title: "a line of a capture cannot be read", Severity: finding.Error, Class: "no verdict",
		Clause:    sdk + "§4.1",
		Rationale: "The line could contain what an indicator looks for: an indicator with a match elsewhere is not affected, any other is an error.",
		Bad:       "{\"name\":\"x\",\"name\":\"y\"}",
		Good:      "{\"name\":\"x\"}",
		Flags:     "--skip-bad-lines counts such lines and leaves them out",
	},
}

// of returns a diagnostic. path is a path of the document, or "".
func (r rule) of(path, message string) oatf.Diagnostic {
	severity := model.DiagnosticWarning
	if rules[r].Severity == finding.Error {
		severity = model.DiagnosticError
	}
	return oatf.Diagnostic{Severity: severity, Code: rules[r].ID, Path: path, Message: message}
}

package projection

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of digests. Examples are a tool or list of tools for "tool." rules, a
// policy for "policy.shape", any text for "json.canonical", otherwise an event.
func Rules() []finding.Rule { return slices.Clone(rules) }

// rule is an index into the rule table.
type rule uint8

const (
	ruleShape rule = iota
	ruleUnnamed
	ruleSchema
	ruleRepeated
	rulePage
	ruleRounded
	ruleMismatch
	ruleUnknown
	rulePolicyShape
	rulePolicyMismatch
	rulePolicyUnpaired
	ruleSemantic
	ruleJSON
)

const (
	clauseTool     = "ADR-006 §3 B, tool_definition_digest"
	clausePolicy   = "ADR-006 §3 B, policy_snapshot_digest"
	clauseSemantic = "Evidence Contract v1, assaysemanticdigest"

	eventOf = `{"specversion":"1.0","type":"assay.tool.decision","datacontenttype":"application/json","data":`
	sumA    = "sha256:adaee9619563fc8be47881e8224a056094f5f45984f9c19ccc82fb609193ae1d" // of readFile
	sumB    = "sha256:3f1b5ce7170804143ea6c840825f11e1fce1aed30dba5b7f0d83220f84066889"

	readFile = `{"name":"read_file","inputSchema":{"type":"object"}}`
)

var rules = finding.Table{
	ruleShape: {
		ID:        "tool.shape",
		Title:     "the text is neither a tool nor a list of tools",
		Severity:  finding.Error,
		Clause:    clauseTool,
		Rationale: "The input must be strict JSON: a tool, an array of tools, a tools/list result, or a JSON-RPC response with one. JSON that readers understand differently has no digest: a repeated member name, half of a surrogate pair, a number beyond a double.",
		Bad:       `{"name":"read_file","name":"write_file"}`,
		Good:      `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + readFile + `]}}`,
	},
	ruleUnnamed: {
		ID:        "tool.unnamed",
		Title:     "the tool has no name",
		Severity:  finding.Error,
		Clause:    clauseTool,
		Rationale: "The name must not be blank. Without it, no call can refer to the tool, and there is no digest.",
		Bad:       `{"name":"  ","inputSchema":{"type":"object"}}`,
		Good:      readFile,
	},
	ruleSchema: {
		ID:        "tool.schema",
		Title:     "the tool's input schema is not an object",
		Severity:  finding.Error,
		Clause:    clauseTool,
		Rationale: "inputSchema, or else input_schema, must be an object if it exists; null is not an object. It is digested whole.",
		Bad:       `{"name":"read_file","inputSchema":null}`,
		Good:      readFile,
	},
	ruleRepeated: {
		ID:        "tool.repeated",
		Title:     "two tools of a list have the same name and different digests",
		Severity:  finding.Warning,
		Clause:    clauseTool,
		Rationale: "A call names its tool by the name alone: nobody can say which of the two definitions it was about.",
		Bad:       `[{"name":"read_file"},` + readFile + `]`,
		Good:      `[{"name":"write_file"},` + readFile + `]`,
	},
	rulePage: {
		ID:        "tool.page",
		Title:     "the list of tools continues on another page",
		Severity:  finding.Warning,
		Clause:    "MCP, pagination of tools/list",
		Rationale: "A result with nextCursor is a page. The digests of its tools are right; that of the manifest is the digest of the page alone.",
		Bad:       `{"tools":[` + readFile + `],"nextCursor":"2"}`,
		Good:      `{"tools":[` + readFile + `]}`,
	},
	ruleRounded: {
		ID:        "tool.rounded",
		Title:     "canonical JSON rounds an integer of the tool",
		Severity:  finding.Warning,
		Clause:    "RFC 8785 §3.2.2.3",
		Rationale: "Canonical JSON has numbers as doubles, which cannot tell integers beyond 2^53 from their neighbours: definitions that differ in such a number alone have one digest.",
		Bad:       `{"name":"t","inputSchema":{"maximum":9007199254740993}}`,
		Good:      `{"name":"t","inputSchema":{"maximum":9007199254740992}}`,
	},
	ruleMismatch: {
		ID:        "tool.mismatch",
		Title:     "the recorded digest does not match the tool's definition",
		Severity:  finding.Error,
		Class:     "Integrity",
		Clause:    clauseTool,
		Rationale: "The event says which definition the caller was shown. A difference means another definition, another server id, or another way of computing.",
		Bad:       eventOf + `{"tool":"read_file","decision":"allow","tool_definition_digest":"` + sumB + `"}}`,
		Good:      eventOf + `{"tool":"read_file","decision":"allow","tool_definition_digest":"` + sumA + `"}}`,
		Flags:     "--check",
	},
	ruleUnknown: {
		ID:        "tool.unknown",
		Title:     "no definition of the event's tool is given",
		Severity:  finding.Error,
		Clause:    clauseTool,
		Rationale: "A digest without a definition to compare with proves nothing.",
		Bad:       eventOf + `{"tool":"write_file","decision":"allow","tool_definition_digest":"` + sumA + `"}}`,
		Good:      eventOf + `{"tool":"read_file","decision":"allow","tool_definition_digest":"` + sumA + `"}}`,
		Flags:     "--check; --ignore-missing leaves such events out",
	},
	rulePolicyShape: {
		ID:        "policy.shape",
		Title:     "the canonical form of the policy is not known",
		Severity:  finding.Error,
		Clause:    clausePolicy,
		Rationale: "The digest is that of the policy as its engine has loaded it, with every default. Where the contract does not say what those are, any digest would be a guess.",
		Bad:       `{"version":"1","limits":{"max_calls":3}}`,
		Good:      `{"version":"1","tools":{"deny":["delete_*"]}}`,
		Flags:     "--experimental",
	},
	rulePolicyMismatch: {
		ID:        "policy.mismatch",
		Title:     "a policy digest of the event is not the expected one",
		Severity:  finding.Error,
		Class:     "Integrity",
		Clause:    clausePolicy,
		Rationale: "policy_snapshot_digest is the self-describing projection of policy_digest and must have the same value.",
		Bad:       eventOf + `{"tool":"t","decision":"allow","policy_digest":"` + sumA + `","policy_snapshot_digest":"` + sumB + `"}}`,
		Good:      eventOf + `{"tool":"t","decision":"allow","policy_digest":"` + sumA + `","policy_snapshot_digest":"` + sumA + `"}}`,
	},
	rulePolicyUnpaired: {
		ID:        "policy.unpaired",
		Title:     "the policy snapshot digest lacks its policy digest",
		Severity:  finding.Warning,
		Clause:    clausePolicy,
		Rationale: "Readers that know only the older member do not see the policy, and there is nothing to compare with.",
		Bad:       eventOf + `{"tool":"t","decision":"allow","policy_snapshot_digest":"` + sumA + `"}}`,
		Good:      eventOf + `{"tool":"t","decision":"allow","policy_digest":"` + sumA + `","policy_snapshot_digest":"` + sumA + `"}}`,
	},
	ruleSemantic: {
		ID:        "semantic.mismatch",
		Title:     "the recorded semantic digest does not match the data",
		Severity:  finding.Warning,
		Clause:    clauseSemantic,
		Rationale: "The semantic digest correlates events that mean the same, and is never integrity: a difference means another profile, other set members, or data that was changed since.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":3},"assaydigestprofile":"p1","assaysemanticdigest":"` + sumA + `"}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","data":{"hits":3},"assaydigestprofile":"p1","assaysemanticdigest":"sha256:dff10c6f552499c3c0769b8ff7293c2c48884153a339b7c8903cca18563e79b8"}`,
		Flags:     "--check makes it an error",
	},
	ruleJSON: {
		ID:        "json.canonical",
		Title:     "the text has no canonical form",
		Severity:  finding.Error,
		Clause:    "RFC 8785 §3.1",
		Rationale: "Canonical JSON requires I-JSON (RFC 7493). Readers disagree on repeated members, halves of surrogate pairs and numbers beyond a double.",
		Bad:       `{"a":1,"a":2}`,
		Good:      `{"a":1,"b":2}`,
	},
}

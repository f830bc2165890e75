package rules

import "github.com/cupel-dev/cupel/finding"

// common returns the rules shared by revisions: parse faults, revisions and suppressions. sdk is their SDK
// specification.
func common(sdk string) Set {
	return Set{
		// Syntax and structure.
		Syntax: {
			ID: "P-001", Title: "the text is not YAML that OATF allows", Severity: finding.Error, Class: "unreadable",
			Clause:    sdk + "§3.1 (syntax)",
			Rationale: "A document is one YAML 1.2 document in UTF-8 with unique keys. Anchors, aliases, merge keys and custom tags mean different things to different readers and are refused.",
			Bad:       "name: [unclosed\n",
			Good:      "name: closed\n",
		},
		Shape: {
			ID: "P-002", Title: "a key is unknown or missing, or its value has the wrong type", Severity: finding.Error, Class: "unreadable",
			Clause: sdk + "§3.1 (type_mismatch)", Flags: "--unknown-fields warn",
			Rationale: "A mistyped key would be ignored and the attack would run without what its author meant. Keys of your own begin with x-.",
			Bad:       "serverity: high\n",
			Good:      "severity: high\n",
		},
		Member: {
			ID: "P-003", Title: "a value is not a member of its closed enumeration", Severity: finding.Error, Class: "unreadable",
			Clause:    sdk + "§2.20 and §3.1 (unknown_variant)",
			Rationale: "Tools decide by these words, and a word they do not know would make them decide at random.",
			Bad:       "status: published\n",
			Good:      "status: stable\n",
		},

		OneRevision: {
			ID: "L-601", Title: "the document has marks of two revisions of the format", Severity: finding.Warning,
			Clause:    "cupel",
			Rationale: "All revisions declare version 0.1, and the marks decide which one applies. Marks of another revision mean nothing there, or something else.",
			Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      on_enter: [{send: {method: notifications/tools/list_changed}}, {send_notification: {method: notifications/progress}}]\n",
			Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      on_enter: [{log: {message: Begun}}]\n",
		},

		CutText: {
			ID: "L-701", Title: "a text without quotes ends at a #", Severity: finding.Warning,
			Clause:    "cupel",
			Rationale: "In YAML, a # after a space begins a comment, so the rest of the text is lost. A real comment has a space after #.",
			Bad:       "name: Attack #1 on calculators\n",
			Good:      "name: \"Attack #1 on calculators\"\n",
		},

		// Suppression comments.
		Reason: {
			ID: "S-001", Title: "a suppression has no reason", Severity: finding.Warning,
			Clause:    "cupel",
			Rationale: "A suppression names rules and says why: the next reader has to judge whether it still holds. Without a reason it suppresses nothing.",
			Bad:       "severity: extreme # cupel:ignore P-003\n",
			Good:      "severity: high\n",
		},
		Needed: {
			ID: "S-002", Title: "a suppression is not needed", Severity: finding.Warning,
			Clause:    "cupel",
			Rationale: "The rule finds nothing at this line (for a comment alone on its line, at the next line; for cupel:ignore-file, in the file): the suppression would hide a later fault.",
			Bad:       "severity: high # cupel:ignore V-005 tolerated by our tools\n",
			Good:      "severity: high\n",
		},
		Known: {
			ID: "S-003", Title: "a suppression names an unknown rule", Severity: finding.Error,
			Clause:    "cupel",
			Rationale: "A mistyped id suppresses nothing. Name rules by their whole ids, in any case, separated by commas.",
			Bad:       "severity: extreme # cupel:ignore P-030 our own scale\n",
			Good:      "severity: high\n",
		},
		Form: {
			ID: "S-004", Title: "a suppression is malformed or in a wrong place", Severity: finding.Warning,
			Clause:    "cupel",
			Rationale: "`# cupel:ignore RULES reason` applies to its line or the next one, `# cupel:ignore-file RULES reason` to the whole document. Put the latter alone on a line above the first key, where a reader sees it first. Other forms suppress nothing.",
			Bad:       "severity: high # cupel:ignore-file V-005 tolerated by our tools\n",
			Good:      "severity: high\n",
		},
	}
}

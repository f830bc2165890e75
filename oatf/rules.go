package oatf

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
)

// Rule is one row of the rule table: what `cupel explain` tells about an id.
type Rule = finding.Rule

// rule is a row with what the package itself needs.
type rule struct {
	Rule
	specRef string // of a ValidationError
}

// Rules returns the rules of the package: the parse errors P, the conformance rules V,
// the warnings W, the rules S about suppressions and the lint rules L. Each bad example is a document that triggers the rule, each
// good one the same document mended.
func Rules() []Rule {
	list := slices.Concat(parseRules, conformanceRules(), suppressionRules, lintTable())
	for i := range list {
		list[i].Bad, list[i].Good = wholeDocument(list[i].Bad), wholeDocument(list[i].Good)
	}
	return list
}

func conformanceRules() []Rule {
	list := make([]Rule, len(ruleTable))
	for i, r := range ruleTable {
		r.Clause = "OATF format v0.1, " + r.specRef
		if strings.HasPrefix(r.ID, "V") {
			r.Severity, r.Class = finding.Error, "non-conforming"
		} else {
			r.Severity, r.Clause = finding.Warning, "OATF SDK specification 0.1, "+r.specRef
		}
		list[i] = r.Rule
	}
	return list
}

// wholeDocument completes an example of the table: one that is not a document is the
// inside of an attack, and an attack without execution gets the smallest one.
func wholeDocument(example string) string {
	example = strings.TrimLeft(example, "\n")
	if strings.Contains(example, "attack:") || example == "" {
		return example
	}
	var b strings.Builder
	b.WriteString("oatf: \"0.1\"\nattack:\n")
	if !strings.Contains("\n"+example, "\nexecution:") {
		b.WriteString("  execution: {mode: mcp_server, state: {tools: []}}\n")
	}
	for line := range strings.Lines(example) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// specRef returns the clause of a rule, as violations carry it.
func specRef(id string) string {
	i := slices.IndexFunc(ruleTable, func(r rule) bool { return r.ID == id })
	if i < 0 {
		return ""
	}
	return ruleTable[i].specRef
}

// parseRules explain the faults of Parse.
var parseRules = []Rule{
	{
		ID: "P-001", Title: "the text is not YAML that OATF allows", Severity: finding.Error, Class: "unreadable",
		Clause:    "OATF SDK specification 0.1, §3.1 (syntax)",
		Rationale: "A document is one YAML 1.2 document in UTF-8 with unique keys. Anchors, aliases, merge keys and custom tags mean different things to different readers and are refused.",
		Bad:       "name: [unclosed\n", Good: "name: closed\n",
	},
	{
		ID: "P-002", Title: "a key is unknown or missing, or its value has the wrong type", Severity: finding.Error, Class: "unreadable",
		Clause:    "OATF SDK specification 0.1, §3.1 (type_mismatch)",
		Rationale: "A mistyped key would be ignored and the attack would run without what its author meant. Keys of your own begin with x-.",
		Bad:       "serverity: high\n", Good: "severity: high\n", Flags: "--unknown-fields warn",
	},
	{
		ID: "P-003", Title: "a value is not a member of its closed enumeration", Severity: finding.Error, Class: "unreadable",
		Clause:    "OATF SDK specification 0.1, §2.20 and §3.1 (unknown_variant)",
		Rationale: "Tools decide by these words, and a word they do not know would make them decide at random.",
		Bad:       "status: published\n", Good: "status: stable\n",
	},
}

// suppressionRules explain the findings about `# cupel:ignore` comments.
var suppressionRules = []Rule{
	{
		ID: ruleNoReason, Title: "a suppression has no reason", Severity: finding.Warning,
		Clause:    "cupel",
		Rationale: "A suppression names one rule and says why: the next reader has to judge whether it still holds. Without a reason it suppresses nothing.",
		Bad:       "severity: extreme # cupel:ignore P-003\n", Good: "severity: high\n",
	},
	{
		ID: ruleUnused, Title: "a suppression is not needed", Severity: finding.Warning,
		Clause:    "cupel",
		Rationale: "Nothing of the rule is found at its line (or at the next line, for a comment of its own): it would hide a fault that somebody makes later.",
		Bad:       "severity: high # cupel:ignore V-005 tolerated by our tools\n", Good: "severity: high\n",
	},
}

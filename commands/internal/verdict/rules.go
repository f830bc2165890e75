package verdict

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// rule is an index into the rule table.
type rule uint8

const (
	ruleStatement rule = iota
	ruleSubject
)

const (
	goodStatement = `{"_type":"https://in-toto.io/Statement/v1",` + goodSubject + `,"predicateType":"https://cupel.dev/verdict/v1",` + goodPredicate + `}`
	goodSubject   = `"subject":[{"name":"log.jsonl","digest":{"sha256":"1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02"}}]`
	goodPredicate = `"predicate":{"command":"trace verify","verdict":"passed","inputs":[{"name":"log.jsonl","verdict":"valid"}],"rules":{},"not_covered":[],"options":{},"cupel_version":"0.1.0"}`
)

var rules = finding.Table{
	ruleStatement: {
		ID:        "verdict.statement",
		Title:     "the signed statement is not a verdict of cupel",
		Severity:  finding.Error,
		Clause:    "docs/json.md",
		Rationale: "The envelope has one in-toto Statement of the predicate type https://cupel.dev/verdict/v1. It names each input once with its SHA-256, and its verdict is passed or failed. A key can sign other statements; those say nothing about a verdict.",
		Bad:       `{"_type":"https://in-toto.io/Statement/v1",` + goodSubject + `,"predicateType":"https://slsa.dev/provenance/v1",` + goodPredicate + `}`,
		Good:      goodStatement,
	},
	ruleSubject: {
		ID:        "verdict.subject",
		Title:     "a file is not the one that the verdict is about",
		Severity:  finding.Error,
		Clause:    "in-toto Attestation Framework v1, Statement",
		Rationale: "A verdict is about bytes. The files with the names of the subjects, or the files that are named, must have the digests in the statement: each subject has a file, and each named file is a subject. A changed file has to be verified again.",
		Bad:       `{"name":"log.jsonl","digest":{"sha256":"0000000000000000000000000000000000000000000000000000000000000000"}}`,
		Good:      `{"name":"log.jsonl","digest":{"sha256":"1b69226f3c5a457bc9e1ea34afc23c30224ab535d267322ff92ae870c1184d02"}}`,
	},
}

// Rules returns the rules on verdict statements.
func Rules() []finding.Rule { return slices.Clone(rules) }

package lint

import (
	"slices"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the linter's rules by id: those of package payload and, as EV-4xx, those on privacy. An example is
// an event or a stream.
func Rules() []finding.Rule {
	all := slices.Concat(payload.Rules(), rules)
	slices.SortStableFunc(all, func(a, b finding.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// titles maps rules to titles, including those of reading and verification.
var titles = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, r := range slices.Concat(evidence.Rules(), bundle.Rules(), payload.Rules(), rules) {
		all[r.ID] = r.Title
	}
	return all
})

// rule is an index into the table.
type rule uint8

const (
	forbiddenName rule = iota
	wholeSecret
	secretInText
	policyForbids
	uncleaned
	envValue
	homePath
	markedSecret
	userInfo
	policyGeneralizes
	personalData
	deniesSecrets
	deniesPII
	staleDigest
)

const (
	clausePrivacy   = "ADR-006 §2, privacy classes"
	clauseForbidden = "ADR-006 §2, forbidden"
	clauseSensitive = "ADR-006 §2, sensitive"
	clauseEnvelope  = "ADR-006 §1, envelope"
)

// Parts of events in examples: the envelope up to additional attributes, and the data around the subject.
const (
	event    = `{"specversion":"1.0","type":"assay.sandbox.degraded","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0",`
	degraded = event + `"data":{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock","detail":`
	filtered = `{"specversion":"1.0","type":"assay.env.filtered","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0",`
)

// The policy file of examples that need one.
const (
	projectForbidden = "# with --policy FILE, which is: classes: [{pattern: 'ACME-[0-9]+', class: forbidden}]\n"
	projectSensitive = "# with --policy FILE, which is: classes: [{pattern: 'ACME-[0-9]+', class: sensitive}]\n"
)

var rules = finding.Table{
	forbiddenName: {
		ID: "EV-401", Title: "the member's name indicates a secret", Severity: finding.Error, Class: "Contract", Clause: clauseForbidden,
		Rationale: "Evidence never contains secrets, API keys, bearer tokens and raw passwords: a value under such a name is removed completely.",
		Bad:       degraded + `"denied","api_key":"k1"}}`,
		Good:      degraded + `"denied"}}`,
	},
	wholeSecret: {
		ID: "EV-402", Title: "a value is a secret", Severity: finding.Error, Class: "Contract", Clause: clauseForbidden,
		Rationale: "The whole text has the form of a key or a token. It is dropped completely: no mark of it stays.",
		Bad:       degraded + `"AKIA` + `QYB2XFCJAEKKCUNM"}}`,
		Good:      degraded + `"denied"}}`,
	},
	secretInText: {
		ID: "EV-403", Title: "a value contains a secret", Severity: finding.Error, Class: "Contract", Clause: clauseForbidden,
		Rationale: "A part of the text has the form of a key or a token. Redaction writes *** for it and keeps the rest.",
		Bad:       degraded + `"key AKIA` + `QYB2XFCJAEKKCUNM was refused"}}`,
		Good:      degraded + `"key *** was refused"}}`,
	},
	policyForbids: {
		ID: "EV-404", Title: "the policy forbids the value", Severity: finding.Error, Class: "Contract", Clause: clausePrivacy,
		Rationale: "The policy file gives the value's place the class forbidden, or has a pattern of that class that the text matches.",
		Flags:     "only with --policy",
		Bad:       projectForbidden + degraded + `"ACME-17 was denied"}}`,
		Good:      projectForbidden + degraded + `"a project was denied"}}`,
	},
	uncleaned: {
		ID: "EV-405", Title: "redaction cannot remove the secret", Severity: finding.Error, Class: "Contract", Clause: clauseForbidden,
		Rationale: "After everything was done about the event a text of it still has the form of a secret. Redaction refuses such an event, and so should whoever shares it.",
	},
	envValue: {
		ID: "EV-406", Title: "a list of variable names contains a value", Severity: finding.Error, Class: "Contract", Clause: "ADR-006 §3, assay.env.filtered",
		Rationale: "The event lists names of environment variables; raw values must not appear in it. An entry with = has one.",
		Bad:       filtered + `"data":{"mode":"strict","passed_keys":["PATH=/usr/bin"],"dropped_keys":[],"counters":{"passed":1,"dropped":0}}}`,
		Good:      filtered + `"data":{"mode":"strict","passed_keys":["PATH"],"dropped_keys":[],"counters":{"passed":1,"dropped":0}}}`,
	},
	homePath: {
		ID: "EV-421", Title: "the value contains the path of a user's home folder", Severity: finding.Warning, Class: "Contract", Clause: clauseSensitive,
		Rationale: "The path names a user of the machine. Redaction writes ~/**/ for the home folder and keeps the rest.",
		Bad:       degraded + `"no rule for /home/bob/src/main.go"}}`,
		Good:      degraded + `"no rule for ~/**/src/main.go"}}`,
	},
	markedSecret: {
		ID: "EV-422", Title: "a secret follows a name or a flag", Severity: finding.Error, Class: "Contract", Clause: clauseForbidden,
		Rationale: "The text has a name such as DB_PASSWORD= or a flag such as --token with a value after it, or a header that gives access. Redaction writes *** for the value.",
		Bad:       degraded + `"deploy --token=k1 failed"}}`,
		Good:      degraded + `"deploy --token=*** failed"}}`,
	},
	userInfo: {
		ID: "EV-423", Title: "a URL contains a password", Severity: finding.Error, Class: "Contract", Clause: clauseForbidden,
		Rationale: "The part of a URL before the @ of its host has a password or a token. Redaction writes *** for the whole part.",
		Bad:       degraded + `"cannot reach https://bob:k1@example.org/x"}}`,
		Good:      degraded + `"cannot reach https://***@example.org/x"}}`,
	},
	policyGeneralizes: {
		ID: "EV-424", Title: "the policy generalizes the value", Severity: finding.Warning, Class: "Contract", Clause: clausePrivacy,
		Rationale: "A pattern of the policy file, or the scrub of the profile adr006-upstream, changes the text.",
		Flags:     "only with --policy or --profile",
		Bad:       projectSensitive + degraded + `"ACME-17 was denied"}}`,
		Good:      projectSensitive + degraded + `"*** was denied"}}`,
	},
	personalData: {
		ID: "EV-425", Title: "personal data", Severity: finding.Warning, Class: "Contract", Clause: clauseForbidden,
		Rationale: "The text has an address of mail, a number of a telephone, a payment card, a bank account or of social security, or a public IP address. " +
			"The contract forbids personal data; what has one of these forms can be something else, so this is an error only with --strict. Redaction writes *** for it, or removes a text that is nothing else.",
		Bad:  degraded + `"asked bob@corp-mail.net"}}`,
		Good: degraded + `"asked ***"}}`,
	},
	deniesSecrets: {
		ID: "EV-441", Title: "the event contains secrets, but assaysecrets is false", Severity: finding.Warning, Class: "Contract", Clause: clauseEnvelope,
		Rationale: "assaysecrets is false, but the event contains a possible secret. This misleads anyone who uses the attribute to decide what to share.",
		Bad:       event + `"assaysecrets":false,"data":{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock","detail":"deploy --token=k1 failed"}}`,
		Good:      event + `"assaysecrets":true,"data":{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock","detail":"deploy --token=k1 failed"}}`,
	},
	deniesPII: {
		ID: "EV-442", Title: "the event contains personal data, but assaypii is false", Severity: finding.Warning, Class: "Contract", Clause: clauseEnvelope,
		Rationale: "assaypii is false, but the event contains the path of a user's home folder, which names a person. This misleads anyone who uses the attribute to decide what to share.",
		Bad:       event + `"assaypii":false,"data":{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock","detail":"no rule for /home/bob/src"}}`,
		Good:      event + `"assaypii":true,"data":{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock","detail":"no rule for /home/bob/src"}}`,
	},
	staleDigest: {
		ID: "EV-451", Title: "the semantic digest is dropped by redaction", Severity: finding.Info, Class: "Contract", Clause: clauseEnvelope,
		Rationale: "The digest and its profile describe the event before redaction, and let a reader test guesses of redacted values.",
		Bad:       event + `"assaysemanticdigest":"sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","assaydigestprofile":"p1","data":{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock","detail":"no rule for /home/bob/src"}}`,
		Good:      event + `"assaysemanticdigest":"sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","assaydigestprofile":"p1","data":{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock","detail":"no rule for ~/**/src"}}`,
	},
}

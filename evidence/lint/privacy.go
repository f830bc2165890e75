package lint

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// ruleOfText maps text rules that are not about secrets to lint rules. All others are secrets.
var ruleOfText = func() map[string]rule {
	rows := map[string]rule{"home-path": homePath, "url-userinfo": userInfo}
	for _, found := range []string{
		"credential-assignment", "credential-flag", "credential-member", "credential-in-prose", "credential-parameter", "authorization-header", "cookie", "http-credential",
		"credential-flag-value", "sensitive-query-param", "bearer-token",
	} {
		rows[found] = markedSecret
	}
	for _, kind := range privacy.PersonalKinds() {
		rows[kind] = personalData
	}
	return rows
}()

// ruleOf returns the rule for a value that redaction changes.
func ruleOf(c *privacy.Change) rule {
	switch c.Rule {
	case privacy.RuleName:
		return forbiddenName
	case privacy.RuleEnv:
		return envValue
	case privacy.RuleDigest:
		return staleDigest
	case privacy.RuleClass, privacy.RulePattern, privacy.RuleUpstream:
		if c.Class == privacy.Forbidden {
			return policyForbids
		}
		return policyGeneralizes
	}
	row, ok := ruleOfText[c.Rule]
	switch {
	case ok && row == markedSecret && c.Action == privacy.Removed:
		return forbiddenName
	case ok:
		return row
	}
	if c.Action == privacy.Removed {
		return wholeSecret
	}
	return secretInText
}

// words are the messages of rules, after the pointer.
var words = [...]string{
	forbiddenName:     "has a name that indicates a secret",
	wholeSecret:       "is a secret",
	secretInText:      "has a secret in its text",
	policyForbids:     "is forbidden by the policy",
	uncleaned:         "has a secret that redaction cannot remove",
	envValue:          "is a name with its value, expected the name alone",
	homePath:          "has the path of a user's home folder",
	markedSecret:      "has a secret after a marker or a flag",
	userInfo:          "has a URL with user information",
	policyGeneralizes: "is changed by the policy",
	personalData:      "has personal data",
	staleDigest:       "is the digest of the event before redaction",
}

// sentence returns a finding's message: pointer, kind, class and rule, without the value.
func sentence(row rule, c *privacy.Change) string {
	text := c.Pointer + " " + words[row] + " (" + c.Class.String() + ", " + c.Rule + ")"
	if c.Reported {
		text += "; redaction leaves it in this place, unless a policy file says otherwise"
	}
	return text
}

// appendDenials appends a finding for each privacy flag of an event that contradicts its content.
func appendDenials(dst []denial, e *evidence.Event, changes []privacy.Change) []denial {
	if len(changes) == 0 {
		return dst
	}
	secrets, personal := false, false
	for i := range changes {
		switch ruleOf(&changes[i]) {
		case staleDigest:
		case homePath, personalData:
			personal = true
		default:
			secrets = true
		}
	}
	if at := e.Get(evidence.AttrPII); personal && denies(at) {
		dst = append(dst, denial{deniesPII, at, "assaypii is false, but the event has personal data or the path of a user's home folder"})
	}
	if at := e.Get(evidence.AttrSecrets); secrets && denies(at) {
		dst = append(dst, denial{deniesSecrets, at, "assaysecrets is false, but the event has a possible secret"})
	}
	return dst
}

// denial is a false statement of an event about itself.
type denial struct {
	row     rule
	at      evidence.Value
	message string
}

func denies(v evidence.Value) bool {
	b, ok := v.Bool()
	return ok && !b
}

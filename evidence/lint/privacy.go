package lint

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// secretRules of texts find what is no secret by its form, with the row for each.
var ruleOfText = map[string]rule{
	"home-path": homePath, "marker": markedSecret, "flag": markedSecret, "url-userinfo": userInfo,
}

// ruleOf is the row for what redaction changes.
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
	if row, ok := ruleOfText[c.Rule]; ok {
		return row
	}
	if c.Action == privacy.Removed {
		return wholeSecret
	}
	return secretInText
}

// words say what a row's findings are about, behind the pointer.
var words = [...]string{
	forbiddenName:     "has a name that says it holds a secret",
	wholeSecret:       "is a secret",
	secretInText:      "has a secret in its text",
	policyForbids:     "is forbidden by the policy",
	uncleaned:         "has a secret that redaction cannot take out",
	envValue:          "is a name with its value, expected the name alone",
	homePath:          "has the path of a user's home folder",
	markedSecret:      "has a secret behind a marker or a flag",
	userInfo:          "has a URL with user information",
	policyGeneralizes: "is changed by the policy",
	staleDigest:       "is the digest of the event as it is before its redaction",
}

// sentence is the message of a finding: the pointer, what is there, its class and its rule.
// It has nothing of the value.
func sentence(row rule, c *privacy.Change) string {
	text := c.Pointer + " " + words[row] + " (" + c.Class.String() + ", " + c.Rule + ")"
	if c.Reported {
		text += "; redaction leaves it in this place, unless a policy file says otherwise"
	}
	return text
}

// appendDenials appends the rows of what an event says of its own content and what redaction
// would change shows to be wrong.
func appendDenials(dst []denial, e *evidence.Event, changes []privacy.Change) []denial {
	if len(changes) == 0 {
		return dst
	}
	secrets, paths := false, false
	for i := range changes {
		switch ruleOf(&changes[i]) {
		case staleDigest:
		case homePath:
			paths = true
		default:
			secrets = true
		}
	}
	if at := e.Get(evidence.AttrPII); paths && denies(at) {
		dst = append(dst, denial{deniesPII, at, "assaypii is false, and the event has the path of a user's home folder"})
	}
	if at := e.Get(evidence.AttrSecrets); secrets && denies(at) {
		dst = append(dst, denial{deniesSecrets, at, "assaysecrets is false, and the event has what may be a secret"})
	}
	return dst
}

// denial is a finding about what an event says of itself.
type denial struct {
	row     rule
	at      evidence.Value
	message string
}

func denies(v evidence.Value) bool {
	b, ok := v.Bool()
	return ok && !b
}

package privacy

import (
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
)

// Action is what happens to a value.
type Action string

// The actions.
const (
	Removed     Action = "removed"     // the member or element is gone
	Replaced    Action = "replaced"    // by ***, or its secrets are
	Generalized Action = "generalized" // its paths name no user any more
	Cut         Action = "cut"         // after the name, at the equals sign
)

// The rules that are not about texts. [TextRules] has the others.
const (
	RuleName     = "forbidden-name"          // the member's name says that it holds a secret
	RuleClass    = "policy-class"            // the policy file forbids it
	RulePattern  = "policy-pattern"          // a pattern of the policy file matches
	RuleEnv      = "env-value"               // a list of variable names contains a value
	RuleDigest   = "stale-semantic-digest"   // the semantic digest is that of the event before
	RuleUpstream = "adr006-upstream-subject" // the scrub of the contract's reference
)

// Change is a value that a policy changes in an event, or would change elsewhere.
type Change struct {
	// Pointer is the value's JSON pointer (RFC 6901) in the original event. Pointers of more than 128 bytes are
	// shortened in the middle, long names at the end.
	Pointer string
	// At is the value, for [evidence.Event.Locate].
	At evidence.Value
	// Class is the class of the finding: Forbidden for a secret; Sensitive for a path, marker or flag; Public for
	// the semantic digest, which is dropped because the event changed.
	Class Class
	// Rule is the rule. If a text has several findings, it is that of the first one with the highest class.
	Rule   string
	Action Action
	// Before and After are JSON: the original value, and the replacement in canonical form. After is nil if the
	// value is removed.
	Before, After []byte
	// Name means that the member's name changes. Before and After are names then.
	Name bool
	// Reported means that the value is unchanged, because only a policy file can allow changing it. Action and
	// After are the proposed change.
	Reported bool
}

// SweepError reports a secret that remains after redaction, so that the event cannot be redacted.
type SweepError struct{ Pointer, Rule string }

func (e *SweepError) Error() string {
	return strconv.Quote(e.Pointer) + " still matches the secret rule " + e.Rule + " after its redaction"
}

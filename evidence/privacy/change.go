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
	Cut         Action = "cut"         // behind the name, at the equals sign
)

// The rules that are not those of texts. Of the others, [TextRules] has the names.
const (
	RuleName     = "forbidden-name"          // the member's name says that it holds a secret
	RuleClass    = "policy-class"            // the policy file forbids it
	RulePattern  = "policy-pattern"          // a pattern of the policy file matches
	RuleEnv      = "env-value"               // a list of variables' names that has values
	RuleDigest   = "stale-semantic-digest"   // the semantic digest is that of the event before
	RuleUpstream = "adr006-upstream-subject" // the scrub of the contract's reference
)

// Change is one value that a policy changes in an event, or would change in another place.
type Change struct {
	// Pointer is the JSON pointer (RFC 6901) of the value in the event as it was. One of more
	// than 128 bytes is shortened in its middle, and a long name in it at its end.
	Pointer string
	// At is the value, for [evidence.Event.Locate].
	At evidence.Value
	// Class is that of what was found: Forbidden for a secret, Sensitive for a path, a marker
	// or a flag. It is Public for the semantic digest, which is dropped because the event is
	// another one.
	Class Class
	// Rule is what was found; of several findings in one text the first of the highest class.
	Rule   string
	Action Action
	// Before and After are JSON: the value as the event has it, and what it becomes, in
	// canonical JSON. After is nil when the value is removed.
	Before, After []byte
	// Name says that it is the member's name that changes: Before and After are names then.
	Name bool
	// Reported says that the value stays as it is, because only a policy file may change it
	// in its place: Action and After are what would be done.
	Reported bool
}

// SweepError is a secret that is still there after everything was done about it: there is
// no redacted event then.
type SweepError struct{ Pointer, Rule string }

func (e *SweepError) Error() string {
	return strconv.Quote(e.Pointer) + " still matches the secret rule " + e.Rule + " after its redaction"
}

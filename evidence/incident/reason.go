package incident

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
)

// Refusal explains why a package is invalid.
type Refusal struct {
	Reason  string // the contract's word
	Pointer string // in a document of the package
	Message string
}

func (r *Refusal) Error() string { return r.Message + " (" + r.Reason + ")" }

// Finding converts the refusal to a finding.
func (r *Refusal) Finding() finding.Finding {
	for i := range rules {
		if reasons[i] == r.Reason {
			f := rules[i].New(r.Message)
			f.Path = r.Pointer
			return f
		}
	}
	panic("incident: no rule for " + r.Reason)
}

// Unsupported explains why a package cannot be checked.
type Unsupported struct{ What string }

func (u *Unsupported) Error() string {
	return "the package has " + u.What + ", which cupel does not support"
}

func refuse(r rule, pointer, format string, args ...any) error {
	return &Refusal{Reason: reasons[r], Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}

// within returns a refusal if a number exceeds the format's maximum or the one in the context.
func within(n, hard, selected int64, what string) error {
	switch {
	case n > hard:
		return refuse(ruleHard, "", "%s: %d, the format allows %d", what, n, hard)
	case n > selected:
		return refuse(ruleSelected, "", "%s: %d, the context allows %d", what, n, selected)
	}
	return nil
}

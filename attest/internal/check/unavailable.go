package check

import (
	"context"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// Unanswered is the check of an assertion that cannot be evaluated on any trace.
type Unanswered struct{ Reason, Detail string }

func (u Unanswered) evaluate(context.Context, *Subject) Verdict { return u.Verdict() }

// Verdict returns the verdict to use instead of an error.
func (u Unanswered) Verdict() Verdict {
	v := broken(u.Reason)
	v.SuggestedAction = wording.Preview(u.Detail[strings.LastIndexByte(u.Detail, '\n')+1:])
	return v
}

// unavailable is the check of a type whose capability is off. The assertion fails, and the request continues.
type unavailable struct {
	reason  string
	failing failureReason
}

func (u unavailable) evaluate(context.Context, *Subject) Verdict {
	v := broken("Not evaluated: "+u.reason+".").because(u.failing, "", "")
	v.Fleeting = true
	return v
}

package attest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/attest/internal/check"
)

// Provider evaluates the assertions that need a model: those of layers 5 and 6. The
// engine itself knows no model and no network; without a provider such an assertion fails
// and says so, and the capability layers_5_6 is not advertised.
type Provider interface {
	// Types lists what the provider evaluates: TypeEmbedding, TypeLLMJudge or both.
	Types() []AssertionType
	// Score answers a question. It is called for all questions of a request at once and
	// must be safe for that. ctx ends with the time of the request. An error fails the
	// request: as it is when it is an *Error, else as a 2001.
	Score(ctx context.Context, q Question) (Opinion, error)
}

// Question is what an assertion wants to know of a trace.
type Question struct {
	Type AssertionType
	Spec json.RawMessage // as it was sent
	Text string          // what the spec's target stands for: a string as it is, other values as JSON
}

// Opinion is the answer to a Question. The engine compares it with the threshold.
type Opinion struct {
	Score       float64 // 0.0 to 1.0
	Explanation string  // a sentence or several
	Cost        float64 // USD
}

// provided is a provider as the checks see it.
type provided struct {
	provider Provider
	types    []AssertionType
}

func newProvided(p Provider) *provided {
	if p == nil {
		return nil
	}
	return &provided{provider: p, types: p.Types()}
}

// Knows implements check.Model.
func (p *provided) Knows(typ string) bool {
	return p != nil && slices.Contains(p.types, AssertionType(typ))
}

// Score implements check.Model.
func (p *provided) Score(ctx context.Context, typ string, spec []byte, text string) (check.Opinion, error) {
	opinion, err := p.provider.Score(ctx, Question{Type: AssertionType(typ), Spec: spec, Text: text})
	var own *Error
	switch {
	case errors.As(err, &own):
		return check.Opinion{}, own
	case err != nil:
		return check.Opinion{}, NewError(CodeProvider, fmt.Sprintf("%s provider: %v", typ, err),
			"Wait and retry; the log of the provider says more.")
	case !(opinion.Score >= 0 && opinion.Score <= 1):
		return check.Opinion{}, NewError(CodeProvider, fmt.Sprintf("%s provider: the score %v is not between 0.0 and 1.0", typ, opinion.Score),
			"Retry; if it happens again, the provider does not understand the answers of its model.")
	}
	return check.Opinion(opinion), nil
}

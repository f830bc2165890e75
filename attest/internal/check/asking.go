package check

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// modelCheck is a check that asks a model.
type modelCheck struct {
	model     Model
	typ       string
	spec      []byte
	target    target.Target
	threshold float64 // the least score that passes
}

// asking compiles the checks of a type that a model evaluates. threshold and place are
// the specification's defaults ("" for none); without says why there is no model.
func asking(typ string, threshold float64, place, why string) func(*spec) Check {
	return func(s *spec) Check {
		if !s.resources.model.Knows(typ) {
			return unavailable(why)
		}
		c := modelCheck{model: s.resources.model, typ: typ, spec: bytes.Clone(s.node.Raw()), threshold: threshold}
		if n := s.node.Last("threshold"); !n.Missing() && !n.TextIs("dynamic") {
			c.threshold = s.share("threshold")
		}
		if place != "" && s.node.Last("target").Missing() {
			c.target, _ = target.Parse(place)
		} else {
			c.target = s.target("target")
		}
		s.take(len(c.spec))
		return c
	}
}

// share reads a number from 0 to 1.
func (s *spec) share(name string) float64 {
	n, _ := s.member(name, strictjson.Number)
	v, ok := n.Float()
	if !ok || v < 0 || v > 1 {
		s.fail(n, "Use a number from 0.0 to 1.0.", "%s must be between 0.0 and 1.0, got %s", name, n.Raw())
	}
	return v
}

func (c modelCheck) evaluate(ctx context.Context, s *Subject) Verdict {
	q, known := c.question(s)
	if q == nil {
		return known
	}
	return q.Ask(ctx)
}

// question implements slowCheck. The texts of several values are put together.
func (c modelCheck) question(s *Subject) (q *Question, known Verdict) {
	values, m := c.target.Resolve(&s.Targets)
	if m != nil {
		return nil, broken(m.Sentence())
	}
	texts := make([]string, len(values.Nodes))
	for i, n := range values.Nodes {
		texts[i] = s.texts.Of(n).Value
	}
	text := strings.Join(texts, "\n\n")
	return &Question{values.Nodes[0], func(ctx context.Context) Verdict { return c.ask(ctx, text) }}, Verdict{}
}

// ask puts the question; text is all that it needs of the trace.
func (c modelCheck) ask(ctx context.Context, text string) Verdict {
	opinion, err := c.model.Score(ctx, c.typ, c.spec, text)
	if err != nil {
		return Verdict{outcome: unanswerable, Err: err}
	}
	v := Verdict{outcome: held, Score: opinion.Score, Cost: opinion.Cost}
	relation := " exceeds threshold "
	switch {
	case opinion.Score < c.threshold:
		v.outcome, relation = violated, " is below threshold "
	case opinion.Score == c.threshold:
		relation = " meets threshold "
	}
	v.Explanation = strings.TrimSpace(opinion.Explanation + " Score " + decimals(opinion.Score) + relation + decimals(c.threshold) + ".")
	return v
}

func decimals(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

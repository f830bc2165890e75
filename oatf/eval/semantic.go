package eval

import (
	"context"
	"fmt"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/primitive"
	"github.com/cupel-dev/cupel/oatf/internal/value"
)

// takeSemantic requests a score for each value at the target. The highest one decides.
func (r *BatchRun) takeSemantic(ctx context.Context, c *check, s *state, roots []oatf.Value) error {
	query := SemanticQuery{
		Intent: c.semantic.Intent, IntentClass: c.semantic.IntentClass, Threshold: c.semantic.Threshold, Examples: c.semantic.Examples,
	}
	var best struct {
		score float64
		value oatf.Value
		place *Place
	}
	var fault error
	for _, root := range roots {
		c.path.Each(root, func(v oatf.Value, at *primitive.Trail) bool {
			s.resolved = true
			place := Place{Path: at.String(), Operator: "semantic"}
			query.Text = string(value.Text(nil, v))
			score, err := evaluateSemantic(ctx, c.opt.Semantic, query)
			if err != nil {
				if fault = ctx.Err(); fault == nil {
					s.fail(c, r.m, place, err)
					fault = err
				}
				return false
			}
			if best.place == nil || score > best.score {
				best.score, best.value, best.place = score, v, &place
			}
			return true
		})
		if fault != nil {
			return ctx.Err()
		}
	}
	if best.place != nil {
		s.scored(c, r.m, *best.place, best.value, best.score)
	}
	return nil
}

func (s *state) scored(c *check, m *capture.Message, at Place, v oatf.Value, score float64) {
	threshold := DefaultThreshold
	if t := c.semantic.Threshold; t != nil {
		threshold = *t
	}
	switch {
	case score >= threshold:
		s.match(c, m, at, v, 0, 0)
	case s.fault != nil || s.score != nil && *s.score >= score:
		return
	default:
		s.at(m, at)
		s.evidence = ""
	}
	s.score = &score
	shown := fmt.Sprintf("score %v, threshold %v", score, threshold)
	if s.evidence != "" {
		shown += ": " + s.evidence
	}
	s.evidence = shown
}

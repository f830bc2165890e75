package outline

import (
	"cmp"
	"fmt"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// Indicator is a sign that an agent complied (§2.12).
type Indicator struct {
	ID          string              `json:"id"`
	Line        int                 `json:"line,omitempty"`
	Description string              `json:"description,omitempty"`
	Protocol    oatf.Protocol       `json:"protocol,omitempty"`
	Surface     oatf.Surface        `json:"surface,omitempty"`
	Actor       string              `json:"actor,omitempty"`
	Direction   oatf.Direction      `json:"direction,omitempty"`
	Tier        string              `json:"tier,omitempty"`
	Severity    model.SeverityLevel `json:"severity,omitempty"`
	Method      string              `json:"method"` // "pattern", "expression" or "semantic"
	Looks       string              `json:"looks"`  // description of the condition, or the CEL expression
}

// defaultThreshold is a semantic indicator's default threshold (§2.15).
const defaultThreshold = 0.7

// IndicatorOf returns the outline of an indicator of a normalized document.
func IndicatorOf(ind *oatf.Indicator) Indicator {
	x := Indicator{ID: text(ind.ID), Description: text(ind.Description), Surface: ind.SurfaceName(), Actor: text(ind.Actor), Tier: text(ind.Tier)}
	if ind.Protocol != nil {
		x.Protocol = *ind.Protocol
	}
	if ind.Direction != nil {
		x.Direction = *ind.Direction
	}
	if ind.Severity != nil {
		x.Severity = *ind.Severity
	}
	switch {
	case ind.Pattern != nil:
		x.Method, x.Looks = "pattern", at(ind.Pattern.Target)+" "+conditionText(ind.Pattern.Condition)
	case ind.Expression != nil:
		x.Method, x.Looks = "expression", cut(ind.Expression.CEL)
	case ind.Semantic != nil:
		threshold := defaultThreshold
		if ind.Semantic.Threshold != nil {
			threshold = *ind.Semantic.Threshold
		}
		x.Method, x.Looks = "semantic", fmt.Sprintf("%s means %s, with a score of %v or more", at(ind.Semantic.Target), quoted(ind.Semantic.Intent), threshold)
	}
	return x
}

func at(target *string) string { return cmp.Or(text(target), "the message") }

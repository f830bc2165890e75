package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/rules"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lintPatterns finds patterns that never match.
func lintPatterns(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		p := ind.Pattern
		if p == nil || (p.Condition == nil) == (p.Shorthand == nil) {
			return
		}
		condition, at := p.Condition, at.Field("pattern")
		if condition == nil {
			condition = &model.Condition{Operators: p.Shorthand}
		} else {
			at = at.Field("condition")
		}
		switch why := neverHolds(doc.Profile, condition); {
		case why != "":
			out.neverHolds(rules.Contradiction, at, why)
		case onlyAbsence(condition):
			out.warn(rules.AbsencePattern, at, "a pattern never matches an absent value").Help = "use an expression: !has(message.…)"
		default:
			lintTargetKind(doc, out, ind, condition, at)
		}
	})
}

// lintTargetKind compares a condition with the type of the surface's default target. The types of deeper targets
// are unknown.
func lintTargetKind(doc *view.Document, out *reporter, ind *model.Indicator, condition *model.Condition, at *place.Path) {
	row, known := doc.Surface(ind)
	if !known || !out.Has(rules.StructureTarget) || ind.Pattern.Target != nil && *ind.Pattern.Target != row.Target {
		return
	}
	admitted := admits(doc.Profile, condition)
	switch {
	case row.Text && admitted&kindText == 0:
		out.warn(rules.TextTarget, at, "the condition never matches: the target %s of surface %s holds text", say.Quoted(row.Target), row.Surface)
	case !row.Text && admitted&kindStructure == 0:
		out.warn(rules.StructureTarget, at, "the condition never matches: the target %s of surface %s holds objects or lists", say.Quoted(row.Target), row.Surface).Help = deeperTarget(row)
	}
}

func deeperTarget(row model.SurfaceInfo) string {
	switch row.Target {
	case "":
		return "give the pattern a target, such as description"
	case "arguments":
		return "give the pattern a target such as arguments.path, or use an expression"
	case "content[*]", "contents[*]":
		return "give the pattern the target " + row.Target + ".text"
	}
	return "give the pattern a target below " + row.Target
}

func lintExamples(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Semantic == nil {
			return
		}
		positive, negative, at := 0, 0, at.Field("semantic")
		if e := ind.Semantic.Examples; e != nil {
			positive, negative, at = len(e.Positive), len(e.Negative), at.Field("examples")
		}
		if positive < 2 || negative < 2 {
			out.warn(rules.EnoughExamples, at, "%d positive and %d negative examples, expected at least two of each", positive, negative)
		}
	})
}

// lintGeneratedIDs finds explicit ids that equal the generated id (N-003) of another indicator.
func lintGeneratedIDs(doc *view.Document, out *reporter) {
	prefix := "indicator"
	if doc.Attack.ID != nil {
		prefix = *doc.Attack.ID
	}
	generated := map[string]int{}
	for i := range doc.Attack.Indicators {
		if doc.Attack.Indicators[i].ID == nil {
			generated[vocabulary.IndicatorID(prefix, i+1)] = i + 1
		}
	}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.ID == nil {
			return
		}
		if number := generated[*ind.ID]; number > 0 {
			out.warn(rules.GivenID, at.Field("id"), "the id %s equals the default id of indicator %d", say.Quoted(*ind.ID), number).Help = fmt.Sprintf("give indicator %d a unique id", number)
		}
	})
}

func lintTiers(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		known := doc.Profile.Lint.Tiers
		if ind.Tier == nil || slices.Contains(known, *ind.Tier) {
			return
		}
		f := out.warn(rules.KnownTier, at.Field("tier"), "tier %s is not known", say.Quoted(*ind.Tier))
		if f.Help = out.Hint(*ind.Tier, known); f.Help == "" {
			f.Help = "known tiers, from the least to the most serious: " + strings.Join(known, ", ")
		}
	})
}

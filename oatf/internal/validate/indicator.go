package validate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

func checkIndicatorIDs(doc *view.Document, out *findings.List) {
	seen := map[string]bool{}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.ID == nil {
			return
		}
		if seen[*ind.ID] {
			out.Violation(rules.UniqueIndicatorID, at.Field("id"), "indicator id %s is used twice", say.Quoted(*ind.ID))
		}
		seen[*ind.ID] = true
		if id := doc.Attack.ID; id != nil && !vocabulary.IsIndicatorID(*ind.ID, *id) {
			e := out.Violation(rules.IndicatorID, at.Field("id"), "indicator id %s is not the attack's id with a number of at least two digits", say.Quoted(*ind.ID))
			if vocabulary.IsAttackID(*id) {
				e.Help = "write it like " + say.Preview(*id, say.Usual) + "-01"
			}
		}
	})
}

func checkDetectionKeys(doc *view.Document, out *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		keys := detectionKeys(ind)
		switch {
		case len(keys) == 0:
			out.Lack(at.Fields("pattern", "expression", "semantic"), rules.OneMethod, at, "the indicator has no detection key").Help = "add exactly one of pattern, expression and semantic"
		case len(keys) > 1:
			out.Violation(rules.OneMethod, at, "the indicator has %s", strings.Join(keys, " and ")).Help = "keep exactly one of pattern, expression and semantic"
		}
		if p := ind.Pattern; p != nil && (p.Condition == nil) == (p.Shorthand == nil) {
			checkPatternForm(out, p, at.Field("pattern"))
		}
	})
}

func detectionKeys(ind *model.Indicator) (keys []string) {
	if ind.Pattern != nil {
		keys = append(keys, "pattern")
	}
	if ind.Expression != nil {
		keys = append(keys, "expression")
	}
	if ind.Semantic != nil {
		keys = append(keys, "semantic")
	}
	return keys
}

// checkPatternForm reports a pattern that has neither form, or both.
func checkPatternForm(out *findings.List, p *model.PatternMatch, at *place.Path) {
	if p.Condition == nil {
		out.Lack(at.Fields(vocabulary.ConditionOperators...), rules.OneMethod, at, "the pattern has no condition").Help = "add condition:, or one operator such as contains:"
		return
	}
	out.Violation(rules.OneMethod, at, "the pattern has both a condition and an operator").Help = "move the operator into the condition"
}

func checkSurfaces(doc *view.Document, out *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		protocol := doc.Protocol(ind)
		if !vocabulary.IsMember(protocol, vocabulary.KnownProtocols[:]) {
			return
		}
		if ind.Surface == nil && doc.Profile.Keys.IndicatorNeeds != "surface" || doc.Profile.HasSurface(protocol, ind.SurfaceName()) {
			return
		}
		if doc.Profile.Evaluation.Operations && len(laterOperations(protocol, string(ind.SurfaceName()))) > 0 {
			return
		}
		surface := at.Field("surface")
		if row, known := doc.Profile.LookupSurface(ind.SurfaceName()); known {
			out.Violation(rules.KnownSurface, surface, "surface %s belongs to protocol %s, not %s", say.Quoted(string(ind.SurfaceName())), row.Protocol, protocol)
			return
		}
		f := out.Violation(rules.KnownSurface, surface, "surface %s does not exist in protocol %s", say.Quoted(string(ind.SurfaceName())), protocol)
		if f.Help = earlierSurface(doc.Profile, ind.SurfaceName()); f.Help == "" {
			suggest(out, f, string(ind.SurfaceName()), surfacesOf(doc.Profile, protocol))
		}
		out.Also(f, rules.OpenMember, fmt.Sprintf("surface %s is in no protocol binding", say.Quoted(string(ind.SurfaceName()))))
	})
}

// earlierSurface returns the replacement for an earlier revision's surface, or "".
func earlierSurface(p *profile.Profile, s model.Surface) string {
	for _, earlier := range revision.All {
		if earlier == p {
			break
		}
		kinds := earlier.KindsShowing(s)
		switch {
		case kinds == nil:
			continue
		case len(kinds) > 1 || p.ModesOf(kinds[0].Method) == nil:
			return fmt.Sprintf("the key belongs to revision %s: it covers several operations, and each is a surface here", earlier.Revision)
		case kinds[0].Role == model.RoleRequest || kinds[0].Role == model.RoleResponse:
			return fmt.Sprintf("the key belongs to revision %s: write surface: %s with direction: %s", earlier.Revision, kinds[0].Method, kinds[0].Role)
		}
		return fmt.Sprintf("the key belongs to revision %s: write surface: %s", earlier.Revision, kinds[0].Method)
	}
	return ""
}

func surfacesOf(p *profile.Profile, protocol model.Protocol) (names []string) {
	for _, row := range p.Surfaces {
		if row.Protocol == protocol {
			names = append(names, string(row.Surface))
		}
	}
	return names
}

// checkIndicatorActors checks the actors named by indicators, if there is an execution.
func checkIndicatorActors(doc *view.Document, out *findings.List) {
	names := map[string]bool{}
	for _, a := range doc.Actors {
		names[a.Name] = true
	}
	if len(names) == 0 && doc.Attack.Execution.Actors == nil {
		return
	}
	known := "actors: " + strings.Join(slices.Sorted(maps.Keys(names)), ", ")
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Actor != nil && !names[*ind.Actor] {
			out.Violation(rules.IndicatorActor, at.Field("actor"), "actor %s does not exist", say.Quoted(*ind.Actor)).Help = cmp.Or(nearest(out, *ind.Actor, names), known)
		}
	})
}

// checkMethods checks that an indicator's method fits its detection keys.
func checkMethods(doc *view.Document, out *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Method == nil || !vocabulary.IsMember(*ind.Method, vocabulary.IndicatorMethods) {
			return
		}
		if keys := detectionKeys(ind); !slices.Contains(keys, string(*ind.Method)) {
			f := out.Violation(rules.PresentMethod, at.Field("method"), "the method is %s, but the indicator has no %s", *ind.Method, *ind.Method)
			if len(keys) == 1 {
				f.Help = "write method: " + keys[0] + ", or leave it out"
			}
		}
	})
}

func checkSemantics(doc *view.Document, out *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Semantic != nil {
			out.Warning(rules.SemanticIndicator, at.Field("semantic"), "the result of a semantic indicator depends on the judging model")
		}
	})
}

func checkKnownProtocols(doc *view.Document, out *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if p := ind.Protocol; p != nil && vocabulary.IsName(string(*p)) && !vocabulary.IsMember(*p, vocabulary.KnownProtocols[:]) {
			out.Warning(rules.KnownProtocol, at.Field("protocol"), "protocol %s does not have an included protocol binding", say.Quoted(string(*p))).Help = out.Hint(string(*p), vocabulary.Names(vocabulary.KnownProtocols[:]))
		}
	})
}

// checkProtocolActors warns of indicators whose protocol no mode uses.
func checkProtocolActors(doc *view.Document, out *findings.List) {
	spoken := map[model.Protocol]bool{}
	doc.EachMode(func(mode model.Mode, _ *place.Path) { spoken[vocabulary.ExtractProtocol(mode)] = true })
	if len(spoken) == 0 {
		return
	}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		p := doc.Protocol(ind)
		if vocabulary.IsMember(p, vocabulary.KnownProtocols[:]) && !spoken[p] {
			out.Warning(rules.SpokenProtocol, at.Field("protocol"), "no actor speaks protocol %s", say.Quoted(string(p)))
		}
	})
}

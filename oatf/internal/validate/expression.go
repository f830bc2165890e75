package validate

import (
	"regexp"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/cel"
	"github.com/cupel-dev/cupel/oatf/internal/expression"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/jsonpath"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// expressions checks a document's regular expressions, CEL expressions, JSONPath selectors and paths. Each kind has
// a budget.
type expressions struct {
	*findings.List
	regexes, cels, selectors *budget
}

func newExpressions(out *findings.List) *expressions {
	return &expressions{out, &budget{rule: rules.Regex}, &budget{rule: rules.CEL}, &budget{rule: rules.JSONPath}}
}

// checkPatterns checks the regular expressions of patterns, triggers and extractors.
func (x *expressions) checkPatterns(doc *view.Document, _ *findings.List) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Pattern == nil {
			return
		}
		at = at.Field("pattern")
		x.operators(ind.Pattern.Shorthand, at)
		if ind.Pattern.Condition != nil {
			x.operators(ind.Pattern.Condition.Operators, at.Field("condition"))
		}
	})
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		if ph.Trigger != nil {
			for i := range ph.Trigger.Match {
				m := &ph.Trigger.Match[i]
				x.operators(m.Operators, ph.At.Field("trigger").Field("match").Field(m.Path))
			}
		}
		for i := range ph.Extractors {
			if extractor := &ph.Extractors[i]; extractor.Type == model.ExtractorRegex {
				x.selector(extractor.Selector, ph.At.Field("extractors").Element(i).Field("selector"))
			}
		}
	})
}

func (x *expressions) operators(operators *model.MatchCondition, at *place.Path) {
	if operators != nil && operators.Regex != nil {
		x.regex(*operators.Regex, at.Field("regex"))
	}
}

// selector checks the regular expression of an extractor. Its first group captures the value.
func (x *expressions) selector(pattern string, at *place.Path) {
	if groups, ok := x.regex(pattern, at); ok && groups == 0 {
		x.Violation(rules.SelectorGroup, at, "the regular expression has no capture group").Help = "put the part to extract in parentheses"
	}
}

// regex checks a regular expression and counts its capture groups. ok is false if the expression is invalid or was
// not checked.
func (x *expressions) regex(pattern string, at *place.Path) (groups int, ok bool) {
	if !x.affords(x.regexes, len(pattern), at) {
		return 0, false
	}
	groups, err := expression.ParseRegex(pattern)
	if err != nil {
		x.Violation(rules.Regex, at, "invalid regular expression: %v", err).Help = expression.RegexHelp(pattern)
	}
	return groups, err == nil
}

// affords reports whether an expression fits the budget. It reports the first that does not.
func (x *expressions) affords(b *budget, cost int, at *place.Path) bool {
	ok, first := b.spend(cost)
	if first {
		x.Violation(b.rule, at, "the expressions of the document have more than about %d bytes: the remaining ones are not checked", maxExpressions)
	}
	return ok
}

func (x *expressions) checkCEL(doc *view.Document, _ *findings.List) {
	doc.EachIndicator(x.cel)
}

// single matches an equals sign that is not part of another operator.
var single = regexp.MustCompile(`[^=!<>]=[^=]`)

// celHelp returns the replacement of operators that CEL does not have, or "" for other faults.
func celHelp(text string) string {
	switch {
	case single.MatchString(text):
		return "CEL compares with =="
	case strings.Contains(text, " and "), strings.Contains(text, " or "), strings.Contains(text, "not "):
		return "CEL has &&, || and !"
	}
	return ""
}

// selectorHelp suggests a replacement for an invalid JSONPath, or returns "".
func selectorHelp(text string) string {
	if text != "" && text[0] != '$' {
		return "a JSONPath begins with $: write $." + say.Preview(text, say.Usual)
	}
	if name := bareName.FindStringSubmatch(text); name != nil {
		return "write ." + name[1] + ", or put the name in quotes: ['" + name[1] + "']"
	}
	return ""
}

var bareName = regexp.MustCompile(`\[([A-Za-z_]\w*)\]`)

func (x *expressions) cel(ind *model.Indicator, at *place.Path) {
	match := ind.Expression
	if match == nil {
		return
	}
	at = at.Field("expression")
	if x.affords(x.cels, cel.Cost(match.CEL), at.Field("cel")) {
		if err := cel.Check(match.CEL); err != nil {
			x.Violation(rules.CEL, at.Field("cel"), "invalid CEL expression: %v", err).Help = celHelp(match.CEL)
		}
	}
	for _, v := range match.Variables {
		variable := at.Field("variables").Field(v.Name)
		if !vocabulary.CheckSimplePath(v.Path) {
			x.Violation(rules.VariablePath, variable, "%s", vocabulary.NotSimple(v.Path)).Help = vocabulary.SimplePathHint
		}
		if !vocabulary.IsCELIdentifier(v.Name) {
			x.ViolationOfKey(rules.VariableName, variable, "variable name %s is not a CEL identifier", say.Quoted(v.Name)).Help = "use letters, digits and underscores, and begin with no digit"
		}
	}
}

func (x *expressions) checkSelectors(doc *view.Document, _ *findings.List) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		for i := range ph.Extractors {
			extractor := &ph.Extractors[i]
			if extractor.Type != model.ExtractorJSONPath {
				continue
			}
			selector := ph.At.Field("extractors").Element(i).Field("selector")
			if !x.affords(x.selectors, len(extractor.Selector), selector) {
				continue
			}
			if err := jsonpath.Check(extractor.Selector); err != nil {
				x.Violation(rules.JSONPath, selector, "invalid JSONPath: %v", err).Help = selectorHelp(extractor.Selector)
			}
		}
	})
}

func (x *expressions) checkWhens(doc *view.Document, _ *findings.List) {
	x.whens(doc.Profile.Responses, doc)
}

// whens checks response predicates in free-form state: keys are dot-paths, regular expressions RE2.
func (x *expressions) whens(places []profile.ResponsePlace, doc *view.Document) {
	doc.EachResponses(places, func(r *view.Responses) {
		if !r.Matched {
			return
		}
		for i, v := range r.Entries {
			entry, _ := v.(model.Object)
			when, _ := view.MemberOf[model.Object](entry, "when")
			at := r.Entry(i).Field("when")
			for _, m := range when {
				predicateKey(x.List, m.Key, at)
				condition, _ := m.Value.(model.Object)
				if pattern, ok := view.MemberOf[string](condition, "regex"); ok {
					x.regex(pattern, at.Field(m.Key).Field("regex"))
				}
			}
		}
	})
}

func checkTargets(doc *view.Document, out *findings.List) {
	target := func(path *string, at *place.Path) {
		if path != nil && !vocabulary.CheckWildcardPath(*path) {
			out.Violation(rules.TargetSyntax, at.Field("target"), "%s is not a wildcard dot-path", say.Quoted(*path)).Help = "write names separated by dots, each with an optional [*]; indices such as [0] do not exist"
		}
	}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		target(ind.Target, at)
		if ind.Pattern != nil {
			target(ind.Pattern.Target, at.Field("pattern"))
		}
		if ind.Semantic != nil {
			target(ind.Semantic.Target, at.Field("semantic"))
		}
	})
}

func checkPredicates(doc *view.Document, out *findings.List) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		if ph.Trigger == nil {
			return
		}
		for i := range ph.Trigger.Match {
			predicateKey(out, ph.Trigger.Match[i].Path, ph.At.Field("trigger").Field("match"))
		}
	})
}

func predicateKey(out *findings.List, key string, at *place.Path) {
	if !vocabulary.CheckSimplePath(key) {
		out.ViolationOfKey(rules.PredicateKey, at.Field(key), "%s", vocabulary.NotSimple(key)).Help = vocabulary.SimplePathHint
	}
}

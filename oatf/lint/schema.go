package lint

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

func lintEnvelope(doc *view.Document, out *reporter) {
	a := &doc.Attack
	lintDate(out, "created", a.Created)
	lintDate(out, "modified", a.Modified)
	for i := range a.Impact {
		if slices.Contains(a.Impact[:i], a.Impact[i]) {
			out.warn(rules.ImpactTwice, place.Attack.Field("impact").Element(i), "impact %s is listed twice", a.Impact[i])
		}
	}
	if a.Impact != nil && len(a.Impact) == 0 {
		out.warn(rules.SomeImpact, place.Attack.Field("impact"), "the attack has no impact").Help = findings.LeaveOutHint
	}
	if a.Correlation != nil && a.Indicators == nil {
		out.warn(rules.CorrelationAlone, place.Attack.Field("correlation"), findings.NothingToCorrelate)
	}
	if a.Execution.Mode != nil && a.Execution.Actors != nil {
		out.warn(rules.ModeBesideActors, place.Execution.Field("mode"), "the actors have their own modes").Help = "remove it, and give each indicator its protocol"
	}
	lintLinks(doc, out)
}

// lintNulls finds optional keys without a value.
func lintNulls(doc *view.Document, out *reporter) {
	source := place.SourceOf(doc.Document)
	if source == nil {
		return
	}
	for _, pair := range source.Nulls {
		f := out.LintOfKey(rules.NoValue, pair.Path.String(), say.NullIsAbsent(pair.Path.Key()))
		if f.Rule != "" {
			f.Help = "leave the key out, or give it a value"
			out.LeaveOut(f, pair)
		}
	}
}

func lintDate(out *reporter, key string, date *model.DateTime) {
	if date == nil {
		return
	}
	if _, err := date.Time(); err != nil {
		out.warn(rules.Date, place.Attack.Field(key), "%v", err)
	}
}

func lintLinks(doc *view.Document, out *reporter) {
	link := func(text string, at *place.Path) {
		if u, err := url.Parse(text); err != nil || u.Scheme == "" {
			out.warn(rules.LinkOrName, at, "%s is not a URL with its scheme", say.Quoted(text)).Help = "write it like https://example.com/page"
		}
	}
	for i := range doc.Attack.References {
		link(doc.Attack.References[i].URL, place.Attack.Field("references").Element(i).Field("url"))
	}
	if doc.Attack.Classification == nil {
		return
	}
	for i, m := range doc.Attack.Classification.Mappings {
		at := place.Attack.Field("classification").Field("mappings").Element(i)
		if m.Framework == "" {
			out.warn(rules.LinkOrName, at.Field("framework"), "the framework has no name")
		}
		if m.URL != nil {
			link(*m.URL, at.Field("url"))
		}
	}
}

func lintPhaseSchema(doc *view.Document, out *reporter) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		if ph.OnEnter != nil && len(ph.OnEnter) == 0 {
			out.warn(rules.NoActions, ph.At.Field("on_enter"), "the list of actions is missing").Help = findings.LeaveOutHint
		}
		t := ph.Trigger
		if t == nil {
			return
		}
		if t.Count != nil && *t.Count < 1 {
			out.warn(rules.CountAtLeastOne, ph.At.Field("trigger").Field("count"), "the count is %d, expected at least 1", *t.Count)
		}
		if t.Event != nil {
			lintEvent(doc.Profile, out, *t.Event, ph)
		}
		for i := range t.Match {
			lintAnyOf(out, t.Match[i].Operators, ph.At.Field("trigger").Field("match").Field(t.Match[i].Path))
		}
	})
}

// lintEvent checks an event's spelling. In revisions without qualifiers, another rule checks events of known modes.
func lintEvent(p *profile.Profile, out *reporter, event string, ph view.Phase) {
	example := "tools/call or tools/call:name"
	if p.Qualifiers == nil {
		example = "tools/call"
		if vocabulary.IsKnownMode(ph.Mode) {
			return
		}
	}
	if !isEvent(p, event) {
		out.warn(rules.EventSpelling, ph.At.Field("trigger").Field("event"), "event %s does not have the form of an event name", say.Quoted(event)).Help = "write it like " + example
	}
}

// isEvent reports whether s matches ^[a-z][a-zA-Z0-9_/]*$ or, with qualifiers,
// ^[a-z][a-zA-Z0-9_/]*(:[a-zA-Z0-9_-]+)?$.
func isEvent(p *profile.Profile, s string) bool {
	base, qualifier, qualified := p.SplitEvent(s)
	letter := func(c byte) bool {
		return vocabulary.IsLower(c) || vocabulary.IsUpper(c) || vocabulary.IsDigit(c) || c == '_'
	}
	return base != "" && vocabulary.IsLower(base[0]) && vocabulary.All(base, func(c byte) bool { return letter(c) || c == '/' }) &&
		(!qualified || qualifier != "" && vocabulary.All(qualifier, func(c byte) bool { return letter(c) || c == '-' }))
}

func lintAnyOf(out *reporter, o *model.MatchCondition, at *place.Path) {
	if o != nil && o.AnyOf != nil && len(o.AnyOf) == 0 {
		out.warn(rules.SomeAnyOf, at.Field("any_of"), "the list is empty: the condition never holds")
	}
}

func lintIndicatorSchema(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if p := ind.Pattern; p != nil {
			lintPatternSchema(out, p, at.Field("pattern"))
		}
		if ind.Semantic == nil || ind.Semantic.Examples == nil {
			return
		}
		e, at := ind.Semantic.Examples, at.Field("semantic").Field("examples")
		if e.Positive == nil && e.Negative == nil {
			out.warn(rules.SomeExamples, at, "the indicator has no examples").Help = findings.LeaveOutHint
		}
		lintExampleList(out, at, "positive", e.Positive)
		lintExampleList(out, at, "negative", e.Negative)
	})
}

func lintExampleList(out *reporter, at *place.Path, key string, list []string) {
	if list != nil && len(list) == 0 {
		out.warn(rules.SomeExamples, at.Field(key), "the indicator has no %s examples", key).Help = findings.LeaveOutHint
	}
}

func lintPatternSchema(out *reporter, p *model.PatternMatch, at *place.Path) {
	if p.Condition != nil {
		lintAnyOf(out, p.Condition.Operators, at.Field("condition"))
		return
	}
	if p.Shorthand == nil {
		return
	}
	lintAnyOf(out, p.Shorthand, at)
	operators := countOperators(p.Shorthand)
	switch {
	case p.Target != nil:
		out.warn(rules.PatternForm, at, "the short form has a separate target").Help = "move the operator under condition:"
	case operators > 1:
		out.warn(rules.PatternForm, at, "the short form has %d operators, expected one", operators).Help = "move them under condition:"
	}
}

// countOperators returns how many operators a condition has.
func countOperators(c *model.MatchCondition) (n int) {
	for _, present := range []bool{
		c.Contains != nil, c.StartsWith != nil, c.EndsWith != nil, c.Regex != nil, c.AnyOf != nil,
		c.GT != nil, c.LT != nil, c.GTE != nil, c.LTE != nil, c.Exists != nil,
	} {
		if present {
			n++
		}
	}
	return n
}

func lintWording(doc *view.Document, out *reporter) {
	if name := doc.Attack.Name; name != nil && utf8.RuneCountInString(*name) > 80 {
		out.warn(rules.NameLength, place.Attack.Field("name"), "the name has %d characters, more than 80", utf8.RuneCountInString(*name))
	}
	if doc.Attack.Classification == nil {
		return
	}
	for i, tag := range doc.Attack.Classification.Tags {
		if tag == "" || !vocabulary.All(tag, func(b byte) bool { return vocabulary.IsLower(b) || vocabulary.IsDigit(b) || b == '-' }) {
			out.warn(rules.TagSpelling, place.Attack.Field("classification").Field("tags").Element(i), "tag %s is not lower-case and hyphenated", say.Quoted(tag)).Help = strings.Join(strings.Fields(strings.ToLower(say.Preview(tag, say.Usual))), "-")
		}
	}
}

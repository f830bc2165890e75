package lint

import (
	"reflect"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/validate"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// maxShadowing limits the number of earlier responses, and of conditions, to compare a response with.
const maxShadowing = 100

// lintResponses checks the order of responses.
func lintResponses(doc *view.Document, out *reporter) {
	doc.EachResponses(slices.Concat(doc.Profile.Responses, doc.Profile.Loose), func(r *view.Responses) {
		if r.Single || !r.Matched {
			return
		}
		var earlier []model.Object
		for i, v := range r.Entries {
			entry, ok := v.(model.Object)
			if !ok {
				continue
			}
			value, _ := entry.Get("when")
			when, ok := value.(model.Object)
			if !ok {
				if value == nil && i < len(r.Entries)-1 && r.MeantWhen(entry) == "" {
					out.warn(rules.DefaultLast, r.Entry(i), "a response without when is not the last").Help = "move it to the end"
				}
				continue
			}
			if lintWhen(doc.Profile, out, when, r.Entry(i).Field("when")); slices.ContainsFunc(earlier, func(w model.Object) bool { return implies(when, w) }) {
				out.warn(rules.ChosenResponse, r.Entry(i).Field("when"), "an earlier response answers every request that this one would answer").Help = "put the response with the more specific when first"
			}
			if len(earlier) < maxShadowing && len(when) <= maxShadowing {
				earlier = append(earlier, when)
			}
		}
	})
}

// neverHolds warns of a contradictory condition.
func (r *reporter) neverHolds(rule rules.Handle, at *place.Path, why string) {
	r.warn(rule, at, "the condition never holds: %s", why)
}

// lintWhen finds conditions that contradict themselves.
func lintWhen(p *profile.Profile, out *reporter, when model.Object, at *place.Path) {
	for _, m := range when {
		if why := neverHolds(p, conditionOf(m.Value)); why != "" {
			out.neverHolds(rules.WhenHolds, at.Field(m.Key), why)
		}
	}
}

// conditionOf parses a condition in free-form state and ignores operands of the wrong type.
func conditionOf(v model.Value) *model.Condition {
	object, _ := v.(model.Object)
	if !slices.ContainsFunc(object, func(m model.Member) bool { return slices.Contains(vocabulary.ConditionOperators, m.Key) }) {
		return &model.Condition{Value: v}
	}
	var o model.MatchCondition
	for key, field := range map[string]**string{"contains": &o.Contains, "starts_with": &o.StartsWith, "ends_with": &o.EndsWith, "regex": &o.Regex} {
		if s, ok := view.MemberOf[string](object, key); ok {
			*field = &s
		}
	}
	for key, field := range map[string]**model.Number{"gt": &o.GT, "lt": &o.LT, "gte": &o.GTE, "lte": &o.LTE} {
		if n, ok := view.MemberOf[model.Number](object, key); ok {
			*field = &n
		}
	}
	if exists, ok := view.MemberOf[bool](object, "exists"); ok {
		o.Exists = &exists
	}
	o.AnyOf, _ = view.MemberOf[[]model.Value](object, "any_of")
	return &model.Condition{Operators: &o}
}

// implies reports whether a predicate matches only where a weaker one matches: it has all conditions of the weaker
// one.
func implies(when, weaker model.Object) bool {
	for _, m := range weaker {
		if v, ok := when.Get(m.Key); !ok || !reflect.DeepEqual(v, m.Value) {
			return false
		}
	}
	return true
}

// lintLooseResponses applies the conformance rules to other places, as lint findings.
func lintLooseResponses(doc *view.Document, out *reporter) {
	for _, f := range validate.Loose(doc, out.Scratch()) {
		out.Lint(rules.LooseResponses, f.Path, f.Message).Help = f.Help
	}
}

// lintResponseKeys finds keys of responses that the protocol bindings do not have.
func lintResponseKeys(doc *view.Document, out *reporter) {
	doc.EachResponses(slices.Concat(doc.Profile.Responses, doc.Profile.Loose), func(r *view.Responses) {
		if r.Keys == nil {
			return
		}
		violated := !r.Loose && r.Defaults() > 1 // by V-034
		for i, v := range r.Entries {
			if entry, ok := v.(model.Object); ok {
				lintKeys(out, r, entry, r.Entry(i), violated)
			}
		}
	})
}

// lintKeys suggests a missing key for each unknown one. The rule about responses without when reports a misspelled
// when.
func lintKeys(out *reporter, r *view.Responses, entry model.Object, at *place.Path, violated bool) {
	free, told := r.Free(entry), ""
	if violated {
		told = r.MeantWhen(entry)
	}
	for _, m := range entry {
		switch e := earlier(r.Earlier, m.Key); {
		case e != nil:
			out.earlierKey(e, at.Field(m.Key), nil)
		case !slices.Contains(r.Keys, m.Key) && !strings.HasPrefix(m.Key, "x-") && m.Key != told:
			unknownKey(out, r, m.Key, free, at.Field(m.Key))
		}
	}
}

func unknownKey(out *reporter, r *view.Responses, key string, free []string, at *place.Path) {
	f := out.LintOfKey(rules.ResponseKey, at.String(), "unknown key "+say.Quoted(key)+" in "+r.Member)
	if key == "match" && slices.Contains(free, "when") { // the name of a trigger's predicate
		f.Help = `did you mean "when"?`
		out.Replace(f, key, "when")
		findings.Guess(f)
		return
	}
	if out.Suggest(f, key, free); f.Help == "" {
		f.Help = knownHereHint(r.Keys)
	}
}

func knownHereHint(keys []string) string { return "known here: " + strings.Join(keys, ", ") }

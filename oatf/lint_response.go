package oatf

import (
	"reflect"
	"slices"
)

var lintResponseRules = []lintRule{
	{check: lintResponses, Rule: Rule{ID: "L-401",
		Title:     "a response is never chosen: an earlier one takes every request",
		Rationale: "The first entry whose when holds answers. This one's when holds only where that of an earlier entry holds too.",
		Bad:       responsesExample("- {when: {arguments.path: /etc}, content: []}", "- {when: {arguments.path: /etc, arguments.all: true}, content: []}", "- content: []"),
		Good:      responsesExample("- {when: {arguments.path: /etc, arguments.all: true}, content: []}", "- {when: {arguments.path: /etc}, content: []}", "- content: []")}},
	{Rule: Rule{ID: "L-402",
		Title:     "the default response is not the last one",
		Rationale: "The entry without when answers when no other does, wherever it stands. Tools that read the list from the top choose it too early, and so do people.",
		Clause:    "OATF format v0.1, §11.1.15",
		Bad:       responsesExample("- content: []", "- {when: {arguments.path: /etc}, content: []}"),
		Good:      responsesExample("- {when: {arguments.path: /etc}, content: []}", "- content: []")}},
	{Rule: Rule{ID: "L-403",
		Title:     "a when can never hold",
		Rationale: "The condition contradicts itself, so the entry never answers.",
		Bad:       responsesExample("- {when: {arguments.n: {gt: 5, lt: 3}}, content: []}", "- content: []"),
		Good:      responsesExample("- {when: {arguments.n: {gt: 3, lt: 5}}, content: []}", "- content: []")}},
	{check: lintLooseResponses, Rule: Rule{ID: "L-404",
		Title:     "elicitations and task_message break a rule of the other responses",
		Rationale: "The conformance rules about fixed content and synthesize, and about the paths of when, do not name these two places. What breaks them there goes wrong all the same.",
		Bad:       "execution:\n  mode: mcp_server\n  state:\n    elicitations:\n      - {when: {\"arguments[0]\": x}, message: Sure?}\n",
		Good:      "execution:\n  mode: mcp_server\n  state:\n    elicitations:\n      - {when: {arguments.name: x}, message: Sure?}\n"}},
}

// responsesExample is a server with one tool that has these responses.
func responsesExample(entries ...string) string {
	text := "execution:\n  mode: mcp_server\n  state:\n    tools:\n      - name: read\n        responses:\n"
	for _, e := range entries {
		text += "          " + e + "\n"
	}
	return text
}

// loosePlaces are like responses, but the conformance rules do not name them.
var loosePlaces = []responsePlace{
	{protocol: "mcp", member: "elicitations", matched: true},
	{protocol: "a2a", member: "task_message", static: []string{"parts"}, single: true},
}

// maxShadowing bounds the comparison of every response with those before it: the
// responses it is compared with, and the conditions of each.
const maxShadowing = 100

// lintResponses looks at the order of ordered lists of responses.
func lintResponses(c *checker) {
	c.eachResponseOwner(slices.Concat(responsePlaces, loosePlaces), func(where *responsePlace, owner Object, at *place) {
		if where.single || !where.matched {
			return
		}
		list, at := listAt(owner, where.member, at)
		var earlier []Object
		for i, v := range list {
			entry, ok := v.(Object)
			if !ok {
				continue
			}
			value, _ := entry.Get("when")
			when, ok := value.(Object)
			if !ok {
				if value == nil && i < len(list)-1 {
					c.warning("L-402", at.element(i), "the response without when is not the last").Help = "move it to the end"
				}
				continue
			}
			if lintWhen(c, when, at.element(i).field("when")); slices.ContainsFunc(earlier, func(w Object) bool { return implies(when, w) }) {
				c.warning("L-401", at.element(i).field("when"), "an earlier response takes every request that this one would answer").Help = "put the more special when first"
			}
			if len(earlier) < maxShadowing && len(when) <= maxShadowing {
				earlier = append(earlier, when)
			}
		}
	})
}

// lintWhen finds conditions that contradict themselves.
func lintWhen(c *checker, when Object, at *place) {
	for _, m := range when {
		if condition := conditionOf(m.Value); condition.neverHolds() != "" {
			c.warning("L-403", at.field(m.Key), "the condition never holds: %s", condition.neverHolds())
		}
	}
}

// conditionOf reads a condition that stands in free-form state. Operands of the wrong
// type are left out.
func conditionOf(v Value) *Condition {
	object, _ := v.(Object)
	if !slices.ContainsFunc(object, func(m Member) bool { return slices.Contains(conditionOperators, m.Key) }) {
		return &Condition{Value: v}
	}
	var o MatchCondition
	for key, field := range map[string]**string{"contains": &o.Contains, "starts_with": &o.StartsWith, "ends_with": &o.EndsWith, "regex": &o.Regex} {
		if s, ok := memberOf[string](object, key); ok {
			*field = &s
		}
	}
	for key, field := range map[string]**Number{"gt": &o.GT, "lt": &o.LT, "gte": &o.GTE, "lte": &o.LTE} {
		if n, ok := memberOf[Number](object, key); ok {
			*field = &n
		}
	}
	if exists, ok := memberOf[bool](object, "exists"); ok {
		o.Exists = &exists
	}
	o.AnyOf, _ = memberOf[[]Value](object, "any_of")
	return &Condition{Operators: &o}
}

// memberOf returns the member of an object when it has the type.
func memberOf[T any](o Object, key string) (T, bool) {
	v, _ := o.Get(key)
	t, ok := v.(T)
	return t, ok
}

// implies says whether a predicate holds only where the weaker one holds too: it has
// all of the weaker one's conditions.
func implies(when, weaker Object) bool {
	for _, m := range weaker {
		if v, ok := when.Get(m.Key); !ok || !reflect.DeepEqual(v, m.Value) {
			return false
		}
	}
	return true
}

// lintLooseResponses runs the conformance rules over the places that they do not name,
// and reports what they find as its own.
func lintLooseResponses(c *checker) {
	rules := &checker{Document: c.Document, actors: c.actors, limit: c.limit}
	rules.eachResponseOwner(loosePlaces, func(where *responsePlace, owner Object, at *place) { where.check(rules, owner, at) })
	for _, e := range rules.errors {
		d := c.warningAt("L-404", e.Path, e.Message)
		d.Help = e.Help
	}
}

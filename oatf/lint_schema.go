package oatf

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// clauseSchema is what the rules of this group rest on: the format's JSON Schema
// forbids what no conformance rule mentions.
const clauseSchema = "OATF format v0.1, JSON Schema"

var lintSchemaRules = []lintRule{
	{check: lintEnvelope, Rule: Rule{ID: "L-501", Clause: clauseSchema,
		Title:     "a date is not a date",
		Rationale: "created and modified are ISO 8601: a bare date, or a date-time with zone. Other text cannot be sorted or compared.",
		Bad:       "created: 2026-02-30\n", Good: "created: 2026-02-28\n"}},
	{Rule: Rule{ID: "L-502", Clause: clauseSchema,
		Title:     "a kind of impact is listed twice",
		Rationale: "The list is a set; a repeated member is usually meant to be another one.",
		Bad:       "impact: [data_exfiltration, data_exfiltration]\n", Good: "impact: [data_exfiltration, data_tampering]\n"}},
	{Rule: Rule{ID: "L-503", Clause: clauseSchema,
		Title:     "correlation stands without indicators",
		Rationale: "It says how indicator verdicts combine, and there are none.",
		Bad:       "correlation: {logic: all}\n", Good: "indicators:\n  - {surface: roots_response, pattern: {target: \"roots[*].uri\", condition: {contains: home}}}\ncorrelation: {logic: all}\n"}},
	{Rule: Rule{ID: "L-504", Clause: clauseSchema,
		Title:     "execution.mode stands beside actors",
		Rationale: "Each actor has a mode of its own; another one beside them says nothing, or contradicts them.",
		Bad:       "execution:\n  mode: mcp_server\n  actors:\n    - {name: one, mode: mcp_server, phases: [{state: {tools: []}}]}\n",
		Good:      "execution:\n  actors:\n    - {name: one, mode: mcp_server, phases: [{state: {tools: []}}]}\n"}},
	{Rule: Rule{ID: "L-505", Clause: clauseSchema,
		Title:     "a reference or a mapping names nothing",
		Rationale: "A framework is named, and a URL is one that can be opened: with its scheme.",
		Bad:       "references: [{url: example.com/paper}]\n", Good: "references: [{url: \"https://example.com/paper\"}]\n"}},
	{check: lintPhaseSchema, Rule: Rule{ID: "L-506", Clause: clauseSchema,
		Title:     "on_enter is empty",
		Rationale: "A list of actions without actions is left over.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: []}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - {state: {tools: []}, on_enter: [{log: {message: Begun}}]}\n"}},
	{Rule: Rule{ID: "L-507", Clause: clauseSchema,
		Title:     "trigger.count is less than 1",
		Rationale: "The phase would end before anything happened, or never: tools disagree.",
		Bad:       phasesExample("trigger: {event: tools/call, count: 0}"), Good: phasesExample("trigger: {event: tools/call, count: 1}")}},
	{Rule: Rule{ID: "L-508", Clause: clauseSchema,
		Title:     "an event is misspelled",
		Rationale: "Events are letters, digits, underscores and slashes, begin with a lower-case letter, and may have one qualifier after a colon.",
		Bad:       phasesExample("trigger: {event: \"tools/call:calcul@tor\", after: 5s}"),
		Good:      phasesExample("trigger: {event: \"tools/call:calculator\", after: 5s}")}},
	{check: lintIndicatorSchema, Rule: Rule{ID: "L-509", Clause: clauseSchema,
		Title:     "a pattern mixes its two forms",
		Rationale: "The shorthand is one operator and nothing else; with a target or several operators write condition. Strict readers refuse the mixture.",
		Bad:       "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, contains: id_rsa}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {contains: id_rsa}}}\n"}},
	{Rule: Rule{ID: "L-510", Clause: clauseSchema,
		Title:     "any_of is empty",
		Rationale: "Nothing is a member of an empty list, so the condition never holds.",
		Bad:       "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {any_of: []}}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.path, condition: {any_of: [/etc/passwd]}}}\n"}},
	{Rule: Rule{ID: "L-511", Clause: clauseSchema,
		Title:     "a list of examples is empty",
		Rationale: "Examples calibrate engines; an empty list, or none at all under the key, is left over.",
		Bad:       "indicators:\n  - {surface: tool_arguments, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: []}}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, semantic: {intent: Read keys, examples: {positive: [cat a, cat b], negative: [ls, pwd]}}}\n"}},
	{check: lintWording, Rule: Rule{ID: "L-512", Clause: "OATF format v0.1, §4.2",
		Title:     "the attack's name is longer than 80 characters",
		Rationale: "Names stand in lists and reports; the rest belongs into the description.",
		Bad:       "name: An attack whose name goes on and on until no list and no report has room for all the words of it\n",
		Good:      "name: An attack with a name\n"}},
	{Rule: Rule{ID: "L-513", Clause: "OATF SDK specification 0.1, §2.5",
		Title:     "a tag is not lower-case and hyphenated",
		Rationale: "Tags are searched for literally; one spelling finds them all.",
		Bad:       "classification: {tags: [Rug Pull]}\n", Good: "classification: {tags: [rug-pull]}\n"}},
}

func lintEnvelope(c *checker) {
	a := &c.Attack
	for key, date := range map[string]*DateTime{"created": a.Created, "modified": a.Modified} {
		if date != nil {
			if _, err := date.Time(); err != nil {
				c.warning("L-501", attackPlace.field(key), "%v", err)
			}
		}
	}
	for i := range a.Impact {
		if slices.Contains(a.Impact[:i], a.Impact[i]) {
			c.warning("L-502", attackPlace.field("impact").element(i), "impact %s is listed twice", a.Impact[i])
		}
	}
	if a.Correlation != nil && a.Indicators == nil {
		c.warning("L-503", attackPlace.field("correlation"), "there are no indicators to correlate")
	}
	if a.Execution.Mode != nil && a.Execution.Actors != nil {
		c.warning("L-504", executionPlace.field("mode"), "the actors have modes of their own").Help = "remove it, and give each indicator its protocol"
	}
	lintLinks(c)
}

func lintLinks(c *checker) {
	link := func(text string, at *place) {
		if u, err := url.Parse(text); err != nil || u.Scheme == "" {
			c.warning("L-505", at, "%s is not a URL with its scheme", quoted(text)).Help = "write it like https://example.com/page"
		}
	}
	for i := range c.Attack.References {
		link(c.Attack.References[i].URL, attackPlace.field("references").element(i).field("url"))
	}
	if c.Attack.Classification == nil {
		return
	}
	for i, m := range c.Attack.Classification.Mappings {
		at := attackPlace.field("classification").field("mappings").element(i)
		if m.Framework == "" {
			c.warning("L-505", at.field("framework"), "the framework has no name")
		}
		if m.URL != nil {
			link(*m.URL, at.field("url"))
		}
	}
}

func lintPhaseSchema(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		if ph.OnEnter != nil && len(ph.OnEnter) == 0 {
			c.warning("L-506", ph.at.field("on_enter"), "there are no actions").Help = "leave the key out"
		}
		t := ph.Trigger
		if t == nil {
			return
		}
		if t.Count != nil && *t.Count < 1 {
			c.warning("L-507", ph.at.field("trigger").field("count"), "the count is %d, expected at least 1", *t.Count)
		}
		if t.Event != nil && !isEvent(*t.Event) {
			c.warning("L-508", ph.at.field("trigger").field("event"), "event %s is not spelled like one", quoted(*t.Event)).Help = "write it like tools/call or tools/call:name"
		}
		for i := range t.Match {
			lintAnyOf(c, t.Match[i].Operators, ph.at.field("trigger").field("match").field(t.Match[i].Path))
		}
	})
}

// isEvent says whether s matches ^[a-z][a-zA-Z0-9_/]*(:[a-zA-Z0-9_-]+)?$.
func isEvent(s string) bool {
	base, qualifier, qualified := strings.Cut(s, ":")
	letter := func(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) || c == '_' }
	return base != "" && isLower(base[0]) && all(base, func(c byte) bool { return letter(c) || c == '/' }) &&
		(!qualified || qualifier != "" && all(qualifier, func(c byte) bool { return letter(c) || c == '-' }))
}

func lintAnyOf(c *checker, o *MatchCondition, at *place) {
	if o != nil && o.AnyOf != nil && len(o.AnyOf) == 0 {
		c.warning("L-510", at.field("any_of"), "the list is empty: the condition never holds")
	}
}

func lintIndicatorSchema(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		if p := ind.Pattern; p != nil {
			lintPatternSchema(c, p, at.field("pattern"))
		}
		if ind.Semantic == nil || ind.Semantic.Examples == nil {
			return
		}
		e, at := ind.Semantic.Examples, at.field("semantic").field("examples")
		if e.Positive == nil && e.Negative == nil {
			c.warning("L-511", at, "there are no examples").Help = "leave the key out"
		}
		for key, list := range map[string][]string{"positive": e.Positive, "negative": e.Negative} {
			if list != nil && len(list) == 0 {
				c.warning("L-511", at.field(key), "there are no %s examples", key).Help = "leave the key out"
			}
		}
	})
}

func lintPatternSchema(c *checker, p *PatternMatch, at *place) {
	if p.Condition != nil {
		lintAnyOf(c, p.Condition.Operators, at.field("condition"))
		return
	}
	if p.Shorthand == nil {
		return
	}
	lintAnyOf(c, p.Shorthand, at)
	var f fields
	p.Shorthand.addTo(&f)
	switch {
	case p.Target != nil:
		c.warning("L-509", at, "the shorthand has a target beside it").Help = "move the operator under condition:"
	case len(f.list) > 1:
		c.warning("L-509", at, "the shorthand has %d operators", len(f.list)).Help = "move them under condition:"
	}
}

func lintWording(c *checker) {
	if name := deref(c.Attack.Name); utf8.RuneCountInString(name) > 80 {
		c.warning("L-512", attackPlace.field("name"), "the name has %d characters, more than 80", utf8.RuneCountInString(name))
	}
	if c.Attack.Classification == nil {
		return
	}
	for i, tag := range c.Attack.Classification.Tags {
		if tag == "" || !all(tag, func(b byte) bool { return isLower(b) || isDigit(b) || b == '-' }) {
			c.warning("L-513", attackPlace.field("classification").field("tags").element(i), "tag %s is not lower-case and hyphenated", quoted(tag)).Help = strings.Join(strings.Fields(strings.ToLower(preview(tag))), "-")
		}
	}
}

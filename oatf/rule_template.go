package oatf

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
)

// checkTemplates checks every template string: all strings inside state and
// on_enter, and nothing else (keys and JSON Schema names are no templates).
func checkTemplates(c *checker) {
	extractors := c.extractorNames()
	c.eachPhase(func(a *actorView, ph phaseView) {
		check := func(s string, at *place) { checkTemplate(c, s, at, a, extractors) }
		walkStrings(ph.State, ph.at.field("state"), check)
		for i := range ph.OnEnter {
			actionStrings(&ph.OnEnter[i], ph.at.field("on_enter").element(i), check)
		}
	})
}

// extractorNames collects, per actor name, the names of all its extractors: what a
// later phase declares counts too.
func (c *checker) extractorNames() map[string][]string {
	names := map[string][]string{}
	for _, a := range c.actors {
		names[a.name] = nil // an actor without extractors exists too
	}
	c.eachPhase(func(a *actorView, ph phaseView) {
		for i := range ph.Extractors {
			names[a.name] = append(names[a.name], ph.Extractors[i].Name)
		}
	})
	return names
}

// walkStrings calls do for every string inside a value.
func walkStrings(v Value, at *place, do func(string, *place)) {
	switch v := v.(type) {
	case string:
		do(v, at)
	case []Value:
		for i := range v {
			walkStrings(v[i], at.element(i), do)
		}
	case Object:
		for i := range v {
			walkStrings(v[i].Value, at.field(v[i].Key), do)
		}
	}
}

func actionStrings(a *Action, at *place, do func(string, *place)) {
	if s := a.SendNotification; s != nil {
		at := at.field("send_notification")
		do(s.Method, at.field("method"))
		walkStrings(s.Params, at.field("params"), do)
	}
	if a.Log != nil {
		do(a.Log.Message, at.field("log").field("message"))
	}
	if s := a.SendElicitation; s != nil {
		at := at.field("send_elicitation")
		do(s.Message, at.field("message"))
		walkStrings(s.RequestedSchema, at.field("requestedSchema"), do)
		do(deref(s.ElicitationID), at.field("elicitationId"))
		do(deref(s.URL), at.field("url"))
	}
	for _, m := range a.Binding {
		walkStrings(m.Value, at.field(m.Key), do)
	}
}

func checkTemplate(c *checker, s string, at *place, a *actorView, extractors map[string][]string) {
	if !strings.Contains(s, "{{") {
		return
	}
	references, unclosed := templateReferences(s)
	if unclosed {
		c.violation("V-016", at, "a template reference is not closed: %s", quoted(s[strings.LastIndex(s, "{{"):])).Help = `close it with }}, or write \{{ for a literal {{`
	}
	for _, ref := range references {
		checkReference(c, ref, at, a, extractors)
	}
}

// checkReference resolves one reference against what the document declares. The
// first segment decides what it is.
func checkReference(c *checker, ref string, at *place, a *actorView, extractors map[string][]string) {
	first, rest, dotted := strings.Cut(ref, ".")
	switch declared, isActor := extractors[first]; {
	case !dotted:
		undefinedExtractor(c, ref, ref, at, extractors[a.name])
	case first == "request" || first == "response":
		if !CheckSimplePath(rest) || rest == "" {
			c.warning("W-004", at, "reference %s cannot resolve: %s is not a simple dot-path", quotedReference(ref), quoted(rest))
		}
	case isActor:
		undefinedExtractor(c, ref, rest, at, declared)
	case isName(first):
		actors := make([]string, 0, len(extractors))
		for _, actor := range c.actors {
			actors = append(actors, actor.name)
		}
		c.violation("V-032", at, "reference %s names actor %s, which does not exist", quotedReference(ref), quoted(first)).Help = suggest.Hint(first, actors)
	default:
		c.warning("W-004", at, "reference %s names no extractor, actor or message", quotedReference(ref))
	}
}

func undefinedExtractor(c *checker, ref, name string, at *place, declared []string) {
	for _, d := range declared {
		if d == name {
			return
		}
	}
	c.warning("W-004", at, "reference %s names no declared extractor", quotedReference(ref)).Help = suggest.Hint(strings.TrimSpace(name), declared)
}

func quotedReference(ref string) string { return quoted("{{" + ref + "}}") }

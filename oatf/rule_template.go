package oatf

import (
	"maps"
	"slices"
	"strings"
)

// checkTemplates checks every template string: all strings inside state and
// on_enter, and nothing else (keys and JSON Schema names are no templates).
func checkTemplates(c *checker) {
	extractors := c.declaredExtractors()
	c.eachPhase(func(a *actorView, ph phaseView) {
		check := func(s string, at *place) { checkTemplate(c, s, at, a, extractors) }
		walkStrings(ph.State, ph.at.field("state"), check)
		for i := range ph.OnEnter {
			actionStrings(&ph.OnEnter[i], ph.at.field("on_enter").element(i), check)
		}
	})
}

// declaration is what one actor declares.
type declaration map[string]bool

// declaredExtractors collects, per actor name, the names of all its extractors: what
// a later phase declares counts too.
func (c *checker) declaredExtractors() map[string]declaration {
	declared := map[string]declaration{}
	for _, a := range c.actors {
		declared[a.name] = declaration{}
	}
	c.eachPhase(func(a *actorView, ph phaseView) {
		for i := range ph.Extractors {
			declared[a.name][ph.Extractors[i].Name] = true
		}
	})
	return declared
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

func checkTemplate(c *checker, s string, at *place, a *actorView, extractors map[string]declaration) {
	if !strings.Contains(s, "{{") {
		return
	}
	references, unclosed := templateReferences(s)
	if unclosed {
		c.violation("V-016", at, "a template reference is not closed: %s", quoted(s[strings.LastIndex(s, "{{"):])).Help = `close it with }}, or write \{{ for a literal {{`
	}
	checked := map[string]bool{}
	for _, ref := range references {
		if !checked[ref] {
			checked[ref] = true
			checkReference(c, ref, at, a, extractors)
		}
	}
}

// checkReference resolves one reference against what the document declares. The
// first segment decides what it is.
func checkReference(c *checker, ref string, at *place, a *actorView, extractors map[string]declaration) {
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
		c.violation("V-032", at, "reference %s names actor %s, which does not exist", quotedReference(ref), quoted(first)).Help = nearest(c, first, extractors)
	default:
		c.warning("W-004", at, "reference %s names no extractor, actor or message", quotedReference(ref))
	}
}

func undefinedExtractor(c *checker, ref, name string, at *place, declared declaration) {
	if !declared[name] {
		c.warning("W-004", at, "reference %s names no declared extractor", quotedReference(ref)).Help = nearest(c, strings.TrimSpace(name), declared)
	}
}

// maxSuggestions is how many names of a document are searched for the one that was
// meant: more would take longer than a reader's own search.
const maxSuggestions = 200

// nearest suggests one of a document's own names.
func nearest[V any](c *checker, word string, among map[string]V) string {
	if len(among) > maxSuggestions {
		return ""
	}
	return c.hint(word, slices.Sorted(maps.Keys(among)))
}

func quotedReference(ref string) string { return quoted("{{" + ref + "}}") }

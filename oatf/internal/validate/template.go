package validate

import (
	"maps"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// checkTemplates checks every template string.
func checkTemplates(doc *view.Document, out *findings.List) {
	declared := doc.Extractors()
	doc.EachTemplate(func(t view.Template) {
		references, unclosed := vocabulary.References(t.Text)
		if unclosed {
			out.Violation(rules.TemplateSyntax, t.At, "a template reference is not closed: %s", say.Quoted(t.Text[strings.LastIndex(t.Text, "{{"):])).Help = `close it with }}, or write \{{ for a literal {{`
		}
		checked := map[string]bool{}
		for _, ref := range references {
			if !checked[ref] {
				checked[ref] = true
				checkReference(out, ref, t, declared)
			}
		}
	})
}

// checkReference resolves the first segment of a reference in the document.
func checkReference(out *findings.List, ref string, t view.Template, extractors map[string]map[string]bool) {
	first, rest, dotted := strings.Cut(ref, ".")
	at := t.At
	switch declared, isActor := extractors[first]; {
	case !dotted:
		undefinedExtractor(out, ref, ref, at, extractors[t.Actor.Name])
	case first == "request" || first == "response":
		if !vocabulary.CheckSimplePath(rest) || rest == "" {
			out.Warning(rules.ReferenceResolves, at, "reference %s cannot resolve: %s", vocabulary.QuotedReference(ref), vocabulary.NotSimple(rest))
		}
	case isActor:
		undefinedExtractor(out, ref, rest, at, declared)
	case vocabulary.IsName(first):
		out.Violation(rules.ActorReference, at, "reference %s names actor %s, which does not exist", vocabulary.QuotedReference(ref), say.Quoted(first)).Help = nearest(out, first, extractors)
	default:
		out.Warning(rules.ReferenceResolves, at, "reference %s does not name an extractor, an actor or a message", vocabulary.QuotedReference(ref))
	}
}

func undefinedExtractor(out *findings.List, ref, name string, at *place.Path, declared map[string]bool) {
	if !declared[name] {
		out.Warning(rules.ReferenceResolves, at, "reference %s does not name a declared extractor", vocabulary.QuotedReference(ref)).Help = nearest(out, strings.TrimSpace(name), declared)
	}
}

// maxSuggestions limits the names searched for suggestions.
const maxSuggestions = 200

// nearest suggests a name defined in the document.
func nearest[V any](out *findings.List, word string, among map[string]V) string {
	if len(among) > maxSuggestions {
		return ""
	}
	return out.Hint(word, slices.Sorted(maps.Keys(among)))
}

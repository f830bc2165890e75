package try

import (
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// Template interpolates a template (§5.5) and explains each reference.
func Template(template string, extractors map[string]string, request, response *oatf.Value) (*Answer, error) {
	if open := unclosed(template); open >= 0 {
		e := syntaxAt("template", template, open, `the "{{" is never closed`)
		e.Help = `write \{{ for a literal {{`
		return nil, e
	}
	text, warnings := oatf.InterpolateTemplate(template, extractors, request, response)
	a := &Answer{Holds: true, Warnings: warnings}
	a.add("", text)
	references, _ := vocabulary.References(template)
	for _, reference := range references[:min(len(references), MaxFound)] {
		a.Why = append(a.Why, resolved(reference, extractors, request, response))
	}
	return a, nil
}

func unclosed(template string) int {
	if _, open := vocabulary.References(template); !open {
		return -1
	}
	at := strings.LastIndex(template, "{{")
	for at > 0 && template[at-1] == '\\' || at > 0 && closed(template[:at]) {
		at = strings.LastIndex(template[:at], "{{")
	}
	return at
}

// closed reports whether a text has a "{{" without "}}".
func closed(before string) bool {
	_, open := vocabulary.References(before)
	return open
}

func resolved(reference string, extractors map[string]string, request, response *oatf.Value) string {
	name := say.Quoted("{{" + reference + "}}")
	if v, ok := extractors[reference]; ok {
		return name + " is the extractor's value " + say.Quoted(v)
	}
	for _, root := range []struct {
		name  string
		value *oatf.Value
	}{{"request", request}, {"response", response}} {
		path, ok := strings.CutPrefix(reference, root.name+".")
		switch {
		case !ok:
			continue
		case root.value == nil:
			return name + " has no value: there is no " + root.name
		}
		if v, found := oatf.ResolveSimplePath(path, *root.value); found {
			return name + " is " + described(v) + " of the " + root.name
		}
		if checkPath(path, oatf.CheckSimplePath) != nil {
			return name + " has no value: " + say.Quoted(path) + " is not a dot-path"
		}
		return name + " has no value in the " + root.name + ": " + strings.Join(stops(path, *root.value), "; ")
	}
	return name + " has no value: no extractor with that name has one"
}

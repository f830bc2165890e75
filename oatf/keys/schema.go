package keys

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/keytable"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Schema returns a JSON Schema (draft 7) for documents of one or several revisions, in the style of SchemaStore. It
// checks the keys, the types of their values and closed enumerations. The content of a phase's state is only
// suggested.
func Schema(list ...model.Revision) string {
	w := &schemaWriter{definitions: map[string]model.Value{}}
	id, title := "oatf", "OATF document of any revision"
	for _, r := range list {
		w.guides = append(w.guides, guide{revision.Of(r), Where{}})
		if len(list) == 1 {
			id += "-" + string(r)
			title = "OATF document of the revision " + string(r)
		}
	}
	root := w.mapping(keytable.Document)
	var names []string
	for name := range w.definitions {
		names = append(names, name)
	}
	slices.Sort(names)
	definitions := model.Object{}
	for _, name := range names {
		definitions = append(definitions, model.Member{Key: name, Value: w.definitions[name]})
	}
	whole := slices.Concat(model.Object{
		{Key: "$schema", Value: "http://json-schema.org/draft-07/schema#"},
		{Key: "$id", Value: "https://json.schemastore.org/" + id + ".json"},
		{Key: "title", Value: title},
		{Key: "description", Value: "An attack on an AI agent in the Open Agent Threat Format"},
		{Key: "definitions", Value: definitions},
	}, root)
	var b bytes.Buffer
	if err := json.Indent(&b, value.Text(nil, whole), "", "  "); err != nil {
		panic("keys: " + err.Error()) // a bug
	}
	return b.String() + "\n"
}

// schemaWriter converts the shapes of revisions to JSON Schemas.
type schemaWriter struct {
	guides      []guide
	definitions map[string]model.Value // by the names of their shapes; nil while one is written
	offered     bool                   // below a state: nothing is checked
}

// of returns the schema of a shape: a reference when the shape has a name.
func (w *schemaWriter) of(s *keytable.Shape) model.Object {
	if s.Name == "" || w.offered {
		return w.inline(s)
	}
	if _, done := w.definitions[s.Name]; !done {
		w.definitions[s.Name] = nil
		w.definitions[s.Name] = w.inline(s)
	}
	return model.Object{{Key: "$ref", Value: "#/definitions/" + s.Name}}
}

func (w *schemaWriter) inline(s *keytable.Shape) model.Object {
	switch {
	case s == keytable.Condition:
		return w.condition()
	case s.Item != nil:
		return w.typed("array", model.Object{{Key: "items", Value: w.of(s.Item)}})
	case s.State && !w.offered:
		w.offered = true
		defer func() { w.offered = false }()
		return append(model.Object{{Key: "type", Value: "object"}}, w.mapping(s)...)
	case len(s.Keys) > 0 && s.Kind == keytable.Text: // a word, or a mapping
		return model.Object{{Key: "anyOf", Value: []model.Value{w.scalar(s), w.mapping(s)}}}
	case len(s.Keys) > 0 || s.Each != nil || s.State:
		return w.mapping(s)
	}
	return w.scalar(s)
}

// typed returns a schema with a type. Suggested content has no type.
func (w *schemaWriter) typed(name string, rest model.Object) model.Object {
	if w.offered {
		return rest
	}
	return append(model.Object{{Key: "type", Value: name}}, rest...)
}

// kinds are the types of values in JSON Schema.
var kinds = map[keytable.Kind]string{
	keytable.Text: "string", keytable.Integer: "integer", keytable.Number: "number", keytable.Boolean: "boolean", keytable.Object: "object",
}

// scalar returns the schema of a value without keys and elements.
func (w *schemaWriter) scalar(s *keytable.Shape) model.Object {
	o := model.Object{}
	if s.Kind != 0 {
		o = w.typed(kinds[s.Kind], nil)
	}
	var words []model.Value
	if s.Kind == keytable.Boolean {
		return o
	}
	for _, g := range w.guides {
		for _, word := range g.words(s) {
			if text := strings.Trim(word.Text, `"`); !slices.Contains(words, model.Value(text)) {
				words = append(words, text)
			}
		}
	}
	if words == nil {
		return o
	}
	name := "examples" // others are allowed
	if (s.Closed || s.Members != nil) && !w.offered {
		name = "enum"
	}
	return append(o, model.Member{Key: name, Value: words})
}

func (w *schemaWriter) mapping(s *keytable.Shape) model.Object {
	properties, known := model.Object{}, map[string]bool{}
	for _, g := range w.guides {
		for _, k := range g.keysOf(s) {
			if !known[k.Name] {
				known[k.Name] = true
				properties = append(properties, model.Member{Key: k.Name, Value: w.property(s, k)})
			}
		}
	}
	var o model.Object
	if len(properties) > 0 {
		o = model.Object{{Key: "properties", Value: properties}}
	}
	if w.offered {
		return o
	}
	if needs := w.needed(s); len(needs) > 0 {
		o = append(o, model.Member{Key: "required", Value: needs})
	}
	switch {
	case s.Each != nil:
		o = append(o, model.Member{Key: "additionalProperties", Value: w.of(s.Each)})
	case s.Extensible && !s.Free:
		o = append(o, model.Member{Key: "patternProperties", Value: model.Object{{Key: "^x-", Value: true}}})
	}
	if s.Each == nil && !s.Free {
		o = append(o, model.Member{Key: "additionalProperties", Value: false})
	}
	return w.typed("object", o)
}

func (w *schemaWriter) property(s *keytable.Shape, k keytable.Key) model.Object {
	about := k.Title
	if only := w.only(s, k.Name); only != "" {
		about += "; only in revision " + only
	}
	return append(model.Object{{Key: "description", Value: about}}, w.of(k.Value)...)
}

// only returns the single revision that has a key, or "" if all have it.
func (w *schemaWriter) only(s *keytable.Shape, name string) string {
	var having []string
	for _, g := range w.guides {
		if slices.ContainsFunc(g.keysOf(s), func(k keytable.Key) bool { return k.Name == name }) {
			having = append(having, string(g.Revision))
		}
	}
	if len(having) == len(w.guides) {
		return ""
	}
	return strings.Join(having, ", ")
}

// needed returns the keys that every revision requires in a mapping.
func (w *schemaWriter) needed(s *keytable.Shape) (list []model.Value) {
	for _, need := range s.Needs {
		list = append(list, need.Key)
	}
	if s.NeedsOf != nil && len(w.guides) == 1 {
		list = append(list, s.NeedsOf(w.guides[0].Profile))
	}
	return list
}

// condition returns the schema of a condition: a mapping of operators, or a value to compare with.
func (w *schemaWriter) condition() model.Object {
	var some []model.Value
	for _, operator := range vocabulary.ConditionOperators {
		some = append(some, model.Object{{Key: "required", Value: []model.Value{operator}}})
	}
	closed := *keytable.Condition
	closed.Free = false
	return model.Object{
		{Key: "if", Value: model.Object{{Key: "type", Value: "object"}, {Key: "anyOf", Value: some}}},
		{Key: "then", Value: w.mapping(&closed)},
	}
}

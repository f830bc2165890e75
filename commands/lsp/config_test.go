package lspcmd

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/schemas"
)

// configSchema is what a schema of cupel.yaml says of the places of one kind.
type configSchema struct {
	Description          string
	Type                 any
	Ref                  string `json:"$ref"`
	Enum                 []string
	Properties           map[string]*configSchema
	Items                *configSchema
	AdditionalProperties json.RawMessage
	Defs                 map[string]*configSchema `json:"$defs"`
}

// lines returns the keys below a place, each with its values.
func (s *configSchema) lines(t *testing.T, at string, all map[string]*configSchema) (list []string) {
	t.Helper()
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return all[name].lines(t, at, all)
	}
	words := s.Enum
	if s.Type == "boolean" {
		words = []string{"true", "false"}
	}
	list = append(list, at+" = "+strings.Join(words, ", "))
	for name, key := range s.Properties {
		list = append(list, key.lines(t, at+"/"+name+" ("+key.Description+")", all)...)
	}
	if s.Items != nil {
		list = append(list, s.Items.lines(t, at+"/-", all)...)
	}
	if text := string(s.AdditionalProperties); text != "" && text != "false" {
		var each configSchema
		if err := json.Unmarshal(s.AdditionalProperties, &each); err != nil {
			t.Fatal(err)
		}
		list = append(list, each.lines(t, at+"/*", all)...)
	}
	return list
}

// lines returns the keys that an editor offers. The ids of rules are not words of the schema, but their prefixes are.
func (s *configShape) lines(at string) (list []string) {
	var words []string
	if s.words != nil && s != ruleNames.item {
		for _, w := range s.words() {
			words = append(words, w.text)
		}
	}
	list = append(list, at+" = "+strings.Join(words, ", "))
	for _, k := range s.keys {
		list = append(list, k.value.lines(at+"/"+k.name+" ("+k.title+")")...)
	}
	if s.item != nil {
		list = append(list, s.item.lines(at+"/-")...)
	}
	if s.each != nil {
		list = append(list, s.each.lines(at+"/*")...)
	}
	return list
}

// TestEditorKnowsTheSchema: an editor is offered the keys and the words of cupel.yaml that its
// schema has, with the same explanations.
func TestEditorKnowsTheSchema(t *testing.T) {
	text, _ := schemas.Text(schemas.Config)
	var schema configSchema
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	want, got := schema.lines(t, "", schema.Defs), configFile.lines("")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("an editor is offered:\n%s\nthe schema has:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(want) < 20 {
		t.Errorf("the schema has %d places", len(want))
	}
}

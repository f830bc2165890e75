package jsonschema_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest/internal/attesttest"
	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

func nodeOf(t *testing.T, text []byte) strictjson.Node {
	t.Helper()
	doc, err := scan.New(1000, 0).Scan(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

// TestCases judges the values of the engine's cases of layer 1 whose target leads to a
// member of the output.
func TestCases(t *testing.T) {
	attesttest.Assertions(t, os.DirFS("../../../testdata/attest/evaluate"), "schema.jsonl", func(t *testing.T, trace json.RawMessage, c attesttest.Case) {
		spec, want := nodeOf(t, c.Spec), c.Wanted(t)
		target, _ := spec.Last("target").Text()
		value := nodeOf(t, trace)
		for name := range strings.SplitSeq(target, ".") {
			value = value.Last(name)
		}
		if kind := spec.Last("schema").Kind(); !value.Exists() || kind != strictjson.Object && kind != strictjson.True && kind != strictjson.False {
			return // that is seen before a schema is compiled
		}
		schema, err := jsonschema.New(spec.Last("schema"), spec.Last("format").TextIs("assert"))
		var refused *jsonschema.Error
		if errors.As(err, &refused) {
			if want.Error == nil || !strings.HasSuffix(want.Error.Message, "invalid JSON Schema: "+refused.Error()) || want.Error.Data.Detail != refused.Detail {
				t.Errorf("got %+v, want %s", refused, c.Want)
			}
			return
		}
		if want.Error != nil {
			return // another member of the spec is wrong
		}
		var judgements jsonschema.Judgements
		for range 2 {
			j := judgements.Judge(t.Context(), schema, value)
			if j.Valid != (want.Status == "pass") || !strings.HasSuffix(want.Explanation, j.Sentence+".") {
				t.Errorf("got %+v, want %s", j, c.Want)
			}
			judgements.Reset()
		}
	})
}

// TestViolations: one sentence for every keyword.
func TestViolations(t *testing.T) {
	for schema, cases := range map[string]map[string]string{
		`{"minLength":3}`:                   {`"ab"`: "the value has 2 characters, fewer than minLength 3"},
		`{"maxLength":1}`:                   {`"ab"`: "the value has 2 characters, more than maxLength 1"},
		`{"minItems":2}`:                    {`[1]`: "the value has 1 item, fewer than minItems 2"},
		`{"maxItems":0}`:                    {`[1]`: "the value has 1 item, more than maxItems 0"},
		`{"minProperties":1}`:               {`{}`: "the value has 0 fields, fewer than minProperties 1"},
		`{"maxProperties":0}`:               {`{"a":1}`: "the value has 1 field, more than maxProperties 0"},
		`{"contains":{"type":"null"}}`:      {`[1]`: "the value has no item that matches the schema of contains"},
		`{"contains":{},"minContains":2}`:   {`[1]`: "the value has 1 matching item, fewer than minContains 2"},
		`{"contains":{},"maxContains":1}`:   {`[1,2]`: "the value has 2 matching items, more than maxContains 1"},
		`{"uniqueItems":true}`:              {`[1,2,1]`: "the value has equal items at 0 and 2"},
		`{"propertyNames":{"maxLength":1}}`: {`{"ab":1}`: "the value has field 'ab', whose name is not allowed"},
		`{"not":{}}`:                        {`1`: "value 1 matches the schema that is excluded by not"},
		`{"anyOf":[false,false]}`:           {`1`: "value 1 matches no schema of anyOf: it is not allowed"},
		`{"anyOf":[{"properties":{"a":{"type":"null"}}},{"required":["b"]},{"properties":{"a":{"const":2}}},{"maxProperties":0}]}`: {
			`{"a":1}`: "the value matches no schema of anyOf: a = 1 is number, expected null, or missing required field 'b', or a = 1 is not the constant 2 (and 1 more)",
		},
		`{"anyOf":[{"type":"null"},{"type":["string","null"]}]}`: {`1`: "value 1 is number, expected null or string"},
		`{"anyOf":[{"anyOf":[{"minimum":2},{"type":"null"}]},{"minimum":3}]}`: {
			`1`: "value 1 matches no schema of anyOf: it matches none of the schemas of anyOf, or it is below minimum 3",
		},
		`{"oneOf":[true,true]}`:             {`1`: "value 1 matches the schemas 0 and 1 of oneOf, expected exactly one"},
		`{"oneOf":[false]}`:                 {`1`: "value 1 matches no schema of oneOf: it is not allowed"},
		`false`:                             {`1`: "value 1 is not allowed", `{}`: "the value is not allowed"},
		`{"$ref":"#"}`:                      {`1`: "the $ref at the value leads back to itself"},
		`{"enum":["a",null,[],{},1]}`:       {`2`: "value 2 is not one of ['a', null, an array, an object, 1]"},
		`{"const":true}`:                    {`false`: "value false is not the constant true"},
		`{"multipleOf":0.1}`:                {`0.25`: "value 0.25 is not a multiple of 0.1"},
		`{"minimum":1e1}`:                   {`9`: "value 9 is below minimum 1e1"},
		`{"exclusiveMinimum":1}`:            {`1`: "value 1 is not above exclusiveMinimum 1"},
		`{"exclusiveMaximum":1}`:            {`1`: "value 1 is not below exclusiveMaximum 1"},
		`{"pattern":"^a"}`:                  {`"b"`: "value 'b' does not match pattern '^a'"},
		`{"dependentRequired":{"a":["b"]}}`: {`{"a":1}`: "missing required field 'b', which 'a' asks for"},
		`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b","c"]}}`:       {`{"a":1}`: "missing required fields 'b', 'c', which 'a' asks for"},
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false}`: {`[1,2]`: "the value has 1 item more than allowed"},
		`{"additionalProperties":false}`:              {`{"b":1,"a":2}`: "the value has unexpected fields 'a', 'b'"},
		`{"items":{"items":{"type":"string"}}}`:       {`[[1],["a",2]]`: "/0/0 = 1 is number, expected string (and 1 more)"},
		`{"properties":{"a":{"required":["b","c"]}}}`: {`{"a":{}}`: "a is missing required fields 'b', 'c'"},
		`{"unevaluatedProperties":false}`:             {`{"a":1}`: ""},
	} {
		s, err := jsonschema.New(nodeOf(t, []byte(schema)), false)
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		for value, want := range cases {
			var judgements jsonschema.Judgements
			j := judgements.Judge(t.Context(), s, nodeOf(t, []byte(value)))
			if j.Valid || j.Err != nil || want != "" && !strings.Contains(strings.Replace(j.Sentence, " a number", " number", 1), want) {
				t.Errorf("%s on %s: %+v, want %s", schema, value, j, want)
			}
		}
	}
}

// TestRefusedSchemas: what cannot be used, and why.
func TestRefusedSchemas(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"text"}`:                     "type",
		`{"pattern":"("}`:                     "invalid regex",
		`{"$ref":"other.json"}`:               "unresolvable reference",
		`{"$ref":"#/$defs/x"}`:                "does not exist",
		`{"$ref":"#x"}`:                       "unknown anchor",
		`{"$schema":"https://example.org/x"}`: "unknown $schema",
		`{"minimum":1e-999}`:                  "has more than 1000 digits or an exponent beyond",
		`{"x":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`:                  "levels deep, the limit is 256",
		`{"enum":[` + strings.TrimSuffix(strings.Repeat("{},", 10_001), ",") + `]}`:          "objects, the limit is 10000",
		`{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#"},`, 5000), ",") + `]}`: "references and 5001 objects",
	} {
		_, err := jsonschema.New(nodeOf(t, []byte(schema)), false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", schema, err, want)
		}
	}
}

// TestEndless checks that a schema whose references multiply ends, and that a cancelled evaluation ends.
func TestEndless(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/n0","$defs":{`)
	for i := range 40 {
		fmt.Fprintf(&b, `"n%d":{"allOf":[{"$ref":"#/$defs/n%d"},{"$ref":"#/$defs/n%d"}]},`, i, i+1, i+1)
	}
	b.WriteString(`"n40":{"type":"number"}}}`)
	s, err := jsonschema.New(nodeOf(t, []byte(b.String())), false)
	if err != nil {
		t.Fatal(err)
	}
	var judgements jsonschema.Judgements
	if j := judgements.Judge(t.Context(), s, nodeOf(t, []byte("1"))); j.Err == nil || !strings.Contains(j.Err.Error(), "too many steps") {
		t.Errorf("%+v", j)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	judgements.Reset()
	if j := judgements.Judge(ctx, s, nodeOf(t, []byte("[2]"))); !errors.Is(j.Err, context.Canceled) {
		t.Errorf("%+v", j)
	}
}

// TestLargeValues checks the limit on the values that a schema is evaluated on.
func TestLargeValues(t *testing.T) {
	s, err := jsonschema.New(nodeOf(t, []byte(`{"items":{"type":"number"}}`)), false)
	if err != nil {
		t.Fatal(err)
	}
	var judgements jsonschema.Judgements
	for size, limit := range map[int]string{250_000: "at most 250000", 249_999: ""} {
		value := nodeOf(t, []byte("["+strings.TrimSuffix(strings.Repeat("1,", size), ",")+"]"))
		if j := judgements.Judge(t.Context(), s, value); j.Valid != (limit == "") || limit != "" && !strings.Contains(j.Err.Error(), limit) {
			t.Errorf("%d values: %+v", size+1, j)
		}
		judgements.Reset()
	}
}

// TestWeight: a long schema weighs more than a short one, and a pattern that repeats more than
// one that does not; patterns that together are too large are refused.
func TestWeight(t *testing.T) {
	weight := 0
	for _, schema := range []string{`{}`, `{"type":"string"}`, `{"pattern":"a{100}"}`, `{"pattern":"a{1000}"}`, `{"patternProperties":{"a{1000}":{},"b{1000}":{}}}`} {
		s, err := jsonschema.New(nodeOf(t, []byte(schema)), false)
		if err != nil {
			t.Fatal(err)
		}
		if s.Weight() <= weight {
			t.Errorf("%s weighs %d, the one before %d", schema, s.Weight(), weight)
		}
		weight = s.Weight()
	}
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, `"p%d":{"pattern":"%d[ab]{1000}"},`, i, i)
		if i == 45 {
			if _, err := jsonschema.New(nodeOf(t, []byte(`{"properties":{`+strings.TrimSuffix(many.String(), ",")+`}}`)), false); err != nil {
				t.Error(err)
			}
		}
	}
	_, err := jsonschema.New(nodeOf(t, []byte(`{"properties":{`+strings.TrimSuffix(many.String(), ",")+`}}`)), false)
	if err == nil || !strings.Contains(err.Error(), "too large: the patterns of a schema may have 50000 instructions together") {
		t.Errorf("%v", err)
	}
}

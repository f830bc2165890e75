package jsonschema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/attest/internal/decimal"
	"github.com/cupel-dev/cupel/attest/internal/regex"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// This file restricts the JSON Schema library, because schemas come from clients: $ref and $schema load nothing,
// unsupported numbers are rejected early, schema size and validation steps are limited, and panics become errors.

// Limits of a schema and a validation.
const (
	maxSchemaObjects = 10_000     // objects in a schema; compiling takes time in proportion to their square
	maxSchemaDepth   = 256        // nested containers in a schema; compiling takes more than proportional time
	maxSchemaRefs    = 20_000_000 // objects × $ref: the work that resolving references may take

	// Steps are pairs of subschema and value in a validation: a few per value, but unlimited for schemas with
	// multiplying references.
	minSchemaSteps      = 200_000
	schemaStepsPerValue = 20
)

// schemaURL is a base for relative references; only "#…" and references to an inner $id resolve.
const schemaURL = "schema://assertion/schema.json"

// drafts are the valid values of "$schema", without scheme and empty fragment.
var drafts = map[string]string{
	"json-schema.org/draft/2020-12/schema": "https://json-schema.org/draft/2020-12/schema",
	"json-schema.org/draft/2020-12":        "https://json-schema.org/draft/2020-12/schema", // as the protocol's examples write it
	"json-schema.org/draft/2019-09/schema": "https://json-schema.org/draft/2019-09/schema",
	"json-schema.org/draft/2019-09":        "https://json-schema.org/draft/2019-09/schema",
	"json-schema.org/draft-07/schema":      "http://json-schema.org/draft-07/schema#",
	"json-schema.org/draft-06/schema":      "http://json-schema.org/draft-06/schema#",
	"json-schema.org/draft-04/schema":      "http://json-schema.org/draft-04/schema#",
}

// decode converts a JSON value for the library. Numbers are kept as written and rejected beyond the limits. The
// scanner limits the depth.
func decode(n strictjson.Node) (any, error) {
	switch n.Kind() {
	case strictjson.Object:
		object := make(map[string]any, n.Len())
		for member := range n.Children() {
			v, err := decode(member)
			if err != nil {
				return nil, err
			}
			object[member.Key()] = v
		}
		return object, nil
	case strictjson.Array:
		array := make([]any, 0, n.Len())
		for element := range n.Children() {
			v, err := decode(element)
			if err != nil {
				return nil, err
			}
			array = append(array, v)
		}
		return array, nil
	case strictjson.Number:
		if !decimal.Bounded(n.Raw()) {
			return nil, fmt.Errorf("the number %s has more than %d digits or an exponent beyond ±%d", say.Clip(string(n.Raw()), 40), decimal.MaxDigits, decimal.MaxExponent)
		}
		return json.Number(n.Raw()), nil
	case strictjson.String:
		s, _ := n.Text()
		return s, nil
	case strictjson.True, strictjson.False:
		b, _ := n.Bool()
		return b, nil
	}
	return nil, nil
}

// readSchema decodes a schema and makes the checks that do not need compiling.
func readSchema(n strictjson.Node) (any, error) {
	source, err := decode(n)
	if err != nil {
		return nil, &Error{err.Error(), "Write the numbers of the schema without huge exponents."}
	}
	var count schemaCount
	if err := count.add(source, 1); err != nil {
		return nil, err
	}
	const detail = "Split the schema, or assert on smaller targets."
	switch {
	case count.depth > maxSchemaDepth:
		return nil, &Error{fmt.Sprintf("the schema is nested %d levels deep, the limit is %d", count.depth, maxSchemaDepth), detail}
	case count.objects > maxSchemaObjects:
		return nil, &Error{fmt.Sprintf("the schema has %d objects, the limit is %d", count.objects, maxSchemaObjects), detail}
	case count.objects*count.refs > maxSchemaRefs:
		return nil, &Error{fmt.Sprintf("the schema has %d references and %d objects; the limit for the product is %d", count.refs, count.objects, maxSchemaRefs), detail}
	}
	return source, nil
}

// schemaCount measures a schema before compiling and normalizes the names of dialects.
type schemaCount struct{ objects, refs, depth int }

// add visits a value of the schema. "$schema" counts at the top and in embedded resources, which have an $id.
func (c *schemaCount) add(v any, depth int) error {
	switch v := v.(type) {
	case map[string]any:
		c.depth = max(c.depth, depth)
		c.objects++
		if _, ok := v["$ref"].(string); ok {
			c.refs++
		}
		_, resource := v["$id"].(string)
		if uri, ok := v["$schema"].(string); ok && (depth == 1 || resource) {
			dialect, err := dialect(uri)
			if err != nil {
				return err
			}
			v["$schema"] = dialect
		}
		for _, member := range v {
			if err := c.add(member, depth+1); err != nil {
				return err
			}
		}
	case []any:
		c.depth = max(c.depth, depth)
		for _, element := range v {
			if err := c.add(element, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func dialect(uri string) (string, error) {
	name := strings.TrimSuffix(uri, "#")
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name = rest
	}
	if known, ok := drafts[strings.TrimSuffix(name, "/")]; ok {
		return known, nil
	}
	return "", &Error{
		fmt.Sprintf("unknown $schema %s", wording.Quote(uri)),
		"Use https://json-schema.org/draft/2020-12/schema, draft 2019-09, or draft-07, -06 or -04; other metaschemas are never fetched.",
	}
}

// compiled is a compiled schema with the step count of the current validation.
type compiled struct {
	schema *jsonschema.Schema
	weight int // of its regular expressions, in bytes of memory
	ctx    context.Context
	steps  int // left for this validation
}

type noLoader struct{}

var errNotLoaded = errors.New("references to other files are never loaded")

func (noLoader) Load(string) (any, error) { return nil, errNotLoaded }

// compileJSONSchema compiles a schema. format says whether formats are asserted.
func compileJSONSchema(source any, format bool) (c *compiled, err error) {
	defer func() {
		if recover() != nil {
			err = &Error{"the validator cannot compile the schema", "Simplify the schema; unusual combinations of keywords are the likely cause."}
		}
	}()
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(noLoader{})
	patterns := patterns{known: map[string]re2{}}
	compiler.UseRegexpEngine(patterns.compile)
	if format {
		compiler.AssertFormat()
	}
	if err := compiler.AddResource(schemaURL, source); err != nil {
		return nil, explainCompile(source, err)
	}
	root, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil, explainCompile(source, err)
	}
	c = &compiled{schema: root, weight: regex.Instruction * patterns.size}
	seen := map[*jsonschema.Schema]bool{}
	c.count(root, format, seen)
	for _, pointer := range dynamicAnchors(source, "") {
		if anchored, err := compiler.Compile(schemaURL + "#" + pointer); err == nil {
			c.count(anchored, format, seen)
		}
	}
	return c, nil
}

// re2 is a regular expression of a schema.
type re2 struct{ *regexp.Regexp }

// patterns compiles a schema's regular expressions with a total size limit. It caches them, because the library
// asks for each several times.
type patterns struct {
	known map[string]re2
	size  int
}

func (p *patterns) compile(pattern string) (jsonschema.Regexp, error) {
	if re, ok := p.known[pattern]; ok {
		return re, nil
	}
	re, err := regex.Compile(pattern)
	if err != nil {
		return nil, err
	}
	if p.size += re.Size; p.size > regex.MaxProgram {
		return nil, &regex.TooLarge{Size: p.size}
	}
	p.known[pattern] = re2{re.Regexp}
	return re2{re.Regexp}, nil
}

// count installs the step counter in a compiled schema, as a format, because the library checks formats first for
// every pair. Real formats stay annotations unless asserted.
func (c *compiled) count(s *jsonschema.Schema, format bool, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	asserted := s.Format
	if !format {
		asserted = nil
	}
	hook := &jsonschema.Format{Name: "cupel-steps"}
	if asserted != nil {
		hook.Name = asserted.Name
	}
	hook.Validate = func(v any) error {
		c.step()
		if asserted != nil {
			return asserted.Validate(v)
		}
		return nil
	}
	s.Format = hook
	for _, below := range subschemas(s) {
		c.count(below, format, seen)
	}
}

// subschemas lists the schemas that s applies or refers to.
func subschemas(s *jsonschema.Schema) []*jsonschema.Schema {
	list := []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema,
	}
	if s.DynamicRef != nil {
		list = append(list, s.DynamicRef.Ref)
	}
	list = slices.Concat(list, s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems)
	for _, m := range []map[string]*jsonschema.Schema{s.Properties, s.DependentSchemas} {
		for _, below := range m {
			list = append(list, below)
		}
	}
	for _, below := range s.PatternProperties {
		list = append(list, below)
	}
	either := []any{s.AdditionalProperties, s.Items, s.AdditionalItems}
	for _, below := range s.Dependencies {
		either = append(either, below)
	}
	for _, v := range either {
		switch v := v.(type) {
		case *jsonschema.Schema:
			list = append(list, v)
		case []*jsonschema.Schema:
			list = append(list, v...)
		}
	}
	return list
}

// dynamicAnchors returns the pointers of schemas that only a $dynamicRef can reach.
func dynamicAnchors(v any, pointer string) (list []string) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["$dynamicAnchor"]; ok {
			list = append(list, pointer)
		}
		for name, member := range v {
			list = append(list, dynamicAnchors(member, pointer+"/"+strictjson.PointerToken(name))...)
		}
	case []any:
		for i, element := range v {
			list = append(list, dynamicAnchors(element, fmt.Sprintf("%s/%d", pointer, i))...)
		}
	}
	return list
}

// stop is a panic value that ends a validation, because the library has no other way.
type stop struct{ err error }

var errTooManySteps = errors.New("the schema takes too many steps on this value; a likely cause is a reference that is used many times")

// step counts a step and stops at the limit.
func (c *compiled) step() {
	c.steps--
	if c.steps < 0 {
		panic(stop{errTooManySteps})
	}
	if c.steps&0x3ff == 0 && c.ctx.Err() != nil {
		panic(stop{c.ctx.Err()})
	}
}

// validate returns the violations of a decoded value, or nil. size is the number of its JSON values.
func (c *compiled) validate(ctx context.Context, value any, size int) (violations *jsonschema.ValidationError, err error) {
	defer func() {
		c.ctx = nil
		switch r := recover().(type) {
		case nil:
		case stop:
			err = r.err
		default:
			err = errors.New("the validator cannot evaluate the schema on this value")
		}
	}()
	c.ctx, c.steps = ctx, minSchemaSteps+schemaStepsPerValue*size
	if failed := c.schema.Validate(value); failed != nil && !errors.As(failed, &violations) {
		return nil, failed
	}
	return violations, nil
}

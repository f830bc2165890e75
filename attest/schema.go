package attest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// schemaCheck is a check of layer 1: a JSON Schema over the values of a target.
type schemaCheck struct {
	target target
	schema *schema
}

func compileSchema(s *spec) check {
	c := &schemaCheck{target: s.target("target")}
	format := ""
	if !s.node.Last("format").Missing() {
		format = s.choose("format", "format mode", []string{"annotate", "assert"})
	}
	n := s.node.Last("schema")
	switch {
	case n.Missing():
		s.required("schema", "a JSON Schema")
	case n.Kind() != strictjson.Object && n.Kind() != strictjson.True && n.Kind() != strictjson.False:
		s.fail(n, "Send the JSON Schema itself, an object or true or false.", "spec field 'schema' must be object, got %s", n.Kind())
	}
	if s.problem != nil {
		return nil
	}
	var err error
	if c.schema, err = s.engine.schema(n, format == "assert"); err != nil {
		var bad *schemaError
		errors.As(err, &bad)
		s.fail(n, bad.detail, "invalid JSON Schema: %s", bad.reason)
	}
	s.weight += schemaWeight(len(n.Raw()))
	return c
}

func (c *schemaCheck) evaluate(ctx context.Context, t *trace) verdict {
	values, m := c.target.resolve(t)
	if m != nil {
		return broken(m.sentence())
	}
	label, match := c.label(t)
	label += values.note
	var last judgement
	for _, n := range values.nodes {
		last = t.judge(ctx, c.schema, n)
		switch {
		case last.err != nil:
			return broken(label + " cannot be validated: " + last.err.Error() + ".")
		case !last.valid:
			return failed(last.place, label+" failed schema validation: "+last.sentence+".")
		}
	}
	if len(values.nodes) > 1 {
		label += fmt.Sprintf(" (all %d matches)", len(values.nodes))
	}
	return passed(values.nodes[0], label+" "+match+" schema: "+last.sentence+".")
}

// judgement is what a schema says about one value.
type judgement struct {
	valid    bool
	sentence string          // what was found good, or the first violation
	place    strictjson.Node // of the violation
	err      error           // why there is no answer
}

// judged is a schema and a value of the trace, by node index.
type judged struct {
	schema *schema
	node   int
}

// judge validates a value of the trace against a schema; equal questions of a batch
// are answered once.
func (t *trace) judge(ctx context.Context, s *schema, n strictjson.Node) judgement {
	key := judged{s, n.Index()}
	if j, ok := t.judgements[key]; ok {
		return j
	}
	j := t.validate(ctx, s, n)
	if t.judgements == nil {
		t.judgements = map[judged]judgement{}
	}
	t.judgements[key] = j
	return j
}

func (t *trace) validate(ctx context.Context, s *schema, n strictjson.Node) judgement {
	value, err := t.value(n)
	if err != nil {
		return judgement{err: err}
	}
	violations, err := s.validate(ctx, value, size(n))
	switch {
	case err != nil:
		return judgement{err: err}
	case violations == nil:
		return judgement{valid: true, sentence: s.praise(value)}
	}
	place, sentence := s.explain(violations, n)
	return judgement{place: place, sentence: sentence}
}

// label names the target as the specification's sentences do, with the verb that
// follows it.
func (c *schemaCheck) label(t *trace) (label, match string) {
	path := c.target.path
	if len(path) == 2 && path[0].kind == stepByName && path[1].kind == key {
		who := "Step"
		if toolLike(t.steps[t.stepsNamed(path[0].name)[0]].typ) {
			who = "Tool"
		}
		switch path[1].name {
		case "result":
			return who + " result for " + quote(path[0].name), "matches"
		case "args":
			return who + " arguments for " + quote(path[0].name), "match"
		}
	}
	return c.target.shown, "matches"
}

// maxSchemaValues bounds the JSON values that one schema is evaluated on: each may
// become a violation, and violations take memory.
const maxSchemaValues = 500_000

// value returns a value of the trace decoded for validation; each is decoded once.
func (t *trace) value(n strictjson.Node) (any, error) {
	if v, ok := t.decoded[n.Index()]; ok {
		return v, nil
	}
	if size := size(n); size > maxSchemaValues {
		return nil, fmt.Errorf("it holds %d JSON values, and a schema is evaluated on %d at most", size, maxSchemaValues)
	}
	v, err := decode(n)
	if err != nil {
		return nil, err
	}
	if t.decoded == nil {
		t.decoded = map[int]any{}
	}
	t.decoded[n.Index()] = v
	return v, nil
}

// size is the number of JSON values that a value holds, itself included.
func size(n strictjson.Node) int {
	return int(n.Document().Values[n.Index()].Next) - n.Index()
}

// schemaError is why a JSON Schema cannot be used.
type schemaError struct{ reason, detail string }

func (e *schemaError) Error() string { return e.reason }

// schema is one JSON Schema, compiled. Validation counts its steps in the compiled
// form, so that each concurrent validation takes one of its own from free.
type schema struct {
	source any // the schema itself, for explanations
	format bool
	free   chan *compiled
	praises
}

// keptFree is how many compiled forms of one schema wait for use.
const keptFree = 4

// schemaCacheBytes bounds the memory of the schemas that an engine keeps compiled.
const schemaCacheBytes = 16 << 20

// schema returns the compiled form of a schema, which is the same for equal bytes.
func (e *Engine) schema(n strictjson.Node, format bool) (*schema, error) {
	raw := n.Raw()
	cache := e.schemas[b2i(format)]
	if s, ok := cache.get(raw); ok {
		return s, nil
	}
	source, err := readSchema(n)
	if err != nil {
		return nil, err
	}
	s := &schema{source: source, format: format, free: make(chan *compiled, keptFree), praises: newPraises(source)}
	first, err := compileJSONSchema(source, format)
	if err != nil {
		return nil, err
	}
	s.free <- first
	return cache.put(raw, s, schemaWeight(len(raw))), nil
}

// schemaWeight is what a compiled schema takes in memory, in bytes, for a text of size
// bytes: the library keeps some hundreds of bytes for every keyword.
func schemaWeight(size int) int { return 4096 + 32*size }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// validate returns the violations of a value, nil when there are none. The error
// says why the schema could not be evaluated to its end.
func (s *schema) validate(ctx context.Context, value any, size int) (violations *jsonschema.ValidationError, err error) {
	var c *compiled
	select {
	case c = <-s.free:
	default:
		if c, err = compileJSONSchema(s.source, s.format); err != nil {
			return nil, err
		}
	}
	defer func() {
		select {
		case s.free <- c:
		default:
		}
	}()
	return c.validate(ctx, value, size)
}

// praises are what the sentence about a value that matches can name: the parts of a
// schema that are seen at its top.
type praises struct {
	required, types bool
	patterns        []propertyPattern
}

type propertyPattern struct{ property, pattern string }

// newPraises looks for required, type and pattern at the top of a schema and in its
// properties, in the order of the property names.
func newPraises(source any) praises {
	var p praises
	top, _ := source.(map[string]any)
	_, p.required = top["required"]
	_, p.types = top["type"]
	if pattern, ok := top["pattern"].(string); ok {
		p.patterns = append(p.patterns, propertyPattern{"", pattern})
	}
	properties, _ := top["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		property, _ := properties[name].(map[string]any)
		if _, typed := property["type"]; typed {
			p.types = true
		}
		if pattern, ok := property["pattern"].(string); ok {
			p.patterns = append(p.patterns, propertyPattern{name, pattern})
		}
	}
	return p
}

// praise says what about a matching value was found good.
func (p praises) praise(value any) string {
	var parts []string
	if p.required {
		parts = append(parts, "all required fields present")
	}
	if p.types {
		parts = append(parts, "types valid")
	}
	for _, pattern := range p.patterns {
		v := value
		if pattern.property != "" {
			object, _ := value.(map[string]any)
			v = object[pattern.property]
		}
		if v, ok := v.(string); ok {
			parts = append(parts, fmt.Sprintf("pattern %s matches %s", quote(v), quote(pattern.pattern)))
			break // one is enough: explanations stay short
		}
	}
	if len(parts) == 0 {
		return "value accepted"
	}
	return strings.Join(parts, ", ")
}

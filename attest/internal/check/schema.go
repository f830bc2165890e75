package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// schemaCheck is a check of layer 1: a JSON Schema over the values of a target.
type schemaCheck struct {
	target target.Target
	schema *jsonschema.Schema
}

func compileSchema(s *spec) Check {
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
	if c.schema, err = cachedSchema(s, n, format == "assert"); err != nil {
		if bad := (*jsonschema.Error)(nil); errors.As(err, &bad) {
			s.fail(n, bad.Detail, "invalid JSON Schema: %s", bad.Reason)
		}
		return nil
	}
	return c
}

func (c *schemaCheck) evaluate(ctx context.Context, s *Subject) Verdict {
	values, m := c.target.Resolve(&s.Targets)
	if m != nil {
		return notThere(m)
	}
	label, match := c.label(s.Trace)
	label += values.Note
	var last jsonschema.Judgement
	for _, n := range values.Nodes {
		last = s.schemas.Judge(ctx, c.schema, n)
		switch {
		case last.Err != nil:
			return broken(label+" cannot be validated: "+last.Err.Error()+".").because(schemaUnanswerable, "", last.Err.Error())
		case !last.Valid:
			return failed(last.Place, label+" failed schema validation: "+last.Sentence+".").because(schemaViolated, last.Wanted, last.Found)
		}
	}
	if len(values.Nodes) > 1 {
		label += fmt.Sprintf(" (all %d matches)", len(values.Nodes))
	}
	return passed(values.Nodes[0], label+" "+match+" schema: "+last.Sentence+".")
}

// label returns a sentence's subject and verb for the target, as in the specification.
func (c *schemaCheck) label(t *trace.Trace) (label, match string) {
	path := c.target.Path
	if len(path) == 2 && path[0].Kind == target.StepByName && path[1].Kind == target.Key {
		who := "Step"
		if trace.ToolLike(t.Steps[t.StepsNamed(path[0].Name)[0]].Type) {
			who = "Tool"
		}
		switch path[1].Name {
		case "result":
			return who + " result for " + wording.Quote(path[0].Name), "matches"
		case "args":
			return who + " arguments for " + wording.Quote(path[0].Name), "match"
		}
	}
	return c.target.Shown, "matches"
}

// cachedSchema compiles a JSON Schema or returns it from the cache if the bytes are equal. The error is a
// *jsonschema.Error or errNoRoom.
func cachedSchema(s *spec, n strictjson.Node, format bool) (*jsonschema.Schema, error) {
	cache := s.resources.schemas[0]
	if format {
		cache = s.resources.schemas[1]
	}
	raw := n.Raw()
	if known, ok := cache.Get(raw); ok {
		s.keep(known.Weight())
		return known, nil
	}
	least := jsonschema.LeastWeight(len(raw))
	if !s.take(least) {
		return nil, errNoRoom
	}
	made, err := jsonschema.New(n, format)
	if err != nil {
		return nil, err
	}
	s.take(made.Weight() - least)
	return cache.Put(raw, made, made.Weight()), nil
}

// Package jsonschema validates JSON values with JSON Schemas of clients. It restricts the library, limits its
// effort, and formats violations as sentences.
package jsonschema

import (
	"context"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cupel-dev/cupel/attest/internal/reuse"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/budget"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Judgement is the result of a schema for a value.
type Judgement struct {
	Valid    bool
	Sentence string          // confirmation or first violation
	Place    strictjson.Node // of the violation
	Wanted   string          // schema's requirement: "maximum: 1.0"
	Found    string          // actual value
	Err      error           // validation failed
}

// judged is a schema and a value of the document, by node index.
type judged struct {
	schema *Schema
	node   int
}

// Judgements caches results and decoded values of a document by node index.
type Judgements struct {
	known   map[judged]Judgement
	decoded map[int]any
	size    int // values in decoded
}

// Reset forgets all results but keeps memory for reuse.
func (js *Judgements) Reset() {
	*js = Judgements{known: reuse.Map(js.known), decoded: reuse.Map(js.decoded)}
}

// Limits of the cache per document.
const (
	maxJudgements = 10_000 // answers
	maxDecoded    = 20_000 // decoded values
)

// Judge validates a value against a schema; equal questions of a batch are answered once.
func (js *Judgements) Judge(ctx context.Context, s *Schema, n strictjson.Node) Judgement {
	key := judged{s, n.Index()}
	if j, ok := js.known[key]; ok {
		return j
	}
	j := js.validate(ctx, s, n)
	if js.known == nil || len(js.known) >= maxJudgements {
		js.known = map[judged]Judgement{}
	}
	js.known[key] = j
	return j
}

func (js *Judgements) validate(ctx context.Context, s *Schema, n strictjson.Node) Judgement {
	size := n.Size()
	if size > maxValues {
		return Judgement{Err: fmt.Errorf("the target has %d JSON values, but schemas are evaluated on at most %d", size, maxValues)}
	}
	if size > maxDecoded {
		drawn, err := decoding.Draw(ctx, int64(size))
		if err != nil {
			return Judgement{Err: err}
		}
		defer decoding.GiveBack(drawn)
	}
	value, err := js.value(n, size)
	if err != nil {
		return Judgement{Err: err}
	}
	violations, err := s.validate(ctx, value, size)
	switch {
	case err != nil:
		return Judgement{Err: err}
	case violations == nil:
		return Judgement{Valid: true, Sentence: s.praise(value)}
	}
	return s.explain(violations, n)
}

// maxValues limits the values that a schema is applied to, because each violation takes about 400 bytes.
const maxValues = 250_000

// decoding limits the memory of all large values under validation: memory belongs to the process, not to an engine.
var decoding = budget.New(maxValues)

// value returns a decoded value of the document. Small values are decoded once.
func (js *Judgements) value(n strictjson.Node, size int) (any, error) {
	if v, ok := js.decoded[n.Index()]; ok {
		return v, nil
	}
	v, err := decode(n)
	if err != nil || size > maxDecoded {
		return v, err
	}
	if js.size += size; js.decoded == nil || js.size > maxDecoded {
		js.decoded, js.size = map[int]any{}, size
	}
	js.decoded[n.Index()] = v
	return v, nil
}

// Error explains why a JSON Schema cannot be used.
type Error struct{ Reason, Detail string }

func (e *Error) Error() string { return e.Reason }

// Schema is a compiled JSON Schema. Concurrent validations take separate copies from free, because the step count
// is in the compiled form.
type Schema struct {
	source any // the schema itself, for explanations
	weight int
	format bool
	free   chan *compiled
	praises
}

// New compiles a schema. format says whether formats are asserted. The error is a *Error.
func New(n strictjson.Node, format bool) (*Schema, error) {
	source, err := readSchema(n)
	if err != nil {
		return nil, err
	}
	s := &Schema{source: source, format: format, free: make(chan *compiled, keptFree), praises: newPraises(source)}
	first, err := compileJSONSchema(source, format)
	if err != nil {
		return nil, err
	}
	s.free <- first
	s.weight = LeastWeight(len(n.Raw())) + first.weight
	return s, nil
}

// keptFree is the maximum number of idle copies of a schema.
const keptFree = 4

// LeastWeight estimates the memory of a schema of size bytes: some hundred bytes per keyword.
func LeastWeight(size int) int { return 4096 + 32*size }

// Weight returns how many bytes of memory the schema and its regular expressions take.
func (s *Schema) Weight() int { return s.weight }

// validate returns the violations of a value, or nil. It returns an error if validation did not finish.
func (s *Schema) validate(ctx context.Context, value any, size int) (violations *jsonschema.ValidationError, err error) {
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

// praises are the parts at the top of a schema that a confirmation can mention.
type praises struct {
	required, types bool
	patterns        []propertyPattern
}

type propertyPattern struct{ property, pattern string }

// newPraises finds required, type and pattern in a schema and its properties.
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

// praise describes how a value matches the schema.
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
			parts = append(parts, fmt.Sprintf("pattern %s matches %s", wording.Quote(v), wording.Quote(pattern.pattern)))
			break // one is enough: explanations stay short
		}
	}
	if len(parts) == 0 {
		return "value accepted"
	}
	return strings.Join(parts, ", ")
}

package check

import (
	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/attest/internal/lru"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// resources is what the specs of an engine share: what takes long to compile is kept
// for the next spec that names it. It is safe for concurrent use.
type resources struct {
	model   Model
	plugins PluginStore
	regexes *lru.Cache[*expression]
	schemas [2]*lru.Cache[*jsonschema.Schema] // formats as annotations, formats asserted
}

const (
	// regexCacheSize bounds the expressions that are kept: the sum of their lengths and
	// of their programs, of about 40 bytes per instruction.
	regexCacheSize = 1 << 20

	// schemaCacheBytes bounds the memory of each of the two lists of schemas.
	schemaCacheBytes = 16 << 20
)

func newResources(model Model) *resources {
	return &resources{
		model:   model,
		regexes: lru.New[*expression](regexCacheSize),
		schemas: [2]*lru.Cache[*jsonschema.Schema]{lru.New[*jsonschema.Schema](schemaCacheBytes), lru.New[*jsonschema.Schema](schemaCacheBytes)},
	}
}

// schema returns the compiled form of a JSON Schema, which is the same for equal bytes.
// The error is a *jsonschema.Error.
func (r *resources) schema(n strictjson.Node, format bool) (*jsonschema.Schema, error) {
	cache := r.schemas[0]
	if format {
		cache = r.schemas[1]
	}
	raw := n.Raw()
	if s, ok := cache.Get(raw); ok {
		return s, nil
	}
	s, err := jsonschema.New(n, format)
	if err != nil {
		return nil, err
	}
	return cache.Put(raw, s, jsonschema.Weight(len(raw))), nil
}

// regex returns the compiled form of an RE2 expression.
func (r *resources) regex(pattern string) (*expression, error) {
	if re, ok := r.regexes.Get([]byte(pattern)); ok {
		return re, nil
	}
	re, err := compileExpression(pattern)
	if err != nil {
		return nil, err
	}
	return r.regexes.Put([]byte(pattern), re, len(pattern)+re.size), nil
}

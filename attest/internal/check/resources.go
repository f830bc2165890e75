package check

import (
	"errors"

	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/attest/internal/judge"
	"github.com/cupel-dev/cupel/attest/internal/lru"
	"github.com/cupel-dev/cupel/attest/internal/regex"
	"github.com/cupel-dev/cupel/internal/budget"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// resources is what the specs of an engine share: what takes long to compile is kept
// for the next spec that names it. It is safe for concurrent use.
type resources struct {
	Options
	plugins PluginStore
	prompts *budget.Budget // bytes of memory that prompts take at once
	regexes *lru.Cache[*expression]
	schemas [2]*lru.Cache[*jsonschema.Schema] // formats as annotations, formats asserted
}

const (
	// regexCacheBytes bounds the memory of the expressions that are kept.
	regexCacheBytes = 8 << 20

	// schemaCacheBytes bounds the memory of each of the two lists of schemas, of which each
	// may come to keep several compiled forms.
	schemaCacheBytes = 4 << 20
)

func newResources(opt Options) *resources {
	if opt.Delimiter == nil {
		opt.Delimiter = judge.Random
	}
	return &resources{
		Options: opt,
		prompts: budget.New(promptBytes),
		regexes: lru.New[*expression](regexCacheBytes),
		schemas: [2]*lru.Cache[*jsonschema.Schema]{lru.New[*jsonschema.Schema](schemaCacheBytes), lru.New[*jsonschema.Schema](schemaCacheBytes)},
	}
}

// errNoRoom is for what there is no memory for; who was asked for it has said why.
var errNoRoom = errors.New("no memory for it")

// schema returns the compiled form of a JSON Schema for a spec, the same for equal bytes. The
// error is a *jsonschema.Error, or errNoRoom.
func (r *resources) schema(n strictjson.Node, format bool, by *spec) (*jsonschema.Schema, error) {
	cache := r.schemas[0]
	if format {
		cache = r.schemas[1]
	}
	raw := n.Raw()
	if s, ok := cache.Get(raw); ok {
		by.keep(s.Weight())
		return s, nil
	}
	least := jsonschema.LeastWeight(len(raw))
	if !by.take(least) {
		return nil, errNoRoom
	}
	s, err := jsonschema.New(n, format)
	if err != nil {
		return nil, err
	}
	by.take(s.Weight() - least)
	return cache.Put(raw, s, s.Weight()), nil
}

// regex returns the compiled form of an RE2 expression for a spec. The error may be errNoRoom.
func (r *resources) regex(pattern string, by *spec) (*expression, error) {
	key := []byte(pattern)
	if re, ok := r.regexes.Get(key); ok {
		by.keep(regex.Instruction * re.Size)
		return re, nil
	}
	size, err := regex.Size(pattern)
	if err != nil {
		return nil, err
	}
	weight := regex.Instruction * size
	if !by.take(weight) {
		return nil, errNoRoom
	}
	re, err := newExpression(pattern)
	if err != nil {
		return nil, err
	}
	return r.regexes.Put(key, re, len(pattern)+weight), nil
}

package check

import (
	"errors"

	"github.com/cupel-dev/cupel/attest/internal/jsonschema"
	"github.com/cupel-dev/cupel/attest/internal/judge"
	"github.com/cupel-dev/cupel/attest/internal/lru"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/budget"
)

// resources are objects shared by an engine's specs. They are safe for concurrent use.
type resources struct {
	Options
	plugins PluginStore
	prompts *budget.Budget // bytes of memory that prompts take at once
	regexes *lru.Cache[*expression]
	schemas [2]*lru.Cache[*jsonschema.Schema] // formats as annotations, formats asserted
}

const (
	// promptBytes limits the memory of prompts at a time.
	promptBytes = 48 << 20

	// regexCacheBytes limits the memory of cached expressions.
	regexCacheBytes = 8 << 20

	// schemaCacheBytes limits each of the two schema caches.
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

// errNoRoom means that there was not enough memory. The caller has already reported it.
var errNoRoom = errors.New("not enough memory")

// Options are the inputs of checks besides their specs.
type Options struct {
	Judge     model.Chat      // for layer 6; nil: it is not evaluated
	Embedding model.Embedder  // for layer 5; nil: it is not evaluated
	Delimiter judge.Delimiter // of the texts in a judge's prompt; nil: judge.Random
}

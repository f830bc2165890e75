package check

import (
	"github.com/cupel-dev/cupel/attest/internal/lru"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Compiler compiles assertions and caches specs, which are the same for every trace. It is safe for concurrent use.
type Compiler struct {
	resources *resources
	specs     *lru.Cache[Compiled]
}

// Limits of the cache. A spec above the size limit is not cached, because it would evict all others.
const (
	specCacheBytes = 8 << 20
	maxKeptSpec    = 64 << 10
)

func NewCompiler(opt Options) *Compiler {
	return &Compiler{resources: newResources(opt), specs: lru.New[Compiled](specCacheBytes)}
}

func (c *Compiler) Plugins() *PluginStore { return &c.resources.plugins }

// Compile compiles an assertion. room reserves memory; nil means unlimited.
func (c *Compiler) Compile(n strictjson.Node, room Room) (Assertion, *Problem) {
	if room == nil {
		room = anyRoom
	}
	a := Assertion{Node: n}
	typ, spec, problem := a.read(n)
	if problem == nil {
		a.Layer = types[typ].layer
		a.Compiled, problem = c.spec(typ, spec, room)
	}
	return a, problem
}

// Memory of a compiled spec in bytes, and of another assertion that shares it, besides text and referenced objects.
const (
	specBytes  = 1024
	knownBytes = 256
)

// spec compiles a spec, or returns it from the cache if the bytes are equal.
func (c *Compiler) spec(typ int, n strictjson.Node, room Room) (Compiled, *Problem) {
	key := n.Raw()
	if known, ok := c.specs.Get(key); ok && known.Type == typ {
		return known, room(knownBytes)
	}
	s := &spec{resources: c.resources, node: n, room: room}
	s.take(len(key) + specBytes)
	compiled := Compiled{Type: typ}
	compiled.Soft = s.flag("soft") && types[typ].layer > 1 // layer 1 has no soft failures
	compiled.Check = types[typ].compile(s)
	if s.problem == nil && len(key) <= maxKeptSpec {
		c.specs.Put(key, compiled, s.weight)
	}
	return compiled, s.problem
}

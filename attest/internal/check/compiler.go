package check

import (
	"github.com/cupel-dev/cupel/attest/internal/lru"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Compiler compiles assertions and caches specs, which repeat with every trace. It is safe for concurrent use.
type Compiler struct {
	resources *resources
	specs     *lru.Cache[Compiled]
}

// Bounds of the compiled specs that a compiler keeps. A huge one would drive all others out.
const (
	specCacheBytes = 8 << 20
	maxKeptSpec    = 64 << 10
)

// NewCompiler returns a compiler.
func NewCompiler(opt Options) *Compiler {
	return &Compiler{resources: newResources(opt), specs: lru.New[Compiled](specCacheBytes)}
}

// Plugins returns the results that plugins have submitted.
func (c *Compiler) Plugins() *PluginStore { return &c.resources.plugins }

// Compile reads an assertion and compiles its spec; room says whether there is memory for it, nil that there is any.
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

// Memory of compiled specs in bytes, in addition to the text and referenced objects: of a spec, and
// of another assertion with it.
const (
	specBytes  = 1024
	knownBytes = 256
)

// spec compiles or returns the cached spec for equal bytes, which types hardly ever share.
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

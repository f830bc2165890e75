package check

import (
	"github.com/cupel-dev/cupel/attest/internal/lru"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Compiler compiles assertions. The same specs come with every trace, so it keeps the
// compiled ones. It is safe for concurrent use.
type Compiler struct {
	resources *resources
	specs     *lru.Cache[Compiled]
}

// Bounds of the compiled specs that a compiler keeps. A huge one would drive all others
// out.
const (
	specCacheBytes = 16 << 20
	maxKeptSpec    = 64 << 10
)

// NewCompiler returns a compiler; model scores the texts of layers 5 and 6.
func NewCompiler(model Model) *Compiler {
	return &Compiler{resources: newResources(model), specs: lru.New[Compiled](specCacheBytes)}
}

// Plugins are the results that plugins have submitted.
func (c *Compiler) Plugins() *PluginStore { return &c.resources.plugins }

// Compile reads an assertion and compiles its spec.
func (c *Compiler) Compile(n strictjson.Node) (Assertion, *Problem) {
	a := Assertion{Node: n}
	typ, spec, problem := a.read(n)
	if problem == nil {
		a.Layer = types[typ].layer
		a.Compiled, problem = c.spec(typ, spec)
	}
	return a, problem
}

// spec compiles the spec of an assertion of a type, or takes it from the cache. It keeps
// one for equal bytes, which two types of assertions hardly ever share.
func (c *Compiler) spec(typ int, n strictjson.Node) (Compiled, *Problem) {
	key := n.Raw()
	if known, ok := c.specs.Get(key); ok && known.Type == typ {
		return known, nil
	}
	s := &spec{resources: c.resources, node: n}
	compiled := Compiled{Type: typ}
	compiled.Soft = s.flag("soft") && types[typ].layer > 1 // layer 1 has no soft failures
	compiled.Check = types[typ].compile(s)
	if size := len(key); s.problem == nil && size <= maxKeptSpec {
		c.specs.Put(key, compiled, size+1024+s.weight)
	}
	return compiled, s.problem
}

package projection

import (
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/enum"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Of is a projection of tools.
type Of uint8

// The projections of tools. Each has a name for people and an id, which records name.
const (
	// Definition is the content of tool_definition_digest: name, trimmed description, input schema,
	// and server id, without absent members.
	Definition Of = iota
	// Manifest is name, description, both schemas and annotations unchanged, with null for absent ones.
	Manifest

	projections // how many there are
)

var (
	projectionNames = [projections]string{"p56b", "manifest-v0"}
	projectionIDs   = [projections]string{"jcs:mcp_tool_definition.v1", "assay.mcp_manifest_projection.v0"}
)

// String returns the name of the projection.
func (o Of) String() string { return projectionNames[min(o, projections-1)] }

// MarshalText returns the projection's name, or an error.
func (o Of) MarshalText() ([]byte, error) { return enum.Text(projectionNames[:], o) }

// UnmarshalText sets the projection to the one with the name text.
func (o *Of) UnmarshalText(text []byte) error {
	return enum.Read("projection", projectionNames[:], o, text)
}

// ID returns the id of the projection.
func (o Of) ID() string { return projectionIDs[min(o, projections-1)] }

// Names returns the names of the projections, for [Named].
func Names() []string { return projectionNames[:] }

// Named returns the projection of a name; ok is false if the name is unknown.
func Named(name string) (o Of, ok bool) {
	for i, known := range projectionNames {
		if name == known {
			return Of(i), true
		}
	}
	return 0, false
}

// Tool is a tool with its digest.
type Tool struct {
	Name string
	Line int // of the text, 1-based, that the tool begins on
	Sum  evidence.Sum

	// Alone is the digest without the server id, or Sum.
	Alone evidence.Sum

	Canonical []byte // what Sum is the digest of, when it was asked for
}

// projector computes the digests of the tools in one text.
type projector struct {
	*input
	*writer
	opt  ToolOptions
	seen map[string]evidence.Sum // the first digest of each name
}

// tool returns a tool's digest; if ok is false, a finding explains why.
func (p *projector) tool(at strictjson.Node) (t Tool, ok bool) {
	if !at.Is(strictjson.Object) {
		p.fault(ruleShape, at, "expected a tool, found "+say.Article(at.Kind().String()))
		return t, false
	}
	name, isText := at.Get("name").Text()
	if !isText || strings.TrimSpace(name) == "" {
		p.unnamed(at)
		return t, false
	}
	t.Name = name
	if p.opt.Of == Manifest {
		p.manifestOf(at)
		t.Sum = p.sum(&t)
		t.Alone = t.Sum
		return t, true
	}
	schema := either(at, "inputSchema", "input_schema")
	if schema.Exists() && !schema.Is(strictjson.Object) {
		p.fault(ruleSchema, schema, "the input schema must be an object, found "+say.Article(schema.Kind().String()))
		return t, false
	}
	p.rounded(schema)
	server := strings.TrimSpace(p.opt.ServerID)
	p.definition(at, name, schema, "")
	t.Alone = p.sum(&t)
	t.Sum = t.Alone
	if server != "" {
		p.definition(at, name, schema, server)
		t.Sum = p.sum(&t)
	}
	return t, true
}

// unnamed is the finding about a tool without a name.
func (p *projector) unnamed(at strictjson.Node) {
	message, where := "the tool has no name", at
	if name := at.Get("name"); name.Exists() {
		message, where = "the tool's name must be a non-blank string, found "+say.Article(name.Kind().String()), name
		if name.Is(strictjson.String) {
			message = "the tool's name is blank"
		}
	}
	f := p.fault(ruleUnnamed, where, message)
	if at.Get("jsonrpc").Exists() {
		f.Help = "keep only the JSON-RPC response of tools/list in the file"
	}
}

// definition writes the projection of a tool's definition.
func (p *projector) definition(at strictjson.Node, name string, schema strictjson.Node, server string) {
	p.reset()
	p.open()
	if description, ok := at.Get("description").Text(); ok {
		if description = strings.TrimSpace(description); description != "" {
			p.text("description", description)
		}
	}
	if schema.Exists() {
		p.value("input_schema", schema)
	}
	p.text("name", name)
	if server != "" {
		p.text("server_id", server)
	}
	p.close()
}

func (p *projector) manifestOf(at strictjson.Node) {
	p.reset()
	p.open()
	for _, m := range []struct {
		name  string
		value strictjson.Node
	}{
		{"annotations", at.Get("annotations")},
		{"description", at.Get("description")},
		{"input_schema", either(at, "inputSchema", "input_schema")},
		{"name", at.Get("name")},
		{"output_schema", either(at, "outputSchema", "output_schema")},
	} {
		p.rounded(m.value)
		p.value(m.name, m.value)
	}
	p.close()
}

// rounded reports the first integer that a double cannot represent uniquely.
func (p *projector) rounded(v strictjson.Node) {
	const exact = 1 << 53 // up to here every integer is a double
	for n := range v.All() {
		if i, ok := n.Int(); n.Integer() && (!ok || i > exact || i < -exact) {
			p.fault(ruleRounded, n, "integer "+say.Preview(n.Raw(), say.Usual)+" is beyond 2^53; its digest is that of "+string(p.jcs.Append(nil, n)))
			return
		}
	}
}

// sum returns the digest of the written text, and keeps the text if requested.
func (p *projector) sum(t *Tool) evidence.Sum {
	if p.opt.Canonical {
		t.Canonical = append([]byte(nil), p.dst...)
	}
	return digest.Of(p.dst)
}

// either is the member of the first name, or else of the second.
func either(at strictjson.Node, first, second string) strictjson.Node {
	if v := at.Get(first); v.Exists() {
		return v
	}
	return at.Get(second)
}

package projection

import (
	"fmt"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/enum"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// PolicyOf is a projection of policies.
type PolicyOf uint8

// The projections of policies. They are derived from the contract but not fixed by it.
const (
	// Loaded is the policy as loaded by its engine, with all defaults, which "jcs:mcp_policy" refers to.
	Loaded PolicyOf = iota
	// Declared is version, enforcement, tool lists and schemas as declared, with sets sorted and
	// without absent members.
	Declared

	policyProjections // how many there are
)

var policyNames = [policyProjections]string{"mcp_policy", "declared"}

// String returns the name of the projection.
func (o PolicyOf) String() string { return policyNames[min(o, policyProjections-1)] }

// MarshalText returns the projection's name, or an error.
func (o PolicyOf) MarshalText() ([]byte, error) { return enum.Text(policyNames[:], o) }

// UnmarshalText sets the projection to the one with the name text.
func (o *PolicyOf) UnmarshalText(text []byte) error {
	return enum.Read("projection", policyNames[:], o, text)
}

// PolicyNames returns the names of the projections, for [PolicyNamed].
func PolicyNames() []string { return policyNames[:] }

// PolicyNamed returns the projection of a name; ok is false if the name is unknown.
func PolicyNamed(name string) (o PolicyOf, ok bool) {
	for i, known := range policyNames {
		if name == known {
			return PolicyOf(i), true
		}
	}
	return 0, false
}

// Policy is a policy's digest and the digested text.
type Policy struct {
	Sum       evidence.Sum
	Canonical []byte
}

// ReadPolicy returns the digest of a policy, a JSON object. Findings explain why there is no digest (ok is false),
// for example because the default of a member is unknown.
func ReadPolicy(text []byte, of PolicyOf) (p Policy, findings []finding.Finding, ok bool) {
	r := &policyReader{input: newInput(text), writer: newWriter()}
	root, ok := r.scan(rulePolicyShape)
	if !ok {
		return p, r.findings, false
	}
	if !root.Is(strictjson.Object) {
		r.fault(rulePolicyShape, root, "expected a policy, found "+say.Article(root.Kind().String()))
		return p, r.findings, false
	}
	r.check(root, policyMembers)
	r.check(root.Get("tools"), toolsMembers)
	r.check(root.Get("enforcement"), enforcementMembers)
	r.legacy(root)
	if len(r.findings) > 0 {
		return p, r.findings, false
	}
	if of == Declared {
		r.declared(root)
	} else {
		r.loaded(root)
	}
	return Policy{digest.Of(r.dst), r.dst}, nil, true
}

// shape is a policy member's form.
type shape uint8

const (
	optionalNames shape = iota // a list of strings, or null
	aText
	anObject
	namesByName // an object of lists of strings
	emptyArray  // nothing else is known of it: …
	emptyObject // …
	nothing     // … null, or absent
)

// shapes describes the forms.
var shapes = [...]string{
	optionalNames: "a list of strings", aText: "a string", anObject: "an object", namesByName: "an object of lists of strings",
	emptyArray: "an empty array", emptyObject: "an empty object", nothing: "null",
}

// known is a member whose loaded form is known.
type known struct {
	name   string
	is     shape
	absent string // loaded form if absent
}

// The members of a policy and its parts, in canonical order.
var (
	policyMembers = []known{
		{"allow", optionalNames, "null"},
		{"constraints", emptyArray, "[]"},
		{"deny", optionalNames, "null"},
		{"discovery", nothing, "null"},
		{"enforcement", anObject, ""},
		{"kill_switch", nothing, "null"},
		{"limits", nothing, "null"},
		{"name", aText, `""`},
		{"runtime_monitor", nothing, "null"},
		{"schemas", anObject, "{}"},
		{"signatures", nothing, "null"},
		{"tool_classes", namesByName, "{}"},
		{"tool_pins", emptyObject, "{}"},
		{"tools", anObject, ""},
		{"version", aText, `""`},
	}
	enforcementMembers = []known{
		{"unconstrained_tools", aText, `"warn"`},
	}
	toolsMembers = []known{
		{"allow", optionalNames, "null"},
		{"allow_classes", optionalNames, "null"},
		{"approval_required", optionalNames, "null"},
		{"approval_required_classes", optionalNames, "null"},
		{"deny", optionalNames, "null"},
		{"deny_classes", optionalNames, "null"},
		{"redact_args", optionalNames, "null"},
		{"redact_args_classes", optionalNames, "null"},
		{"redact_args_contract", nothing, "null"},
		{"restrict_scope", optionalNames, "null"},
		{"restrict_scope_classes", optionalNames, "null"},
		{"restrict_scope_contract", nothing, "null"},
	}
)

type policyReader struct {
	*input
	*writer
}

func (r *policyReader) check(at strictjson.Node, members []known) {
	if !at.Is(strictjson.Object) {
		return // absent, or noted where its parent was checked
	}
	for m := range at.Children() {
		k := lookup(members, m.Key())
		switch {
		case k == nil:
			r.fault(rulePolicyShape, m, fmt.Sprintf("unknown member %s: the canonical form is not known", say.Quoted(m.Key())))
		case !k.is.of(m):
			r.fault(rulePolicyShape, m, fmt.Sprintf("the canonical form is known only for %s, found %s", shapes[k.is], say.Article(m.Kind().String())))
		}
	}
}

func lookup(members []known, name string) *known {
	for i := range members {
		if members[i].name == name {
			return &members[i]
		}
	}
	return nil
}

func (s shape) of(v strictjson.Node) bool {
	switch s {
	case optionalNames:
		return v.Is(strictjson.Null) || isNames(v)
	case aText:
		return v.Is(strictjson.String)
	case anObject:
		return v.Is(strictjson.Object)
	case emptyArray:
		return v.Is(strictjson.Array) && v.Len() == 0
	case emptyObject:
		return v.Is(strictjson.Object) && v.Len() == 0
	case nothing:
		return v.Is(strictjson.Null)
	}
	if !v.Is(strictjson.Object) {
		return false
	}
	for m := range v.Children() {
		if !isNames(m) {
			return false
		}
	}
	return true
}

// isNames reports whether a value is a list of strings.
func isNames(v strictjson.Node) bool {
	if !v.Is(strictjson.Array) {
		return false
	}
	for e := range v.Children() {
		if !e.Is(strictjson.String) {
			return false
		}
	}
	return true
}

// legacy reports a list that is at both its old and its new position, which is ambiguous.
func (r *policyReader) legacy(root strictjson.Node) {
	for _, name := range []string{"allow", "deny"} {
		if old := root.Get(name); !old.Missing() && !root.Get("tools").Get(name).Missing() {
			r.fault(rulePolicyShape, old, fmt.Sprintf("the list is both here and in tools.%s; a server can load either", name))
		}
	}
}

// loaded writes the policy with all defaults. Lists at their old positions move into tools.
func (r *policyReader) loaded(root strictjson.Node) {
	r.open()
	for _, k := range policyMembers {
		switch k.name {
		case "allow", "deny":
			r.literal(k.name, "null")
		case "enforcement":
			r.part(k.name, root.Get(k.name), enforcementMembers, strictjson.Node{})
		case "tools":
			r.part(k.name, root.Get(k.name), toolsMembers, root)
		default:
			r.member(k, root.Get(k.name))
		}
	}
	r.close()
}

// part writes a part of a policy. old is the alternative position of its members.
func (r *policyReader) part(name string, at strictjson.Node, members []known, old strictjson.Node) {
	r.name(name)
	r.open()
	for _, k := range members {
		v := at.Get(k.name)
		if v.Missing() && (k.name == "allow" || k.name == "deny") {
			v = old.Get(k.name)
		}
		r.member(k, v)
	}
	r.close()
}

func (r *policyReader) member(k known, v strictjson.Node) {
	if !v.Exists() {
		r.literal(k.name, k.absent)
		return
	}
	r.value(k.name, v)
}

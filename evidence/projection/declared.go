package projection

import "github.com/cupel-dev/cupel/internal/strictjson"

func (r *policyReader) declared(root strictjson.Node) {
	r.open()
	for _, name := range []string{"enforcement", "schemas", "tools", "version"} {
		v := root.Get(name)
		switch {
		case !v.Exists():
		case name == "schemas":
			r.object(name, v, r.schema)
		case name == "tools":
			r.object(name, v, r.list)
		default:
			r.value(name, v)
		}
	}
	r.close()
}

// list writes a list of tools. null counts as absent.
func (r *policyReader) list(v strictjson.Node) (written bool) {
	if v.Is(strictjson.Array) {
		r.sorted(v.Key(), v)
	}
	return true
}

// schema writes a tool's schema, sorting required and the properties' enumerations.
func (r *policyReader) schema(v strictjson.Node) (written bool) {
	if !v.Is(strictjson.Object) {
		return false
	}
	r.object(v.Key(), v, func(m strictjson.Node) bool {
		switch {
		case m.KeyIs("required") && m.Is(strictjson.Array):
			r.sorted("required", m)
		case m.KeyIs("properties") && m.Is(strictjson.Object):
			r.object("properties", m, r.property)
		default:
			return false
		}
		return true
	})
	return true
}

func (r *policyReader) property(v strictjson.Node) (written bool) {
	if !v.Is(strictjson.Object) {
		return false
	}
	r.object(v.Key(), v, func(m strictjson.Node) bool {
		if !m.KeyIs("enum") || !m.Is(strictjson.Array) {
			return false
		}
		r.sorted("enum", m)
		return true
	})
	return true
}

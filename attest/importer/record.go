package importer

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// record is a span in a common form for all formats: name, scope, attributes, events and status.
type record struct {
	m      *maker
	node   strictjson.Node
	name   string
	scope  string
	attrs  map[string]strictjson.Node // as written: OTLP wraps its values
	keys   []string                   // in their order
	events []event
	status string // ok, error or unset
	failed strictjson.Node

	lost []loss // losses stated by the span, or unreadable values
}

// event is an event of a span, or a log record that belongs to the span.
type event struct {
	name  string
	node  strictjson.Node
	attrs strictjson.Node // OTLP's list, or an object
	body  strictjson.Node // of a log record
}

// set adds an attribute. The last one of a name counts.
func (r *record) set(key string, value strictjson.Node) {
	if r.attrs == nil {
		r.attrs = make(map[string]strictjson.Node)
	}
	if _, known := r.attrs[key]; !known {
		r.keys = append(r.keys, key)
	}
	r.attrs[key] = value
}

// setAll sets the attributes of a list {key, value} or an object. Nested objects become dotted names.
func (r *record) setAll(attrs strictjson.Node) {
	if attrs.Is(strictjson.Array) {
		for one := range attrs.Children() {
			if key, ok := one.Last("key").Text(); ok {
				r.set(key, one.Last("value"))
			}
		}
		return
	}
	r.setMembers("", attrs)
}

func (r *record) setMembers(prefix string, n strictjson.Node) {
	if !n.Is(strictjson.Object) {
		return
	}
	for member := range n.Children() {
		key := prefix + member.Key()
		if member.Is(strictjson.Object) && isNamespace(key) {
			r.setMembers(key+".", member)
			continue
		}
		r.set(key, member)
	}
}

// isNamespace reports whether a dialect has attributes whose names start with key and a dot.
func isNamespace(key string) bool {
	key += "."
	for i := range dialects {
		for _, prefix := range dialects[i].namespaces {
			if strings.HasPrefix(prefix, key) || strings.HasPrefix(key, prefix) && !slices.Contains(argPlaces, key[:len(key)-1]) {
				return true
			}
		}
	}
	return key == "input." || key == "output." || key == "agent." || key == "graph."
}

// get returns the first nonempty attribute among names, as plain JSON.
func (r *record) get(names ...string) strictjson.Node {
	for _, name := range names {
		if value, ok := r.attrs[name]; ok {
			if n := r.m.unwrapped(value); !n.Missing() && !n.TextIs("") {
				return n
			}
		}
	}
	return strictjson.Node{}
}

// structured is get for structured values, possibly encoded in a string. Text that starts like JSON but is
// malformed was truncated and is a loss.
func (r *record) structured(what lossKind, names ...string) strictjson.Node {
	n := r.get(names...)
	parsed := r.m.parsed(n)
	if n.Is(strictjson.String) && parsed == n {
		if text := bytes.TrimSpace(n.TextBytes(nil)); isCut(text) {
			r.loseCut(what, r.nameOf(n, names), n)
		}
	}
	return parsed
}

func (r *record) nameOf(n strictjson.Node, names []string) string {
	for _, name := range names {
		if value, ok := r.attrs[name]; ok && r.m.unwrapped(value) == n {
			return name
		}
	}
	return names[0]
}

func (r *record) lose(what lossKind, why string, at strictjson.Node) {
	r.lost = append(r.lost, loss{what: what, why: why, node: at})
}

// loseCut records that an attribute's JSON is truncated.
func (r *record) loseCut(what lossKind, name string, at strictjson.Node) {
	r.lose(what, "the JSON of "+name+" is truncated", at)
}

// isCut reports whether a text starts like a JSON object or array but does not end like one.
func isCut(text []byte) bool {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	last := text[len(text)-1]
	if text[0] == '[' && len(text) > 1 && text[1] != '{' && text[1] != '"' && text[1] != ']' && text[1] != '[' {
		return false // prose such as "[TRUNCATED] …"
	}
	return last != '}' && last != ']'
}

// isMasked reports whether a text was redacted or shortened by its writer.
func isMasked(n strictjson.Node) bool {
	if !n.Is(strictjson.String) {
		return false
	}
	text := bytes.TrimSpace(n.TextBytes(nil))
	for _, mask := range []string{"[TRUNCATED]", "[REDACTED]", "__REDACTED__", "<redacted>", "...[truncated]", "[truncated]", "<truncated>"} {
		if bytes.HasSuffix(text, []byte(mask)) || bytes.Equal(text, []byte(mask)) {
			return true
		}
	}
	return bytes.HasPrefix(text, []byte("<redacted"))
}

// numbered builds a value from attributes with a prefix: "0.message.role" is the role of the first message. Gaps in
// the numbers are losses.
func (r *record) numbered(prefix string) strictjson.Node {
	root := &branch{}
	for _, key := range r.keys {
		rest, ok := strings.CutPrefix(key, prefix)
		if !ok || rest == "" {
			continue
		}
		if value := r.m.unwrapped(r.attrs[key]); value.Exists() {
			root.put(strings.Split(rest, "."), value)
		}
	}
	if len(root.names) == 0 {
		return strictjson.Node{}
	}
	gap := false
	text := root.append(nil, &gap)
	if gap {
		r.lose(lostCalls, "attributes of "+strings.TrimSuffix(prefix, ".")+" are missing", r.node)
	}
	return r.m.read(r.node, text)
}

type branch struct {
	value strictjson.Node
	names []string
	below map[string]*branch
}

func (b *branch) put(path []string, value strictjson.Node) {
	if len(path) == 0 {
		b.value = value
		return
	}
	next := b.below[path[0]]
	if next == nil {
		next = &branch{}
		if b.below == nil {
			b.below = map[string]*branch{}
		}
		b.below[path[0]] = next
		b.names = append(b.names, path[0])
	}
	next.put(path[1:], value)
}

// append writes the tree as JSON, as an array if all names are numbers.
func (b *branch) append(dst []byte, gap *bool) []byte {
	if len(b.names) == 0 {
		return append(dst, b.value.Raw()...)
	}
	type numbered struct {
		n    int
		name string
	}
	var list []numbered
	for _, name := range b.names {
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 {
			list = nil
			break
		}
		list = append(list, numbered{n, name})
	}
	if list == nil {
		dst = append(dst, '{')
		for _, name := range b.names {
			dst = wording.AppendQuoted(separated(dst), name)
			dst = b.below[name].append(append(dst, ':'), gap)
			dst = append(dst, ' ')
		}
		return append(dst, '}')
	}
	slices.SortFunc(list, func(x, y numbered) int { return x.n - y.n })
	dst = append(dst, '[')
	for i, one := range list {
		if one.n != i {
			*gap = true
		}
		dst = append(b.below[one.name].append(separated(dst), gap), ' ')
	}
	return append(dst, ']')
}

func (m *maker) unwrapped(value strictjson.Node) strictjson.Node {
	if value.Is(strictjson.Object) && value.Len() == 1 {
		switch key := value.At(0).Key(); key {
		case "stringValue", "string_value", "intValue", "int_value", "doubleValue", "double_value", "boolValue", "bool_value",
			"arrayValue", "array_value", "kvlistValue", "kvlist_value", "bytesValue", "bytes_value":
			return m.plain(value)
		}
	}
	return value
}

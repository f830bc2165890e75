// Package protocol contains the payload shapes of each revision of MCP, A2A and AG-UI: operations,
// senders and typed trees of payloads. It identifies methods, possible payloads and possible paths.
//
// The table is protocols.json, which describes its layout in the first member. It is loaded on first use.
package protocol

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/oatf/model"
)

//go:embed protocols.json
var source []byte

// Tree is the shape of a value.
type Tree struct {
	Type     string           `json:"type"` // object, array, string, number, integer, boolean, null or any; "" for a Ref or a Union
	Members  map[string]*Tree `json:"members"`
	Items    *Tree            `json:"items"`
	Map      *Tree            `json:"map"`  // the shape of the values of free keys
	Open     bool             `json:"open"` // free-form object
	Extra    bool             `json:"extra"`
	Enum     []any            `json:"enum"`
	Const    any              `json:"const"`
	Union    []*Tree          `json:"union"`
	Ref      string           `json:"ref"`
	Required bool             `json:"required"`
	Nullable bool             `json:"nullable"`

	types map[string]*Tree // the types of the revision, for Ref
}

// Operation is a method or an event of one revision.
type Operation struct {
	Name   string   `json:"name"`
	Wire   string   `json:"wire"` // the constant of an AG-UI event; "" otherwise
	Kind   string   `json:"kind"` // request, notification, event or stream_item
	From   []string `json:"from"` // client, server or agent: the sides that send the params
	Params *Tree    `json:"params"`
	Result *Tree    `json:"result"`
	Stream bool     `json:"stream"`
	REST   []string `json:"rest"` // "POST /v1/message:send"
	Was    string   `json:"was"`  // the name in the earlier revision; "" when it is the same

	Protocol model.Protocol `json:"-"`
	Revision string         `json:"-"`
}

// Asks reports whether a message of the operation is a request, which is answered.
func (o *Operation) Asks() bool { return o.Kind == "request" }

// table is protocols.json with indexes.
type table struct {
	operations []*Operation
	byName     map[string][]*Operation // by their names in all revisions, and by the wire's constant
	canonical  map[string]string       // the name of the first revision by later names
	revisions  map[model.Protocol][]string
}

var tables = sync.OnceValue(func() *table {
	var file struct {
		Protocols map[model.Protocol]struct {
			Revisions map[string]struct {
				Operations []*Operation     `json:"operations"`
				Types      map[string]*Tree `json:"types"`
			} `json:"revisions"`
		} `json:"protocols"`
	}
	if err := json.Unmarshal(source, &file); err != nil {
		panic("protocols.json: " + err.Error()) // the file is a part of the program
	}
	t := &table{byName: map[string][]*Operation{}, canonical: map[string]string{}, revisions: map[model.Protocol][]string{}}
	for _, protocol := range slices.Sorted(maps.Keys(file.Protocols)) {
		for _, revision := range slices.Sorted(maps.Keys(file.Protocols[protocol].Revisions)) {
			r := file.Protocols[protocol].Revisions[revision]
			t.revisions[protocol] = append(t.revisions[protocol], revision)
			for _, tree := range r.Types {
				tree.bind(r.Types)
			}
			for _, o := range r.Operations {
				o.Protocol, o.Revision = protocol, revision
				o.Params.bind(r.Types)
				o.Result.bind(r.Types)
				t.add(o)
			}
		}
	}
	return t
})

func (t *table) add(o *Operation) {
	t.operations = append(t.operations, o)
	if o.Was != "" && o.Was != o.Name {
		t.canonical[o.Name] = o.Was
	}
	for _, name := range []string{o.Name, o.Wire, o.Was} {
		if name != "" && !slices.Contains(t.byName[name], o) {
			t.byName[name] = append(t.byName[name], o)
		}
	}
	if now := t.canonical[o.Name]; now != "" { // the older name means the operation of every revision
		for _, older := range t.byName[now] {
			if !slices.Contains(t.byName[o.Name], older) {
				t.byName[o.Name] = append(t.byName[o.Name], older)
			}
		}
	}
}

func (t *Tree) bind(types map[string]*Tree) {
	if t == nil || t.types != nil {
		return
	}
	t.types = types
	for _, member := range t.Members {
		member.bind(types)
	}
	t.Items.bind(types)
	t.Map.bind(types)
	for _, one := range t.Union {
		one.bind(types)
	}
}

// Operations returns the operations of a method or event in all revisions, oldest first, or nil. AG-UI event
// constants are accepted.
func Operations(name string) []*Operation { return tables().byName[name] }

// All returns the operations of a protocol in all revisions.
func All(protocol model.Protocol) (list []*Operation) {
	for _, o := range tables().operations {
		if o.Protocol == protocol {
			list = append(list, o)
		}
	}
	return list
}

// Revisions returns the revisions of a protocol that the table has.
func Revisions(protocol model.Protocol) []string { return tables().revisions[protocol] }

// Canonical returns an operation's name in its first revision, such as message/send for SendMessage. Other names
// are unchanged.
func Canonical(name string) string {
	t := tables()
	if older := t.canonical[name]; older != "" {
		return older
	}
	if list := t.byName[name]; len(list) > 0 && list[0].Wire == name {
		return list[0].Name
	}
	return name
}

// Of returns the protocol of a method or event, or "" if none or several have it.
func Of(name string) (protocol model.Protocol) {
	for _, o := range Operations(name) {
		if protocol != "" && protocol != o.Protocol {
			return ""
		}
		protocol = o.Protocol
	}
	return protocol
}

// Side is a side of a connection.
type Side string

// The sides. The agent that sends AG-UI events is the server.
const (
	Client Side = "client"
	Server Side = "server"
)

// Other returns the opposite side; "" for "".
func (s Side) Other() Side {
	switch s {
	case Client:
		return Server
	case Server:
		return Client
	}
	return ""
}

// Sender returns the sender of a method's params or answer, or "" if unknown or both.
func Sender(name string, answer bool) (side Side) {
	for _, o := range Operations(name) {
		if len(o.From) != 1 {
			return ""
		}
		from := Client
		if o.From[0] != string(Client) {
			from = Server
		}
		if answer {
			from = from.Other()
		}
		if side != "" && side != from {
			return ""
		}
		side = from
	}
	return side
}

// Answers returns the canonical operations with results that fit a value, of a protocol or all ("").
func Answers(v model.Value, protocol model.Protocol) (names []string) {
	for _, o := range tables().operations {
		if o.Asks() && o.Result != nil && (protocol == "" || o.Protocol == protocol) && fits(o.Result, v, 0) {
			if name := Canonical(o.Name); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// How well a result fits a method.
const (
	Misfit  = iota // the method's results are others
	MayFit         // it has a member that such results have, or nothing is known of them
	Nearly         // it has most of the members that such results must have, and no others
	Fitting        // it is such a result
)

// Fit returns how well a result fits a method in the best-fitting revision.
func Fit(method string, result model.Value) int {
	best, known := Misfit, false
	object, _ := result.(model.Object)
	for _, o := range Operations(method) {
		if !o.Asks() || o.Result == nil {
			continue
		}
		for _, one := range o.Result.expand(nil, 0) {
			known = known || len(one.Members) > 0
			best = max(best, one.fit(object))
		}
	}
	if !known {
		return MayFit
	}
	return best
}

func (t *Tree) fit(o model.Object) int {
	if t.holds(o) {
		return Fitting
	}
	has, required, strange := 0, 0, len(o)
	for name, member := range t.Members {
		_, is := o.Get(name)
		if is {
			strange--
		}
		if member.Required {
			required++
			if is {
				has++
			}
		}
	}
	switch {
	case strange == len(o):
		return Misfit
	case strange == 0 && 2*has > required:
		return Nearly
	}
	return MayFit
}

// Payload returns the protocols in which a value can be params, a result or an event.
func Payload(v model.Value) (protocols []model.Protocol) {
	for _, o := range tables().operations {
		if slices.Contains(protocols, o.Protocol) {
			continue
		}
		if fits(o.Params, v, 0) || fits(o.Result, v, 0) {
			protocols = append(protocols, o.Protocol)
		}
	}
	return protocols
}

// fits reports whether a value has the shape, with at least one required member and no unknown member.
func fits(t *Tree, v model.Value, depth int) bool {
	object, ok := v.(model.Object)
	if t == nil || !ok || len(object) == 0 || depth > mostDepth {
		return false
	}
	for _, one := range t.expand(nil, 0) {
		if one.holds(object) {
			return true
		}
	}
	return false
}

// holds reports whether an object has all members that a shape requires, at least one, and no unknown members.
func (t *Tree) holds(o model.Object) bool {
	required := 0
	for name, member := range t.Members {
		value, is := o.Get(name)
		switch {
		case is && !member.admits(value):
			return false
		case is && member.Required:
			required++
		case member.Required:
			return false
		}
	}
	for _, m := range o {
		if t.Members[m.Key] == nil && m.Key != "_meta" {
			return false
		}
	}
	return required > 0
}

// admits reports whether a value has the type of a shape.
func (t *Tree) admits(v model.Value) bool {
	if v == nil && t.Nullable {
		return true
	}
	for _, one := range t.expand(nil, 0) {
		switch v.(type) {
		case nil:
			if one.Type == "null" || one.Type == "any" {
				return true
			}
		case string:
			if one.Type == "string" && (one.Const == nil || one.Const == v) || one.Type == "any" {
				return true
			}
		case bool:
			if one.Type == "boolean" || one.Type == "any" {
				return true
			}
		case model.Number:
			if one.Type == "number" || one.Type == "integer" || one.Type == "any" {
				return true
			}
		case []model.Value:
			if one.Type == "array" || one.Type == "any" {
				return true
			}
		case model.Object:
			if one.Type == "object" || one.Type == "any" {
				return true
			}
		}
	}
	return false
}

// mostDepth ends references that lead in a circle.
const mostDepth = 16

// expand lists the trees of references and unions.
func (t *Tree) expand(list []*Tree, depth int) []*Tree {
	switch {
	case t == nil || depth > mostDepth:
	case t.Ref != "":
		return t.types[t.Ref].expand(list, depth+1)
	case len(t.Union) > 0:
		for _, one := range t.Union {
			list = one.expand(list, depth+1)
		}
	default:
		return append(list, t)
	}
	return list
}

// Rest returns the operation of a request by HTTP method and path: of the HTTP+JSON binding of A2A, or the agent
// card.
func Rest(method, path string) *Operation {
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimSuffix(path, "/")
	for _, o := range tables().operations {
		for _, form := range o.REST {
			verb, pattern, _ := strings.Cut(form, " ")
			pattern, _, _ = strings.Cut(pattern, " ")
			if verb == method && matchesREST(strings.Split(pattern, "/"), strings.Split(path, "/")) {
				return o
			}
		}
	}
	return nil
}

// matchesREST compares path segments from the end: the prefix is the agent's mount point.
func matchesREST(pattern, path []string) bool {
	pattern = pattern[1:]
	if len(path) < len(pattern) || strings.HasPrefix(pattern[0], "{tenant") {
		return false // without the tenant it is the same form, mounted below it
	}
	path = path[len(path)-len(pattern):]
	for i, segment := range pattern {
		before, rest, is := strings.Cut(segment, "{")
		_, after, _ := strings.Cut(rest, "}")
		switch at := path[i]; {
		case !is && at != segment:
			return false
		case is && (len(at) <= len(before)+len(after) || !strings.HasPrefix(at, before) || !strings.HasSuffix(at, after)):
			return false
		case is && after == "" && strings.Contains(at, ":"):
			return false
		}
	}
	return true
}

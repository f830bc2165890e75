// Package migration converts documents between adjacent revisions by editing their texts. Each pair of revisions is
// a Step in a folder named after the later one.
//
// Content without an equivalent is kept under another name: key K as x-cupel-K on the nearest object that accepts
// such keys, with a path if it was deeper.
package migration

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf/internal/patch"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Step converts documents of a revision to the next one.
type Step struct {
	From, To model.Revision
	Up       func(*Document)
}

// Prefix starts the keys of kept content.
const Prefix = "x-cupel-"

// Note is a remark on a migration.
type Note struct {
	Loss    bool // the other revision has no counterpart; else both have one, and differ
	Path    string
	At      model.Position
	Message string
}

// Document is a document during migration.
type Document struct {
	*patch.Tree
	To    model.Revision
	Notes []Note
}

// Object is a mapping of the document; its node can be nil.
type Object struct {
	*Document
	Node *yaml.Node
	Path *place.Path
}

// Top returns the root of the document.
func (d *Document) Top() Object { return Object{d, mapping(d.Root), nil} }

func mapping(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.MappingNode {
		return n
	}
	return nil
}

// Value returns the value of a key, or nil.
func (o Object) Value(key string) *yaml.Node { return o.Get(o.Node, key) }

// Has reports whether the object has a key.
func (o Object) Has(key string) bool { return o.Index(o.Node, key) >= 0 }

// HasAny reports whether the object has one of several keys.
func (o Object) HasAny(keys ...string) bool {
	for _, key := range keys {
		if o.Has(key) {
			return true
		}
	}
	return false
}

// Text returns the value of a key that is a string.
func (o Object) Text(key string) (string, bool) { return String(o.Value(key)) }

// String returns the value of a node that is a string.
func String(n *yaml.Node) (string, bool) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return "", false
	}
	v, _ := yamltext.Scalar(n)
	s, ok := v.(string)
	return s, ok
}

// Bool returns the value of a node that is a boolean.
func Bool(n *yaml.Node) (value, ok bool) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return false, false
	}
	v, _ := yamltext.Scalar(n)
	value, ok = v.(bool)
	return value, ok
}

// Child returns the mapping in a key.
func (o Object) Child(key string) Object {
	return Object{o.Document, mapping(o.Value(key)), o.Path.Field(key)}
}

// Each calls do for every mapping in the list of a key.
func (o Object) Each(key string, do func(Object)) {
	list := o.Value(key)
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	for i, item := range o.Content(list) {
		if item.Kind == yaml.MappingNode {
			do(Object{o.Document, item, o.Path.Field(key).Element(i)})
		}
	}
}

// Keys returns the keys of the object.
func (o Object) Keys() []string {
	if o.Node == nil {
		return nil
	}
	content := o.Content(o.Node)
	keys := make([]string, 0, len(content)/2)
	for i := 0; i < len(content); i += 2 {
		keys = append(keys, content[i].Value)
	}
	return keys
}

// Put inserts a pair after the first existing key of after, or at the end.
func (o Object) Put(key string, value *yaml.Node, after ...string) {
	at := -1
	for _, b := range after {
		if i := o.Index(o.Node, b); i >= 0 {
			at = i + 2
			break
		}
	}
	o.Insert(o.Node, at, patch.Text(key), value)
}

// PutFirst inserts a pair before the first existing key of before, or at the end.
func (o Object) PutFirst(key string, value *yaml.Node, before ...string) {
	at := -1
	for _, b := range before {
		if i := o.Index(o.Node, b); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	o.Insert(o.Node, at, patch.Text(key), value)
}

// Set replaces the value of a key.
func (o Object) Set(key string, value *yaml.Node) {
	o.Replace(o.Node, o.Index(o.Node, key)+1, value)
}

// Drop removes a key.
func (o Object) Drop(key string) (value *yaml.Node) {
	if i := o.Index(o.Node, key); i >= 0 {
		_, value = o.Remove(o.Node, i)
	}
	return value
}

// Name renames a key. It returns false if the name is taken.
func (o Object) Name(key, name string) bool {
	i := o.Index(o.Node, key)
	if i < 0 || o.Has(name) {
		return false
	}
	o.Rename(o.Node, i, name)
	return true
}

// Keep renames a key to the name under which it is kept.
func (o Object) Keep(key string) { o.Name(key, o.free(key)) }

// KeepText keeps a text without a key.
func (o Object) KeepText(name, text string, after ...string) {
	o.Put(o.free(name), patch.Text(text), after...)
}

// free returns the first name not taken under which a key can be kept.
func (o Object) free(key string) string {
	kept := Prefix + key
	for n := 2; o.Has(kept); n++ {
		kept = Prefix + key + "-" + strconv.Itoa(n)
	}
	return kept
}

// Lose keeps a key and notes that the other revision has no equivalent.
func (o Object) Lose(key, format string, args ...any) {
	o.Keep(key)
	o.note(true, key, format+"; kept as "+Prefix+key, args...)
}

// Lost notes that the other revision has no equivalent of something.
func (o Object) Lost(key, format string, args ...any) { o.note(true, key, format, args...) }

// Differ notes that the other revision treats something differently.
func (o Object) Differ(format string, args ...any) { o.note(false, "", format, args...) }

// LostAt is Lost for a key of this object.
func (o Object) LostAt(key *yaml.Node, format string, args ...any) {
	o.add(true, o.Path.Field(key.Value), key, format, args...)
}

func (o Object) note(loss bool, key, format string, args ...any) {
	path, at := o.Path, o.Node
	if key != "" {
		path = path.Field(key)
		for _, name := range []string{key, Prefix + key} {
			if i := o.Index(o.Node, name); i >= 0 {
				at = o.Content(o.Node)[i]
			}
		}
	}
	o.add(loss, path, at, format, args...)
}

func (o Object) add(loss bool, path *place.Path, at *yaml.Node, format string, args ...any) {
	o.Notes = append(o.Notes, Note{Loss: loss, Path: path.String(), At: o.where(at), Message: fmt.Sprintf(format, args...)})
}

func (o Object) where(n *yaml.Node) model.Position {
	if n = o.Origin(n); n == nil {
		if n = o.Origin(o.Node); n == nil {
			return model.Position{}
		}
	}
	return o.Span(n)
}

// Phase is a phase, or the execution if it has no phases.
type Phase struct {
	Object
	Mode  model.Mode // its own or its actor's
	Actor model.Mode // of its actor or of the execution; else of the first phase
	Free  bool       // neither its actor nor the execution has a mode
}

// EachPhase calls do for every phase.
func (d *Document) EachPhase(do func(Phase)) {
	execution := d.Top().Child("attack").Child("execution")
	mode, _ := execution.Text("mode")
	switch {
	case execution.Node == nil:
	case execution.Has("actors"):
		execution.Each("actors", func(actor Object) {
			own, _ := actor.Text("mode")
			actor.eachPhase(model.Mode(own), do)
		})
	case execution.Has("phases"):
		execution.eachPhase(model.Mode(mode), do)
	default:
		do(Phase{Object: execution, Mode: model.Mode(mode), Actor: model.Mode(mode)})
	}
}

func (o Object) eachPhase(actor model.Mode, do func(Phase)) {
	free := actor == ""
	o.Each("phases", func(ph Object) {
		if own, ok := ph.Text("mode"); ok && actor == "" {
			actor = model.Mode(own)
		}
		mode := actor
		if own, ok := ph.Text("mode"); ok {
			mode = model.Mode(own)
		}
		do(Phase{Object: ph, Mode: mode, Actor: actor, Free: free})
	})
}

// Modes returns the modes of all phases.
func (d *Document) Modes() map[model.Mode]bool {
	modes := map[model.Mode]bool{}
	d.EachPhase(func(ph Phase) { modes[ph.Mode] = true })
	return modes
}

// EachIndicator calls do for every indicator with its protocol: the indicator's, or that of the execution mode, or
// "".
func (d *Document) EachIndicator(do func(Object, model.Protocol)) {
	attack := d.Top().Child("attack")
	implied := model.Protocol("")
	if mode, ok := attack.Child("execution").Text("mode"); ok {
		implied = vocabulary.ExtractProtocol(model.Mode(mode))
	}
	attack.Each("indicators", func(o Object) {
		protocol := implied
		if own, ok := o.Text("protocol"); ok {
			protocol = model.Protocol(own)
		}
		do(o, protocol)
	})
}

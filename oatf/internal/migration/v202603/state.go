package v202603

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// upState converts the state of a phase to 2026-03.
func upState(ph migration.Phase) {
	state := ph.Child("state")
	protocol := vocabulary.ExtractProtocol(ph.Mode)
	for _, key := range laterMembers[protocol] {
		if state.Has(key) {
			state.Lose(key, meansNothing, key, earlier, later)
			continue
		}
		state.Restore(key)
	}
	upSingles(state, string(protocol))
	for i := range bodies {
		if b := &bodies[i]; b.protocol == protocol {
			b.each(state, b.up)
		}
	}
	switch ph.Mode {
	case "mcp_server":
		if state.Has("behavior") {
			state.Lost("behavior", "behavior has no counterpart in %s", later)
		}
	case "mcp_client":
		eachAction(state, upVerb)
	case "a2a_client":
		upTask(state)
	case "ag_ui_client":
		upInput(state)
	}
	upStrays(ph, state)
}

// downState converts the state of a phase to the earlier revision.
func downState(ph migration.Phase) {
	state := ph.Child("state")
	protocol := vocabulary.ExtractProtocol(ph.Mode)
	for i := range bodies {
		if b := &bodies[i]; b.protocol == protocol {
			b.each(state, b.down)
		}
	}
	downSingles(state, string(protocol))
	downStrays(state, protocol)
	for _, key := range laterMembers[protocol] {
		if state.Has(key) {
			state.Lose(key, "%s has no counterpart in %s", key, earlier)
			continue
		}
		state.Restore(key)
	}
	switch ph.Mode {
	case "mcp_client":
		eachAction(state, downVerb)
	case "a2a_client":
		downTask(state)
	case "ag_ui_client":
		downInput(state)
	}
}

// each calls do for the entries in all lists of a state.
func (b *body) each(state migration.Object, do func(migration.Object)) {
	if b.list == "" {
		state.Each(b.member, do)
		return
	}
	state.Each(b.list, func(owner migration.Object) { owner.Each(b.member, do) })
}

// Older keys for a single response of a tool or prompt.
const (
	single     = "response"
	several    = "responses"
	keptSingle = "response" // on the entry: that it was alone
)

// upSingles converts single responses to lists.
func upSingles(state migration.Object, protocol string) {
	eachOwner(state, protocol, func(owner migration.Object) {
		entry := owner.Child(single)
		switch {
		case !owner.Has(single):
			owner.Restore(single)
		case entry.Node == nil || owner.Has(several):
			owner.Lose(single, "this form of response has no counterpart in %s", later)
		default:
			list := patch.List(entry.Node)
			if entry.Node.Style&yaml.FlowStyle != 0 {
				patch.Flow(list)
			}
			owner.Name(single, several)
			owner.Insert(entry.Node, 0, patch.Text(migration.Prefix+keptSingle), patch.Text("single"))
			owner.Set(several, list)
		}
	})
}

// downSingles converts lists to single responses.
func downSingles(state migration.Object, protocol string) {
	eachOwner(state, protocol, func(owner migration.Object) {
		if owner.Has(single) {
			owner.Lose(single, "response has no meaning in %s, but has one in %s", later, earlier)
			return
		}
		owner.Restore(single)
		list := owner.Value(several)
		if list == nil || list.Kind != yaml.SequenceNode || len(owner.Content(list)) != 1 || owner.Has(single) {
			return
		}
		entry := owner.Content(list)[0]
		if i := owner.Index(entry, migration.Prefix+keptSingle); i >= 0 {
			owner.Remove(entry, i)
			owner.Name(several, single)
			owner.Set(single, entry)
		}
	})
}

func eachOwner(state migration.Object, protocol string, do func(migration.Object)) {
	if protocol == "mcp" {
		state.Each("tools", do)
		state.Each("prompts", do)
	}
}

// whole is the member for an entry's content in 2026-03.
const whole = "content"

// up moves an entry's response into its content.
func (b *body) up(entry migration.Object) {
	entry.Restore("synthesize")
	lostGenerators(entry)
	if b.earlier == nil {
		return
	}
	b.gather(entry)
	for _, key := range b.earlier {
		entry.Restore(key)
	}
}

func (b *body) gather(entry migration.Object) {
	if entry.Has(migration.Prefix+whole) && !entry.HasAny(b.earlier...) {
		entry.Restore(whole)
		return
	}
	content := entry.Content(entry.Node)
	var rest, inside []*yaml.Node
	at := -1
	for i := 0; i < len(content); i += 2 {
		name := b.inside(content[i].Value)
		if name == "" {
			rest = append(rest, content[i], content[i+1])
			continue
		}
		if at < 0 {
			at = len(rest)
		}
		key, value := content[i], content[i+1]
		if name != key.Value {
			key = entry.Called(key, name)
		}
		inside = append(inside, key, b.upValue(entry, name, content[i].Value, value))
	}
	if at < 0 {
		return
	}
	now := patch.Mapping(inside...)
	if entry.Node.Style&yaml.FlowStyle != 0 {
		patch.Flow(now)
	}
	entry.SetContent(entry.Node, slices.Insert(rest, at, patch.Text(whole), now))
}

// inside returns the name of an entry's member inside its content, or "".
func (b *body) inside(key string) string {
	if i := slices.Index(b.earlier, key); i >= 0 {
		return b.later[i]
	}
	if kept, ok := migration.CutPrefix(key); ok {
		if name, ok := strings.CutPrefix(kept, whole+"."); ok {
			return name
		}
	}
	return ""
}

// upValue converts the status of a task to an object.
func (b *body) upValue(entry migration.Object, name, key string, value *yaml.Node) *yaml.Node {
	if name == "status" && key == "status" && value.Kind == yaml.ScalarNode {
		return entry.Instead(value, patch.Flow(patch.Mapping(patch.Text("state"), value)))
	}
	return value
}

// lostGenerators notes content that is generated by a rule.
func lostGenerators(entry migration.Object) {
	entry.Each("content", func(item migration.Object) {
		if item.Has("generate") {
			item.Lost("generate", "generate has no counterpart in %s", later)
		}
	})
}

// down moves an entry's response out of its content.
func (b *body) down(entry migration.Object) {
	for _, key := range b.earlier {
		if key != whole && entry.Has(key) {
			entry.Lose(key, "%s next to the content of an answer has no counterpart in %s", key, earlier)
		}
	}
	if b.earlier != nil {
		b.spread(entry)
	}
	prompt, _ := entry.Child("synthesize").Text("prompt")
	switch {
	case isNone(entry.Value("synthesize")):
	case prompt == "":
		entry.Lose("synthesize", "synthesize without a prompt has no counterpart in %s", earlier)
	case entry.HasAny(b.static...):
		entry.Lose("synthesize", "synthesize together with an answer has no counterpart in %s", earlier)
	}
}

func (b *body) spread(entry migration.Object) {
	i := entry.Index(entry.Node, whole)
	if i < 0 {
		return
	}
	inside := entry.Child(whole)
	if inside.Node == nil || len(inside.Keys()) == 0 {
		entry.Lose(whole, "an answer that is %s has no counterpart in %s", kindOf(entry.Value(whole)), earlier)
		return
	}
	taken := map[string]bool{}
	for _, key := range entry.Keys() {
		taken[key] = key != whole
	}
	content := slices.Clone(inside.Content(inside.Node))
	for k := 0; k < len(content); k += 2 {
		name := b.outside(inside, content[k], content[k+1])
		if name == content[k].Value {
			continue
		}
		if taken[name] {
			entry.Lose(whole, "an answer with the member %s has no counterpart in %s beside %s", say.Quoted(content[k].Value), earlier, say.Quoted(name))
			return
		}
		content[k] = entry.Called(content[k], name)
	}
	for k := 0; k < len(content); k += 2 {
		if content[k].Value == "status" {
			content[k+1] = stateOf(entry, content[k+1])
		}
	}
	outer := slices.Clone(entry.Content(entry.Node))
	entry.SetContent(entry.Node, slices.Concat(outer[:i], content, outer[i+2:]))
}

// outside returns a content member's name next to the content.
func (b *body) outside(inside migration.Object, key, value *yaml.Node) string {
	i := slices.Index(b.later, key.Value)
	if i >= 0 && (key.Value != "status" || isState(inside, value)) {
		return b.earlier[i]
	}
	name := whole + "." + key.Value
	inside.LostAt(key, "%s has no counterpart in %s; kept as %s%s", say.Quoted(name), earlier, migration.Prefix, name)
	return migration.Prefix + name
}

// isState reports whether the status of a task is only a state.
func isState(entry migration.Object, value *yaml.Node) bool {
	_, ok := migration.String(entry.Get(value, "state"))
	return ok && value.Kind == yaml.MappingNode && len(entry.Content(value)) == 2
}

func stateOf(entry migration.Object, value *yaml.Node) *yaml.Node {
	if !isState(entry, value) {
		return value
	}
	return entry.Instead(value, entry.Copy(entry.Get(value, "state")))
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "an empty mapping"
	}
	return "no mapping"
}

// eachAction calls do for the actions in a client's state.
func eachAction(state migration.Object, do func(list migration.Object, node *yaml.Node, i int)) {
	list := state.Value("actions")
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	for i, item := range slices.Clone(state.Content(list)) {
		do(migration.Object{Document: state.Document, Node: list, Path: state.Path.Field("actions")}, item, i)
	}
}

const meansNothing = "%s has no meaning in %s, but has one in %s"

package v202603

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
	"github.com/cupel-dev/cupel/oatf/internal/revision/sdk01"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// Keys under which a phase keeps data of its trigger, which does not accept extra keys.
const (
	keptEvent     = "trigger.event"     // an event that the other side spells otherwise
	keptQualifier = "trigger.qualifier" // a qualifier that is not a word
	keptBare      = "trigger.match"     // predicate keys that start at the params in both revisions, or an empty predicate
)

// trigger is the trigger of a phase during migration.
type trigger struct {
	ph    migration.Phase
	o     migration.Object // the trigger
	match migration.Object
}

func newTrigger(ph migration.Phase) (t trigger, event string, ok bool) {
	t = trigger{ph: ph, o: ph.Child("trigger")}
	t.match = t.o.Child("match")
	event, ok = t.o.Text("event")
	return t, event, ok
}

// path returns the match path of an event's qualifier.
func (t trigger) path(event string) (string, bool) {
	protocol := vocabulary.ExtractProtocol(t.ph.Mode)
	for _, q := range qualifiers {
		if q.protocol == protocol && q.event == event {
			if t.ph.Mode == "mcp_client" { // its events are answers, combined with the request's params
				return envelope + "." + q.path, true
			}
			return q.path, true
		}
	}
	return "", false
}

// isRequest reports whether predicates on an event apply to the params of a request.
func (t trigger) isRequest(event string) bool {
	return t.ph.Mode == "mcp_server" || t.ph.Mode == "mcp_client" && slices.Contains(serverRequests, event)
}

// upTrigger moves the qualifier from the event into the predicate and removes the envelope from paths.
func upTrigger(ph migration.Phase) {
	t, event, ok := newTrigger(ph)
	if !ok {
		return
	}
	if old, kept := ph.Text(migration.Prefix + keptEvent); kept && old == event {
		ph.Drop(migration.Prefix + keptEvent) // not a qualifier
		return
	}
	base, qualifier, qualified := strings.Cut(event, ":")
	name := laterEvent(base)
	path, resolves := t.path(base)
	if qualified && !resolves {
		t.o.Lost("event", "the qualifier of %s matches nothing in %s; it has no counterpart in %s", say.Quoted(event), earlier, later)
		name += ":" + qualifier
		ph.KeepText(keptEvent, event, "trigger")
	}
	if base == "interrupt" {
		t.o.Lost("event", "the event %s has no counterpart in %s", base, later)
	}
	if name != event {
		t.o.Set("event", patch.Text(name))
	}
	if t.isRequest(base) {
		t.unwrap()
	}
	switch {
	case !resolves:
	case qualified:
		t.qualify(path, qualifier, event)
	case t.foldable(path):
		ph.KeepText(keptEvent, event, "trigger") // the way back would make a qualifier of it
	}
}

func laterEvent(event string) string {
	if rest, ok := strings.CutPrefix(event, earlierPush); ok {
		return laterPush + rest
	}
	return event
}

// unwrap removes the envelope from the keys of the predicate, and notes keys without it.
func (t trigger) unwrap() {
	var bare []*yaml.Node
	unwrapped := func(key string) string {
		if key == envelope {
			return ""
		}
		return strings.TrimPrefix(key, envelope+".")
	}
	for _, key := range t.rename(unwrapped) {
		if inside := unwrapped(key); inside != key {
			t.match.Lost(key, "%s and %s are one path in %s", say.Quoted(key), say.Quoted(inside), later)
		}
		bare = append(bare, patch.Text(key))
	}
	if len(bare) > 0 {
		t.ph.Put(migration.Prefix+keptBare, patch.Flow(patch.List(bare...)), "trigger")
	}
}

// qualify moves the qualifier of an event into the predicate.
func (t trigger) qualify(path, qualifier, event string) {
	switch {
	case t.match.Has(path):
		if same, _ := t.match.Text(path); same != qualifier {
			t.match.Lost(path, "a condition together with the qualifier of %s has no counterpart in %s; the event is kept as %s%s", say.Quoted(event), later, migration.Prefix, keptEvent)
		}
		t.ph.KeepText(keptEvent, event, "trigger")
		return
	case t.match.Node != nil:
		if len(t.match.Keys()) == 0 {
			t.ph.Put(migration.Prefix+keptBare, patch.Flow(patch.Mapping()), "trigger")
		}
		t.match.PutFirst(path, patch.Text(qualifier), t.match.Keys()...)
	case t.o.Has("match"): // it is null
		t.o.Set("match", patch.Mapping(patch.Text(path), patch.Text(qualifier)))
	default:
		t.o.Put("match", patch.Mapping(patch.Text(path), patch.Text(qualifier)), "event")
	}
	if !isToken(qualifier) {
		t.ph.KeepText(keptQualifier, qualifier, "trigger")
	}
}

// isToken reports whether a text can be a qualifier.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// foldable reports whether converting back would treat the predicate at a path as a qualifier.
func (t trigger) foldable(path string) bool {
	s, ok := t.match.Text(path)
	kept, was := t.ph.Text(migration.Prefix + keptQualifier)
	return ok && (isToken(s) || was && s == kept)
}

// downTrigger moves the qualifier from the predicate into the event and adds the envelope to paths.
func downTrigger(ph migration.Phase) {
	t, event, ok := newTrigger(ph)
	if !ok {
		return
	}
	old, kept := ph.Text(migration.Prefix + keptEvent)
	if base, _, colon := strings.Cut(old, ":"); kept && colon && strings.Contains(event, ":") && strings.HasPrefix(event, laterEvent(base)+":") {
		ph.Drop(migration.Prefix + keptEvent)
		if event != old {
			t.o.Set("event", patch.Text(old))
		}
		if t.isRequest(base) {
			t.wrap()
		}
		return
	}
	if strings.Contains(event, ":") {
		t.o.Lost("event", "what follows the colon of %s is a part of its name in %s, and a qualifier in %s; kept as %s%s", say.Quoted(event), later, earlier, migration.Prefix, keptEvent)
		ph.KeepText(keptEvent, event, "trigger")
		return
	}
	name := event
	if rest, ok := strings.CutPrefix(event, laterPush); ok {
		name = earlierPush + rest
	}
	unknown := vocabulary.IsKnownMode(ph.Mode) && !sdk01.Profile.Occurs(name, ph.Mode)
	if unknown {
		t.o.Lost("event", "the event %s of %s has no counterpart in %s, and no trigger is without one", say.Quoted(event), ph.Mode, earlier)
	}
	if strings.HasPrefix(event, earlierPush) { // the way back would give it its new name
		if !unknown {
			t.o.Lost("event", "the event %s is one of %s, and not of %s; kept as %s%s", say.Quoted(event), earlier, later, migration.Prefix, keptEvent)
		}
		ph.KeepText(keptEvent, event, "trigger")
		return
	}
	path, resolves := t.path(event)
	if base, _, _ := strings.Cut(old, ":"); kept && laterEvent(base) == event {
		ph.Drop(migration.Prefix + keptEvent)
		name = old
	} else if resolves && t.foldable(path) {
		qualifier, _ := t.match.Text(path)
		ph.Drop(migration.Prefix + keptQualifier)
		t.unqualify(path)
		name += ":" + qualifier
	}
	if name != event {
		t.o.Set("event", patch.Text(name))
	}
	if t.isRequest(event) {
		t.wrap()
	}
}

// unqualify removes a path from the predicate, and removes the predicate if it becomes empty, unless it was empty
// before.
func (t trigger) unqualify(path string) {
	t.match.Drop(path)
	kept := t.ph.Value(migration.Prefix + keptBare)
	switch {
	case len(t.match.Keys()) > 0:
	case kept != nil && kept.Kind == yaml.MappingNode:
		t.ph.Drop(migration.Prefix + keptBare)
	default:
		t.o.Drop("match")
	}
}

// wrap adds the envelope to the keys of the predicate, except those noted by unwrap.
func (t trigger) wrap() {
	bare := map[string]bool{}
	if list := t.ph.Value(migration.Prefix + keptBare); list != nil && list.Kind == yaml.SequenceNode {
		for _, key := range t.ph.Content(list) {
			bare[key.Value] = true
		}
		t.ph.Drop(migration.Prefix + keptBare)
	}
	t.rename(func(key string) string {
		if bare[key] {
			return key
		}
		return strings.TrimSuffix(envelope+"."+key, ".")
	})
}

// rename renames predicate keys simultaneously. It returns the keys that were not renamed: unchanged or conflicting
// ones.
func (t trigger) rename(name func(key string) string) (stay []string) {
	keys := t.match.Keys()
	if len(keys) == 0 {
		return nil
	}
	stays := map[string]bool{}
	for more := true; more; {
		more = false
		for _, key := range keys {
			if now := name(key); !stays[key] && (now == key || stays[now]) {
				stays[key], more = true, true
			}
		}
	}
	content := slices.Clone(t.match.Content(t.match.Node))
	for i, key := range keys {
		if stays[key] {
			stay = append(stay, key)
			continue
		}
		content[2*i] = t.match.Called(content[2*i], name(key))
	}
	if len(stay) < len(keys) {
		t.match.SetContent(t.match.Node, content)
	}
	return stay
}

package v202603

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// keptEvent is the key under which a phase keeps an event that 2026-03 cannot express. A trigger does not accept extra
// keys.
const keptEvent = "trigger.event"

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
	base, qualifier, qualified := strings.Cut(event, ":")
	name := laterEvent(base)
	path, resolves := t.path(base)
	if qualified && !resolves {
		t.o.Lost("event", "the qualifier of %s matches nothing in %s; it has no counterpart in %s", say.Quoted(event), earlier, later)
		name += ":" + qualifier
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
	if qualified && resolves {
		t.qualify(path, qualifier, event)
	}
}

func laterEvent(event string) string {
	if rest, ok := strings.CutPrefix(event, earlierPush); ok {
		return laterPush + rest
	}
	return event
}

// unwrap removes the envelope from the keys of the predicate, and notes keys that conflict.
func (t trigger) unwrap() {
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
	}
}

// qualify moves the qualifier of an event into the predicate.
func (t trigger) qualify(path, qualifier, event string) {
	switch {
	case t.match.Has(path):
		if same, _ := t.match.Text(path); same != qualifier {
			t.match.Lost(path, "a condition together with the qualifier of %s has no counterpart in %s; the event is kept as %s%s", say.Quoted(event), later, migration.Prefix, keptEvent)
			t.ph.KeepText(keptEvent, event, "trigger")
		}
	case t.match.Node != nil:
		t.match.PutFirst(path, patch.Text(qualifier), t.match.Keys()...)
	case t.o.Has("match"): // it is null
		t.o.Set("match", patch.Mapping(patch.Text(path), patch.Text(qualifier)))
	default:
		t.o.Put("match", patch.Mapping(patch.Text(path), patch.Text(qualifier)), "event")
	}
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

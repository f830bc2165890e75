package v202603

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

const (
	notifications = "notifications/"
	elicitation   = "elicitation/create"
	keptSend      = "send" // the name that the action has on the other side
)

// earlierSends are the actions that send in the earlier revision.
var earlierSends = []string{"send_notification", "send_elicitation"}

// upActions converts actions that send to the key send.
func upActions(ph migration.Phase) {
	kept := takeKept(ph.Object, onEnter)
	defer kept.putBack()
	if list := ph.Value(onEnter); list != nil && list.Kind == yaml.SequenceNode && len(ph.Content(list)) == 0 {
		ph.Lose(onEnter, "an empty list of actions has no counterpart in %s", later)
		return
	}
	takeOut(ph.Object, onEnter, func(_ int, item *yaml.Node) string {
		action := migration.Object{Document: ph.Document, Node: item}
		if action.Has("send") && !isSend(action.Child("send")) {
			return fmt.Sprintf("the action send of %s has no message, which %s requires", earlier, later)
		}
		return ""
	})
	ph.Each(onEnter, upAction)
}

const onEnter = "on_enter"

func upAction(action migration.Object) {
	name, kept := action.Text(migration.Prefix + keptSend)
	switch {
	case kept && slices.Contains(earlierSends, name) && action.Has(name):
		action.Drop(migration.Prefix + keptSend)
	case action.Has("send_notification") && !action.Has("send"):
		method, _ := action.Child("send_notification").Text("method")
		if !strings.HasPrefix(method, notifications) {
			action.Lost("send_notification", "%s as a notification has no counterpart in %s", say.Quoted(method), later)
			action.KeepText(keptSend, "send_notification")
		}
		action.Name("send_notification", "send")
	case action.Has("send_elicitation") && !action.Has("send"):
		action.Name("send_elicitation", "send")
		action.Set("send", patch.Mapping(patch.Text("method"), patch.Text(elicitation), patch.Text("params"), action.Value("send")))
	case earlierSend(action.Child("send")) != "":
		action.Lost("send", "the action send belongs to no protocol binding in %s, but sends in %s", earlier, later)
		action.KeepText(keptSend, "send")
	}
}

// elicited are the keys of the action send_elicitation (§2.7a).
var elicited = []string{"message", "mode", "requestedSchema", "elicitationId", "url"}

// downActions converts the key send to actions.
func downActions(ph migration.Phase) {
	kept := takeKept(ph.Object, onEnter)
	ph.Restore(onEnter)
	takeOut(ph.Object, onEnter, func(_ int, item *yaml.Node) string {
		action := migration.Object{Document: ph.Document, Node: item}
		for _, key := range earlierSends {
			if action.Has(key) && !isEarlierSend(key, action.Child(key)) {
				return fmt.Sprintf("the action %s belongs to no protocol binding in %s, and %s rejects it", key, later, earlier)
			}
		}
		return ""
	})
	ph.Each(onEnter, downAction)
	kept.putBack()
}

func downAction(action migration.Object) {
	for _, key := range earlierSends {
		if action.Has(key) {
			action.Lost(key, "the action %s belongs to no protocol binding in %s, but sends in %s", key, later, earlier)
			action.KeepText(keptSend, key)
			return
		}
	}
	if action.Has("send_push_notification") {
		action.Lost("send_push_notification", "the action send_push_notification has no counterpart in %s", earlier)
	}
	if !action.Has("send") {
		return
	}
	send := action.Child("send")
	name, kept := action.Text(migration.Prefix + keptSend)
	if !kept || name != "send" && (name != "send_notification" || !isNotification(send)) {
		name = earlierSend(send)
	} else {
		action.Drop(migration.Prefix + keptSend)
	}
	switch name {
	case "send":
	case "send_notification":
		action.Name("send", name)
	case "send_elicitation":
		params := send.Drop("params")
		action.Name("send", name)
		action.Set(name, params)
	default:
		method, _ := send.Text("method")
		action.Lost("send", "the action send of %s belongs to no protocol binding in %s", say.Quoted(method), earlier)
	}
}

func isSend(send migration.Object) bool {
	_, ok := send.Text("method")
	return ok && only(send, "method", "params")
}

// earlierSend returns the earlier revision's action equivalent to send, or "".
func earlierSend(send migration.Object) string {
	method, _ := send.Text("method")
	switch {
	case strings.HasPrefix(method, notifications) && isNotification(send):
		return "send_notification"
	case method == elicitation && only(send, "method", "params") && isElicitation(send.Child("params")):
		return "send_elicitation"
	}
	return ""
}

func isEarlierSend(key string, action migration.Object) bool {
	if key == "send_notification" {
		return isNotification(action)
	}
	return isElicitation(action)
}

// isNotification reports whether an action has the members that send_notification accepts.
func isNotification(send migration.Object) bool {
	return isSend(send) && (!send.Has("params") || send.Child("params").Node != nil)
}

// isElicitation reports whether params have the members that send_elicitation accepts.
func isElicitation(params migration.Object) bool {
	if _, said := params.Text("message"); !said || !only(params, elicited...) {
		return false
	}
	mode, _ := params.Text("mode")
	for _, key := range []string{"elicitationId", "url"} {
		if _, ok := params.Text(key); params.Has(key) && !ok {
			return false
		}
	}
	return (!params.Has("mode") || slices.Contains(vocabulary.ElicitationModes, model.ElicitationMode(mode))) &&
		(!params.Has("requestedSchema") || params.Child("requestedSchema").Node != nil)
}

func only(o migration.Object, keys ...string) bool {
	return !slices.ContainsFunc(o.Keys(), func(key string) bool { return !slices.Contains(keys, key) })
}

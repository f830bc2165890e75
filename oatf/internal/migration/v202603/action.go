package v202603

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
)

const (
	notifications = "notifications/"
	elicitation   = "elicitation/create"
	keptSend      = "send" // the name that the action had
)

// upActions makes send of the actions that send.
func upActions(ph migration.Phase) {
	ph.Each("on_enter", func(action migration.Object) {
		old, kept := action.Text(migration.Prefix + keptSend)
		switch {
		case action.Has("send_notification") && !action.Has("send"):
			method, _ := action.Child("send_notification").Text("method")
			if !strings.HasPrefix(method, notifications) {
				action.Lost("send_notification", "that %s is a notification has no counterpart in %s", say.Quoted(method), later)
				action.KeepText(keptSend, "send_notification")
			}
			action.Name("send_notification", "send")
		case action.Has("send_elicitation") && !action.Has("send"):
			action.Name("send_elicitation", "send")
			action.Set("send", patch.Mapping(patch.Text("method"), patch.Text(elicitation), patch.Text("params"), action.Value("send")))
		case action.Has("send") && kept && old == "send":
			action.Drop(migration.Prefix + keptSend)
		}
	})
}

// elicited are the keys of the action send_elicitation (§2.7a).
var elicited = []string{"message", "mode", "requestedSchema", "elicitationId", "url"}

// downActions makes the actions of the earlier revision of send.
func downActions(ph migration.Phase) {
	ph.Each("on_enter", func(action migration.Object) {
		if action.Has("send_push_notification") {
			action.Lost("send_push_notification", "the action send_push_notification has no counterpart in %s", earlier)
		}
		send := action.Child("send")
		method, _ := send.Text("method")
		old, kept := action.Text(migration.Prefix + keptSend)
		switch {
		case !action.Has("send"):
		case kept && old == "send_notification":
			action.Drop(migration.Prefix + keptSend)
			action.Name("send", "send_notification")
		case strings.HasPrefix(method, notifications) && isNotification(send):
			action.Name("send", "send_notification")
		case method == elicitation && isElicitation(send):
			params := send.Drop("params")
			action.Name("send", "send_elicitation")
			action.Set("send_elicitation", params)
		default:
			action.Lost("send", "the action send of %s is one of no protocol binding in %s", say.Quoted(method), earlier)
		}
	})
}

// isNotification says whether send has what send_notification takes.
func isNotification(send migration.Object) bool {
	return only(send, "method", "params") && (!send.Has("params") || send.Child("params").Node != nil)
}

// isElicitation says whether send has what send_elicitation takes.
func isElicitation(send migration.Object) bool {
	params := send.Child("params")
	_, said := params.Text("message")
	return only(send, "method", "params") && said && only(params, elicited...)
}

// only says whether an object has no other keys.
func only(o migration.Object, keys ...string) bool {
	return !slices.ContainsFunc(o.Keys(), func(key string) bool { return !slices.Contains(keys, key) })
}

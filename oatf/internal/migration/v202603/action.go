package v202603

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
)

const (
	notifications = "notifications/"
	elicitation   = "elicitation/create"
)

// upActions converts actions that send to the key send.
func upActions(ph migration.Phase) {
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
	switch {
	case action.Has("send_notification") && !action.Has("send"):
		method, _ := action.Child("send_notification").Text("method")
		if !strings.HasPrefix(method, notifications) {
			action.Lost("send_notification", "%s as a notification has no counterpart in %s", say.Quoted(method), later)
		}
		action.Name("send_notification", "send")
	case action.Has("send_elicitation") && !action.Has("send"):
		action.Name("send_elicitation", "send")
		action.Set("send", patch.Mapping(patch.Text("method"), patch.Text(elicitation), patch.Text("params"), action.Value("send")))
	case action.Has("send"):
		action.Lost("send", "the action send belongs to no protocol binding in %s, but sends in %s", earlier, later)
	}
}

func isSend(send migration.Object) bool {
	_, ok := send.Text("method")
	return ok && only(send, "method", "params")
}

func only(o migration.Object, keys ...string) bool {
	return !slices.ContainsFunc(o.Keys(), func(key string) bool { return !slices.Contains(keys, key) })
}

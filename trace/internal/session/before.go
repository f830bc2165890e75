package session

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// beforeOf returns the session that a SESSION_START continues, by its member "continues", or nil.
func beforeOf(first strictjson.Node) *stream.Before {
	n := first.Get("payload").Get("continues")
	if !first.Get("event_type").TextIs("SESSION_START") || !n.Is(strictjson.Object) {
		return nil
	}
	b := new(stream.Before)
	b.Log, _ = n.Get("log").Text()
	b.Session, _ = n.Get("session_id").Text()
	b.Head, _ = n.Get("head").Text()
	b.Events, _ = n.Get("events").Int()
	return b
}

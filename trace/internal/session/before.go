package session

import (
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// beforeOf returns the session that a SESSION_START continues, by its member "continues", or nil.
func beforeOf(first strictjson.Node) *segments.Before {
	if !Continues(first) {
		return nil
	}
	n := first.Get("payload").Get("continues")
	b := new(segments.Before)
	b.Log, _ = n.Get("log").Text()
	b.ID, _ = n.Get("session_id").Text()
	b.Head, _ = n.Get("head").Text()
	b.Events, _ = n.Get("events").Int()
	return b
}

// Continues reports whether a record is a SESSION_START that continues another session.
func Continues(first strictjson.Node) bool {
	return first.Get("event_type").TextIs("SESSION_START") && first.Get("payload").Get("continues").Is(strictjson.Object)
}

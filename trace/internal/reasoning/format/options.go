package format

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Shape is the layout of trace lines, detected from the first record.
type Shape struct {
	Wrapped bool `json:"wrapped"` // events are in "event", with the line's kind in "record"
	HasID   bool `json:"has_id"`  // the first record carries an id, the fingerprint of the trace
}

// ShapeOf returns a trace's shape from its first record.
func ShapeOf(first strictjson.Node) Shape {
	return Shape{
		Wrapped: first.Get("record").Exists(),
		HasID:   first.Get("id").Is(strictjson.String) && !first.Get("kind").Exists(),
	}
}

// Prefix is the prefix of the paths of an event's members.
func (s Shape) Prefix() string {
	if s.Wrapped {
		return "event."
	}
	return ""
}

// Options configures a Reader.
type Options struct {
	Shape    Shape
	Versions []int64     // the schema versions to accept
	Aliases  bool        // read the member names of old writers
	Additive int         // additive members that are remembered in a block, to be noted once; 0: none are noted
	Keys     siphash.Key // what ids are remembered under
	// Canonical is the events' canonicalization; nil if not needed.
	Canonical *jcs.Profile
}

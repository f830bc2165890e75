package format

import (
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Shape is how the lines of a trace look, which its first record tells.
type Shape struct {
	Wrapped bool `json:"wrapped"` // "record" says what a line is, an event stands under "event"
	HasID   bool `json:"has_id"`  // the first record carries an id, the fingerprint of the trace
}

// ShapeOf tells a trace's shape by its first record.
func ShapeOf(first strictjson.Node) Shape {
	return Shape{
		Wrapped: first.Get("record").Exists(),
		HasID:   first.Get("id").Is(strictjson.String) && !first.Get("kind").Exists(),
	}
}

// Prefix begins the paths of an event's members.
func (s Shape) Prefix() string {
	if s.Wrapped {
		return "event."
	}
	return ""
}

// Options say how lines are read.
type Options struct {
	Shape    Shape
	Versions []int64     // the schema versions to accept
	Aliases  bool        // read the member names of old writers
	Additive int         // additive members that are remembered in a block, to be noted once; 0: none are noted
	Keys     siphash.Key // what ids are remembered under
	// Canonical is the profile of the events' canonical form; nil when nobody needs it.
	Canonical *jcs.Profile
}

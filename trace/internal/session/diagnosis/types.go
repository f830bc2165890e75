package diagnosis

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Options say how to read the log.
type Options struct {
	Family  func(strictjson.Node) string // of a record; "" for one of no known family
	Limits  stream.Limits                // Limits.IDs bounds the events of the graph
	Session session.Options
	Trail   *session.Trail // of the text in lines; nil: every record is read. Most are then events of the family Chain
	Chain   string
	After   string // hash of the event that the first one follows, 64 digits; "": the log begins with its first
}

// Story is the diagnosis of a log.
type Story struct {
	Damage []stream.Damage
	Wrap   *Wrap // around all records; then nothing else is said
}

// Wrap is the text around each record.
type Wrap struct {
	Name string // "docker json-file"
	Help string // how to unwrap it
	Line int    // the first wrapped line
}

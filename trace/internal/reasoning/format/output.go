package format

import "github.com/cupel-dev/cupel/trace/internal/reasoning/fault"

// Listed is an id that a step's output names.
type Listed struct {
	ID
	Target Target // evidence or a claim
	member string // of the output
	index  int
}

// Path returns the path of the id in its event.
func (l *Listed) Path(sink *fault.Sink) string {
	return location{sink.Path("output." + l.member), l.index}.String()
}

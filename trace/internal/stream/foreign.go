package stream

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/source"
)

// An input without records that starts unlike a log is something else, such as YAML or an image. It gets one fault,
// for the first line. Faults of other lines are held back until a record shows that it is a damaged log.

// foreigner adds an explanation to the fault of such an input's first line.
func foreigner(f Finding, line []byte) Finding {
	switch likeness := source.Likeness(line); {
	case f.Help != "", f.Rule == rules[lineNotObject].ID: // it is JSON, or the help is better
	case source.IsEncoding(likeness):
		f.Help = source.EncodingHint(likeness)
	case likeness != "":
		f.Help = fmt.Sprintf("this looks like %s: a log has one JSON object on each line", likeness)
	default:
		f.Help = "a log has one JSON object on each line"
	}
	return f
}

package stream

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/source"
)

// An input that begins unlike a log, and of which no line is a record, is something else:
// YAML, another encoding, a picture. That is one fault, the first line's, and not one of
// each line. As long as no record was read, the faults of the other lines are held; the
// first record shows that the input is a log with a damaged beginning, and lets them go.

// foreigner explains the first line of such an input.
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

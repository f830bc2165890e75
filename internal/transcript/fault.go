package transcript

import (
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// fault adds a fault at a node of the record.
func (r *Record) fault(rule string, at strictjson.Node, format string, args ...any) *Fault {
	f := Fault{Rule: rule, Line: r.LineOf(at), Type: r.Type, Message: fmt.Sprintf(format, args...), Offset: r.Offset}
	if id := text(r.ID); id != "" {
		f.IDs = append(f.IDs, id)
	}
	r.Faults = append(r.Faults, f)
	return &r.Faults[len(r.Faults)-1]
}

func article(n strictjson.Node) string {
	if !n.Exists() {
		return "missing"
	}
	return say.Article(n.Kind().String())
}

func quotedEnd(b []byte) string {
	if len(b) > 20 {
		b = b[len(b)-20:]
	}
	return strconv.Quote(string(b))
}

package format

import "github.com/cupel-dev/cupel/internal/strictjson"

// Last returns the last record, and its event if it is one. Both are valid until the next line is read.
func (r *Reader) Last() (rec *Record, e *Event) {
	b := r.objects.block
	rec = &b.Records[len(b.Records)-1]
	if rec.Role == IsEvent {
		e = b.Event(rec)
	}
	return rec, e
}

// Object returns the object of an event's kind, such as "call" for tool_called, if any.
func (r *Reader) Object(k Kind, event strictjson.Node) strictjson.Node {
	if n := event.Get(details[k].name); n.Exists() || !r.objects.aliases {
		return n
	}
	return event.Get(details[k].alias)
}

// OutputKind returns the kind of a step's output, or "". Both spellings of the insufficient kind are equal.
func OutputKind(output strictjson.Node) string {
	if name := output.Get("type"); !name.Missing() {
		return outputName(name)
	}
	return outputName(output.Get("kind"))
}

func (k Kind) String() string { return kindNames[k] }

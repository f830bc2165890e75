package redact

import (
	"bytes"
	"encoding/json"
	"io"
)

// listWriter streams a JSON object with a list of events, one per line, each with a list of up to a hundred
// thousand changes. A [document] reads it. After an error, all methods return that error.
type listWriter struct {
	w      io.Writer
	schema string
	err    error
	begun  bool // there is an event
	inside bool // the current event's list has an element
	text   bytes.Buffer
}

// begin starts an event: a JSON object with the members of head and a list.
func (l *listWriter) begin(head any, list string) error {
	if l.begun {
		l.write(",\n")
	} else {
		l.write(l.start() + "\n")
	}
	l.begun, l.inside = true, false
	text := l.marshal(head)
	l.write(text[:len(text)-1])
	l.write(`,"` + list + `":[`)
	return l.err
}

func (l *listWriter) add(element any) error {
	if l.inside {
		l.write(",")
	}
	l.inside = true
	l.write(l.marshal(element))
	return l.err
}

func (l *listWriter) end() error {
	l.write("]}")
	return l.err
}

func (l *listWriter) start() string { return `{"schema":"` + l.schema + `","` + eventsName + `":[` }

// close writes the rest of the object, the members of rest.
func (l *listWriter) close(rest any) error {
	if l.begun {
		l.write("\n],")
	} else {
		l.write(l.start() + "],")
	}
	l.write(l.marshal(rest)[1:] + "\n")
	return l.err
}

func (l *listWriter) write(text string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, text)
	}
}

func (l *listWriter) marshal(v any) string {
	l.text.Reset()
	enc := json.NewEncoder(&l.text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		if l.err == nil {
			l.err = err
		}
		return "{}"
	}
	return string(bytes.TrimSuffix(l.text.Bytes(), []byte("\n")))
}

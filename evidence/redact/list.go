package redact

import (
	"bytes"
	"encoding/json"
	"io"
)

// listWriter writes a JSON object with a list of events, each on a line of its own, while they
// come: a [document] reads it.
type listWriter struct {
	w      io.Writer
	schema string
	events int // written
}

// add writes the next element of the list.
func (l *listWriter) add(element any) error {
	text, err := marshal(element)
	if err != nil {
		return err
	}
	before := ",\n"
	if l.events == 0 {
		before = l.start() + "\n"
	}
	l.events++
	_, err = l.w.Write(append([]byte(before), text...))
	return err
}

func (l *listWriter) start() string { return `{"schema":"` + l.schema + `","` + eventsName + `":[` }

// close writes the rest of the object: the members of another one, which has some.
func (l *listWriter) close(rest any) error {
	text, err := marshal(rest)
	if err != nil {
		return err
	}
	before := "\n],"
	if l.events == 0 {
		before = l.start() + "],"
	}
	_, err = l.w.Write(append([]byte(before), append(text[1:], '\n')...))
	return err
}

// marshal writes JSON in which values stand as they are, also those with < and &.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

package cite

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
)

// Event is a session event that is made of a source.
type Event struct {
	Type string
	At   time.Time // zero if unknown
	Citation
	payload []byte // members, each with a comma after it
}

// maxText limits the texts that are copied. Longer ones are replaced by their hash.
const maxText = 1000

// Put sets a member of the payload that is not a copy. value is JSON.
func (e *Event) Put(name, value string) {
	e.payload = append(append(append(jcs.AppendText(e.payload, name), ':'), value...), ',')
}

// PutText is Put for a text.
func (e *Event) PutText(name, value string) {
	e.Put(name, string(jcs.AppendText(nil, value)))
}

// Copy sets a member to a text of the source. raw is the JSON string at span. A long text, or one that is not valid
// Unicode, is replaced by the hash of raw, in NAME_hash.
func (e *Event) Copy(name, value string, raw []byte, span Span) {
	if len(value) > maxText || !utf8.ValidString(value) {
		e.PutSum(name+Hash, raw, span)
		return
	}
	e.PutText(name, value)
	e.Members = append(e.Members, Member{name, span})
}

// PutSum sets a member to the SHA-256 of bytes of the source.
func (e *Event) PutSum(name string, raw []byte, span Span) {
	e.PutText(name, digest.Of(raw).Hex())
	e.Members = append(e.Members, Member{name, span})
}

// Has reports whether the event cites the bytes of a member.
func (e *Event) Has(name string) bool {
	_, ok := e.Of(name)
	return ok
}

// Payload returns the payload. The citation is a member of it if the event has one.
func (e *Event) Payload() string {
	text := string(e.payload)
	if e.Path != "" {
		text += `"` + Name + `":` + string(e.Append(nil))
	}
	return "{" + strings.TrimSuffix(text, ",") + "}"
}

// JSON returns the event without the members that a log adds.
func (e *Event) JSON() []byte {
	dst := jcs.AppendText([]byte(`{"event_type":`), e.Type)
	if !e.At.IsZero() {
		dst = append(e.At.UTC().AppendFormat(append(dst, `,"timestamp":"`...), "2006-01-02T15:04:05.000000Z"), '"')
	}
	return append(append(append(dst, `,"payload":`...), e.Payload()...), '}')
}

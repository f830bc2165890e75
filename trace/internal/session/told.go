package session

import "github.com/cupel-dev/cupel/internal/strictjson"

// told is what a summary knows of an event beside its facts, as long as the event's line
// has not been read again.
type told struct {
	session   string // the session's id as JSON; "" for none
	authority string // likewise the chain authority
	hash      string // likewise event_hash, where it is no hash
	read      func(*event) error
}

// member returns the JSON of a member that a summary knows, "" for an absent one. The parts
// ask for no other before they report on the event.
func (t *told) member(m member) string {
	switch m {
	case sessionID:
		return t.session
	case chainAuthority:
		return t.authority
	case eventHash:
		return t.hash
	}
	return ""
}

// jsonOf is a member as told has it: its JSON in its canonical spelling, "" for an absent
// one.
func (e *event) jsonOf(m member) string {
	if !e.has(m) {
		return ""
	}
	return e.textOf(m)
}

// fetch reads the line of an event again, when it is a summary that tells of it. After an
// error nothing of the line is there.
func (e *event) fetch() error {
	if e.told == nil {
		return nil
	}
	return e.told.read(e)
}

// unquoted is the value of a JSON string, "" for another value.
func unquoted(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	return string(strictjson.AppendUnescaped(nil, raw[1:len(raw)-1]))
}

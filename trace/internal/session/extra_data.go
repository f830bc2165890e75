package session

import "github.com/cupel-dev/cupel/internal/strictjson"

// extraData holds the texts of a summarized event until its line is reread.
type extraData struct {
	session   string // the session's id as JSON; "" for none
	authority string // chain authority
	hash      string // event_hash, unless a hash
	read      func(*event) error
}

// member returns the JSON of a member in the summary, or "". Other members require fetch.
func (t *extraData) member(m member) string {
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

// jsonOf returns the canonical JSON of a member, "" if absent.
func (e *event) jsonOf(m member) string {
	if !e.has(m) {
		return ""
	}
	return e.textOf(m)
}

// fetch rereads the line of a summarized event.
func (e *event) fetch() error {
	if e.told == nil {
		return nil
	}
	return e.told.read(e)
}

// unquoted returns the value of a JSON string, "" for other values.
func unquoted(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	return string(strictjson.AppendUnescaped(nil, raw[1:len(raw)-1]))
}

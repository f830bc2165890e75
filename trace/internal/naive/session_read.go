package naive

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// publicKey returns the key announced by a SESSION_START, or nil.
func publicKey(members map[string]any) ed25519.PublicKey {
	if kind, _ := text(members, "event_type"); kind != "SESSION_START" {
		return nil
	}
	payload := object(members, "payload")
	if payload["sdk_public_key"] == nil {
		return nil
	}
	encoded, _ := text(payload, "sdk_public_key")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return ed25519.PublicKey{} // one that nothing is signed by
	}
	return key
}

type reader struct{ *session }

// read checks a record's members and keeps it if it is an event.
func (s reader) read(r record) {
	if r.members == nil {
		s.reject(Unreadable, r.line)
		return
	}
	good := true
	for name, want := range s.members {
		v, present := r.members[name]
		optional := strings.HasPrefix(want, "?") || want == "*"
		switch {
		case want == "string or null" && present && v == nil:
		case v == nil && !optional:
			s.reject("field.missing", r.line)
			good = false
		case v == nil || want == "*":
		case typeOf(v) != strings.TrimPrefix(strings.TrimSuffix(want, " or null"), "?"):
			s.reject("field.type", r.line)
			good = false
		}
	}
	if !s.chained() {
		for _, name := range []string{"payload_hash", "prev_event_hash", "event_hash", "prev_hash"} {
			if _, ok := r.members[name]; ok {
				s.reject("envelope.unknown", r.line)
			}
		}
	}
	if good {
		s.take(r)
	}
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case json.Number:
		return "number"
	case map[string]any:
		return "object"
	}
	return "other"
}

// take converts a record with correctly typed members to an event.
func (s reader) take(r record) {
	e := event{record: r, payload: object(r.members, "payload")}
	e.kind, _ = text(r.members, "event_type")
	e.hash, _ = text(r.members, "event_hash")
	e.session, e.hasID = text(r.members, "session_id")
	e.version, _ = text(r.members, "schema_ver")
	e.prev = r.members["prev_event_hash"]
	if s.is("session-v1", "session-v1b") {
		e.prev = r.members["prev_hash"]
	}
	if s.family == "session-v1b" && !e.hasID {
		e.session, e.hasID = text(e.payload, "session_id")
	}
	s.number(&e)
	if !strings.Contains(s.types, " "+e.kind+" ") || e.kind == "" {
		s.reject("event.type_unknown", r.line)
	}
	if _, stated := text(r.members, "schema_ver"); s.family == "session-v0" && stated && !slices.Contains([]string{"v0.2", "v0.4", "v0.5", "v0.6"}, e.version) {
		s.reject("version.unsupported", r.line)
	}
	s.events = append(s.events, e)
}

func (s reader) number(e *event) {
	name := map[string]string{"session-v0": "sequence_number", "session-v1": "seq", "session-bare": "sequence_number"}[s.family]
	if s.family == "session-v1" {
		e.first = 1
	}
	if s.family == "session-bare" && e.members[name] == nil {
		name, e.first = "seq", 1
	}
	n, ok := e.members[name].(json.Number)
	if !ok {
		return
	}
	var err error
	e.number, err = strconv.ParseUint(string(n), 10, 64)
	if e.numbered = err == nil; err != nil {
		s.reject("field.type", e.line)
	}
}

// unknown reports each member outside of the envelope once.
func (s reader) unknown(records []record) {
	said := map[string]bool{}
	for _, r := range records {
		for name := range r.members {
			if _, known := s.members[name]; !known && s.chained() && !said[name] {
				said[name] = true
				s.note("field.unknown", r.line)
			}
		}
	}
}

package naive

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// seals checks CHAIN_SEAL, and the first and last events of a log.
type seals struct{ *session }

// check applies the rules of CHAIN_SEAL and of a log's beginning and end.
func (s seals) check() {
	sealed, ended, starts := -1, false, 0
	for i, e := range s.events {
		if i > 0 && sealed == i-1 {
			s.wrong("seal.not_last", e.line)
		}
		switch e.kind {
		case "SESSION_START":
			starts++
		case "SESSION_END":
			ended = true
		case "CHAIN_SEAL":
			sealed = i
			s.seal(i, e)
		}
		if s.ordered() && (i == 0 && e.kind != "SESSION_START" || e.kind == "SESSION_START" && starts == 2) {
			s.wrong("session.start", e.line)
		}
	}
	signed := s.key != nil || len(s.opt.TrustedKeys) > 0
	if s.ordered() && !ended && (sealed < 0 || signed && !s.authenticated) {
		s.wrong("session.unfinished", 0)
	}
	if s.opt.HMACKey != nil && sealed < 0 {
		s.wrong("seal.hmac", 0)
	}
}

// ordered reports whether SESSION_START is first and SESSION_END or CHAIN_SEAL last.
func (s seals) ordered() bool { return s.is("session-v1", "session-v1b") }

// stated returns a seal's member as a string, or as invalid (another type, or null where required) or absent.
func stated(payload map[string]any, name string, demanded bool) (value string, is, wrong bool) {
	v, present := payload[name]
	value, is = v.(string)
	return value, is, present && !is && (v != nil || demanded)
}

func (s seals) seal(i int, e event) {
	v0, v1 := s.family == "session-v0", s.family == "session-v1" || s.family == "session-v1b"
	prev, _ := e.prev.(string)
	if !isHash(prev) {
		prev = "no hash" // which nothing in a seal can name
	}
	for _, name := range []string{"final_event_hash", "final_hash"} {
		value, is, wrong := stated(e.payload, name, v1 && name == "final_hash")
		if s.chained() && (wrong || is && value != prev) {
			s.wrong("seal.final_hash", e.line)
		}
	}
	if value, is, wrong := stated(e.payload, "authority", v1); v1 && (wrong || is && !server(value)) {
		s.wrong("seal.authority", e.line)
	}
	authority, _ := text(e.members, "chain_authority")
	for _, name := range []string{"ingestion_service_id", "seal_timestamp", "session_digest"} {
		demanded := v0 && e.version == "v0.6" && server(authority)
		value, _, wrong := stated(e.payload, name, false)
		switch {
		case wrong && name == "session_digest":
			s.wrong("seal.digest", e.line)
		case wrong, demanded && value == "":
			s.wrong("seal.metadata_missing", e.line)
		}
	}
	if value, is, _ := stated(e.payload, "session_digest", false); is && s.chained() {
		s.digest(i, e, value, prev)
	}
	s.mac(e, prev)
}

func server(authority string) bool {
	return authority == "server" || strings.HasPrefix(authority, "agentops-ingest-")
}

// digest compares a seal's session_digest with every known construction.
func (s seals) digest(i int, e event, value, prev string) {
	var before strings.Builder
	before.WriteString(s.events[0].session)
	for _, e := range s.events[:i] {
		before.WriteString(e.hash)
	}
	bare := strings.TrimPrefix(value, "sha256:")
	switch {
	case bare == prev, len(value) == 16 && strings.HasPrefix(prev, value), bare == sum(before.String()+prev):
	case isHash(bare):
		s.wrong("seal.digest", e.line)
	default:
		s.note("seal.digest_unrecognised", e.line)
	}
}

func (s seals) mac(e event, prev string) {
	if _, _, wrong := stated(e.payload, "server_hmac", false); wrong {
		s.wrong("seal.hmac", e.line)
		return
	}
	if s.opt.HMACKey == nil {
		return
	}
	value, _ := text(e.payload, "server_hmac")
	for _, name := range []string{"hmac", "seal_hmac"} {
		if v, ok := text(e.members, name); ok {
			value = v
		}
	}
	for _, key := range []string{string(s.opt.HMACKey), strings.TrimSuffix(strings.TrimSuffix(string(s.opt.HMACKey), "\n"), "\r")} {
		h := hmac.New(sha256.New, []byte(key))
		h.Write([]byte(prev))
		if hex.EncodeToString(h.Sum(nil)) == value {
			s.authenticated = true
			return
		}
	}
	s.wrong("seal.hmac", e.line)
}

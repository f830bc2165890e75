package naive

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// payloads checks payloads individually and against each other.
type payloads struct{ *session }

func (s payloads) check() {
	s.drops()
	if !s.opt.IntegrityOnly && s.is("session-v0", "session-bare") {
		s.tools()
		s.redactions()
		s.members()
	}
}

func (s payloads) drops() {
	for _, e := range s.events {
		if e.kind != "LOG_DROP" {
			continue
		}
		s.note("log_drop", e.line)
		counted := slices.ContainsFunc([]string{"dropped_events", "dropped_count", "count", "lost_count"}, func(name string) bool {
			n, ok := e.payload[name].(json.Number)
			return ok && isCount(n)
		})
		if !counted {
			s.note("log_drop.count_invalid", e.line)
		}
	}
}

// isCount reports whether a number is a non-negative integer. It does not expand non-zero numbers beyond the double
// range, whose exponent can be huge.
func isCount(n json.Number) bool {
	if f, _ := n.Float64(); f == 0 {
		mantissa, _, _ := strings.Cut(strings.ToLower(string(n)), "e")
		return strings.Trim(mantissa, "-0.") == ""
	}
	r, ok := new(big.Rat).SetString(string(n))
	return ok && r.IsInt() && r.Sign() >= 0
}

// tools matches results with the calls before them.
func (s payloads) tools() {
	type call struct{ id, name string }
	answered := map[call]bool{}
	ids := map[string]bool{}
	for _, e := range s.events {
		id, ok := text(e.payload, "tool_id")
		name, named := text(e.payload, "tool_name")
		c := call{id, name}
		_, known := answered[c]
		switch {
		case !ok || !named:
		case e.kind == "TOOL_CALL":
			ids[id] = true
			if !known {
				answered[c] = false
			}
		case e.kind != "TOOL_RESULT":
		case known:
			answered[c] = true
		case ids[id]:
			s.fault("tool.name_mismatch", e.line)
		default:
			s.fault("tool.id_unmatched", e.line)
		}
	}
	for _, done := range answered {
		if !done {
			s.note("tool.unanswered", 0)
			return
		}
	}
}

// redactions requires hashes for redacted values and checks the hashes of other texts.
func (s payloads) redactions() {
	for _, e := range s.events {
		switch e.kind {
		case "TOOL_CALL":
			s.redaction(e, e.payload, "args")
		case "TOOL_RESULT":
			s.redaction(e, e.payload, "result")
		case "MODEL_RESPONSE":
			s.redaction(e, e.payload, "content")
		case "MODEL_REQUEST":
			s.redaction(e, e.payload, "messages")
			list, _ := e.payload["messages"].([]any)
			for _, m := range list {
				if m, ok := m.(map[string]any); ok {
					s.redaction(e, m, "content")
				}
			}
		}
	}
}

func (s payloads) redaction(e event, at map[string]any, name string) {
	value, is := text(at, name)
	recorded, hashed := at[name+"_hash"].(string)
	recorded = strings.TrimPrefix(recorded, "sha256:")
	inside := (name == "args" || name == "result") && bare(at[name])
	if at[name+"_hash"] == nil && (is && marker(value) || inside) {
		s.fault("redaction.hash_missing", e.line)
	}
	if !is || marker(value) || !hashed || !isHash(recorded) {
		return
	}
	ascii := strings.Builder{}
	for _, r := range (dialect{}).quoted(value) {
		if r < 0x7f {
			ascii.WriteRune(r)
		} else {
			ascii.WriteString(escaped(r))
		}
	}
	if recorded != sum(value) && recorded != sum(dialect{}.quoted(value)) && recorded != sum(ascii.String()) {
		s.note("redaction.hash_differs", e.line)
	}
}

// bare reports whether a container has a redacted value without a hash.
func bare(v any) bool {
	redacted := func(v any) bool {
		s, is := v.(string)
		return is && marker(s)
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return redacted(e) || bare(e) })
	case map[string]any:
		for name, e := range v {
			hash, _ := v[name+"_hash"].(string)
			if redacted(e) && !isHash(strings.TrimPrefix(hash, "sha256:")) || bare(e) {
				return true
			}
		}
	}
	return false
}

// escaped returns a non-ASCII character as one or two \u escapes.
func escaped(r rune) string {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// marker reports whether a text is "[REDACTED]" or "[REDACTED:label]".
func marker(s string) bool {
	label, ok := strings.CutPrefix(s, "[REDACTED")
	label, closed := strings.CutSuffix(label, "]")
	return ok && closed && (label == "" || len(label) > 1 && label[0] == ':' && !strings.Contains(label, "]"))
}

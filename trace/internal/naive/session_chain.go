package naive

import (
	"strings"
)

// links checks event numbers, hashes and links between events.
type links struct{ *session }

func (s links) check() {
	s.order()
	s.chain()
}

// order checks that event numbers increase by one.
func (s links) order() {
	counting, last := false, uint64(0)
	for _, e := range s.events {
		if !e.numbered {
			continue
		}
		expected := e.first
		if counting {
			expected = last + 1
		}
		if e.number > expected {
			s.wrong("sequence.gap", e.line)
		} else if e.number < expected {
			s.wrong("sequence.repeat", e.line)
		}
		counting, last = true, e.number
	}
}

// chain recomputes every hash and follows every link.
func (s links) chain() {
	if !s.chained() {
		s.warn("chain.absent", 0)
		return
	}
	genesis := any(strings.Repeat("0", 64))
	if s.family == "session-v0" {
		genesis = nil
	}
	for i, e := range s.events {
		switch {
		case i == 0 && e.prev != genesis:
			s.wrong("chain.genesis", e.line)
		case i > 0 && e.prev != any(s.events[i-1].hash):
			s.wrong("chain.broken", e.line)
		}
		covered := map[string]any{}
		for name, v := range e.members {
			if name != "event_hash" && name != "signature" {
				covered[name] = v
			}
		}
		if s.family == "session-v0" {
			if recorded, _ := text(e.members, "payload_hash"); !hashes(e.payload, recorded, s.opt.Canonicalization) {
				s.wrong("hash.payload", e.line)
			}
			covered = map[string]any{}
			for _, name := range []string{"event_id", "event_type", "payload_hash", "prev_event_hash", "sequence_number", "session_id", "timestamp_wall"} {
				covered[name] = e.members[name]
			}
		}
		if !hashes(covered, e.hash, s.opt.Canonicalization) {
			s.wrong("hash.event", e.line)
		}
	}
}

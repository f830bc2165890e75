package naive

import (
	"encoding/json"
	"math/big"
	"regexp"
	"time"
)

var (
	uuids  = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	stamps = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	ticks  = regexp.MustCompile(`^\d+$`)
)

// clocks checks event ids and times.
type clocks struct{ *session }

func (s clocks) check() {
	s.ids()
	s.times()
}

// ids finds event ids with an invalid form and duplicates.
func (s clocks) ids() {
	if !s.is("session-v0", "session-v1b") {
		return
	}
	seen, noted := map[string]bool{}, false
	for _, e := range s.events {
		id, _ := text(e.members, "event_id")
		if s.family == "session-v0" && !uuids.MatchString(id) && !noted {
			noted = true
			s.note("event.id_format", e.line)
		}
		if seen[id] {
			s.warn("event.id_duplicate", e.line)
		}
		seen[id] = true
	}
}

// times follows each clock of the log.
func (s clocks) times() {
	switch s.family {
	case "session-v0":
		s.clock("timestamp_wall", wallTime)
		s.clock("timestamp_monotonic", tickCount)
	case "session-v1", "session-v1b":
		s.clock("timestamp", wallTime)
	}
}

// clock reports the first invalid time of a member and each that decreases.
func (s clocks) clock(member string, read func(any) *big.Int) {
	var last *big.Int
	noted := false
	for _, e := range s.events {
		v, now := e.members[member], (*big.Int)(nil)
		if v != nil {
			now = read(v)
		}
		if v != nil && now == nil && !noted {
			noted = true
			s.warn("timestamp.format", e.line)
		}
		if last != nil && now != nil && now.Cmp(last) < 0 {
			s.warn("timestamp.backwards", e.line)
		}
		if now != nil {
			last = now
		}
	}
}

// wallTime returns a time in Unix nanoseconds, or nil.
func wallTime(v any) *big.Int {
	s, _ := v.(string)
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !stamps.MatchString(s) {
		return nil
	}
	n := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
	return n.Add(n, big.NewInt(int64(t.Nanosecond())))
}

// tickCount returns a uint64 of milliseconds, or nil.
func tickCount(v any) *big.Int {
	n, ok := new(big.Int).SetString(string(v.(json.Number)), 10)
	if !ok || !ticks.MatchString(string(v.(json.Number))) || n.BitLen() > 64 {
		return nil
	}
	return n
}

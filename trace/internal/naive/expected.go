package naive

// Expected is external knowledge about a log. Zero fields are unknown.
type Expected struct {
	SHA256 string // of the whole log
	Prefix *Prefix
	Count  *int64 // of a session log's events
	Head   string // hash of a session log's last event
}

// Prefix is the state of a log at another time.
type Prefix struct {
	Bytes  int64
	SHA256 string // of these bytes
	Events int64  // of a session log
	Head   string // the hash of a session log's last event then
}

func (s *statements) bytesOf(log []byte, want Expected) {
	if want.SHA256 != "" && sum(string(log)) != want.SHA256 {
		s.fault("anchor.sha256", 0)
	}
	if p := want.Prefix; p != nil && (p.Bytes < 0 || p.Bytes > int64(len(log)) || sum(string(log[:p.Bytes])) != p.SHA256) {
		s.fault("anchor.prefix", 0)
	}
}

// ends checks a session log against external knowledge.
type ends struct{ *session }

// check compares the events with the expected ones.
func (s ends) check() {
	want, count := s.opt.Expected, int64(len(s.events))
	if p := want.Prefix; p != nil && count < p.Events {
		s.wrong("anchor.count", 0)
	} else if p != nil && p.Events > 0 && p.Head != "" && s.headAt(p.Events) != p.Head {
		s.wrong("anchor.head", s.events[p.Events-1].line)
	}
	if want.Count != nil && *want.Count != count {
		s.wrong("anchor.count", 0)
	}
	if want.Head != "" && s.headAt(count) != want.Head {
		s.wrong("anchor.head", 0)
	}
}

// headAt returns the hash of the last of the first n events, or "".
func (s ends) headAt(n int64) string {
	if n == 0 || !isHash(s.events[n-1].hash) {
		return ""
	}
	return s.events[n-1].hash
}

package session

import "github.com/cupel-dev/cupel/trace/internal/stream"

// A finished session is evicted: its state is serialized into few bytes, and a later event restores it. Most of the
// state is memory of single events: keys of ids, tool calls, recent hashes and notes. It counts towards the id
// limit of all sessions. Beyond that limit, the session idle for longest drops this memory. This matters only if
// another event follows, and the report then says so.

// mostResting limits the finished sessions that are not evicted yet, because a seal soon follows an end.
const mostResting = 256

// row is a list of sessions, the one idle for longest first.
type row struct {
	first, last *One
	n           int
}

func (r *row) push(one *One) {
	one.row, one.before, one.after = r, r.last, nil
	if r.last == nil {
		r.first = one
	} else {
		r.last.after = one
	}
	r.last = one
	r.n++
}

func (r *row) remove(one *One) {
	if one.before == nil {
		r.first = one.after
	} else {
		one.before.after = one.after
	}
	if one.after == nil {
		r.last = one.before
	} else {
		one.after.before = one.before
	}
	one.row, one.before, one.after = nil, nil, nil
	r.n--
}

// ended reports whether the log has an end or a seal. More events can follow.
func (c *Checker) ended() bool { return c.course.saw(sessionEnd) || c.course.saw(chainSeal) }

// hold restores an evicted session for an event.
func (s *Sessions) hold(one *One) error {
	if one.row != nil {
		one.row.remove(one)
	}
	if one.taker != nil {
		return nil
	}
	if s.held >= s.limits.Sessions {
		if s.resting.first == nil {
			return &stream.LimitError{What: s.what, Limit: s.limits.Sessions, Flag: "--max-sessions"}
		}
		if err := s.putAway(s.resting.first); err != nil {
			return err
		}
	}
	s.held++
	if err := s.begin(one); err != nil || one.away.text == nil {
		return err
	}
	err := one.bringBack()
	if one.away.forgot() {
		one.checker.lapse.events = one.checker.events
	}
	s.ended -= one.away.weight()
	one.away = evicted{}
	return err
}

// settle updates the session's memory count after an event, and evicts the session if it has ended.
func (s *Sessions) settle(one *One) error {
	if made, ok := one.taker.(*Summarizer); ok {
		return s.measure(one, made)
	}
	if one.checker == nil {
		return nil
	}
	s.count(one, one.checker.memories())
	for max(s.memories[0], s.memories[1], s.memories[2]) > s.limits.IDs {
		if err := s.forget(); err != nil {
			return err
		}
	}
	if one.checker.ended() {
		s.resting.push(one)
	}
	if s.resting.n > mostResting {
		return s.putAway(s.resting.first)
	}
	return nil
}

// measure limits the total size of all session summaries to that of one log.
func (s *Sessions) measure(one *One, made *Summarizer) error {
	s.remembered += made.size() - one.remembered
	if one.remembered = made.size(); s.remembered > maxSummary {
		return errLarge
	}
	return nil
}

// memories are the numbers of remembered event ids, tool calls and notes.
type memories [3]int

func (c *Checker) memories() memories {
	return memories{c.eventIDs.seen.size, c.tools.ids.size, len(c.out.said)}
}

// count records how much a session remembers.
func (s *Sessions) count(one *One, now memories) {
	for i := range now {
		s.memories[i] += now[i] - one.memories[i]
	}
	one.memories = now
}

// forget drops the memory of the finished session idle for longest.
func (s *Sessions) forget() error {
	one := s.idle.first
	switch {
	case one != nil:
		s.idle.remove(one)
		one.away.forget()
		s.count(one, memories{})
		return nil
	case s.resting.first != nil:
		return s.putAway(s.resting.first)
	}
	return &stream.LimitError{What: "ids in all sessions together", Limit: s.limits.IDs, Flag: "--max-ids"}
}

func (s *Sessions) putAway(one *One) error {
	s.resting.remove(one)
	s.held--
	if err := one.putAway(); err != nil {
		return err
	}
	s.idle.push(one)
	return s.keep(one)
}

// keep queues an evicted session and drops memory if there is too much.
func (s *Sessions) keep(one *One) error {
	if s.ended += one.away.weight(); s.ended > s.limits.Ended {
		return &stream.LimitError{What: "sessions that have ended", Limit: s.limits.Ended, Flag: "--max-ended"}
	}
	return nil
}

// Visit restores a session for the duration of do.
func (s *Sessions) Visit(one *One, do func()) error {
	if one.away.text == nil {
		do()
		return nil
	}
	if err := s.begin(one); err != nil {
		return err
	}
	if err := one.bringBack(); err != nil {
		return err
	}
	do()
	return one.putAway()
}

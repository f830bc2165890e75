package session

// follower detects regular events, which only continue the previous one. No part reports anything about them,
// except a repeated id or an unmatched tool call.
type follower struct {
	env      *envelope
	adjacent bool // the next line must be adjacent
	before   previousEvent
	showed   [2]shown // last readings of the clocks
	odd      marks    // that an event had
}

// previousEvent is the data that the next event is compared with.
type previousEvent struct {
	line               int // 0: no previous event
	kind               eventType
	numbered           bool
	number             uint64
	hash               link
	session, authority string
	version            uint8
}

func (f *follower) straight(e *event) bool {
	b := &f.before
	switch {
	case b.line == 0 || f.adjacent && e.line.Number != b.line+1 || b.kind == chainSeal:
	case e.kind == sessionStart || e.kind == sessionEnd || e.kind == chainSeal:
	case e.broken != hashesHold || e.signed > sigValid || e.version != b.version:
	case f.env.chained && !(e.hash.proper && e.prev.proper && e.prev == b.hash):
	case e.numbered != b.numbered || e.numbered && (e.number != b.number+1 || e.number == 0):
	case !e.same(sessionID, b.session) || !e.same(chainAuthority, b.authority):
	case e.marks&(oddID|oddWall|oddTicks)&^f.odd != 0:
	default:
		return f.forwards(e)
	}
	return false
}

// forwards reports whether the event's timestamps do not go back.
func (f *follower) forwards(e *event) bool {
	for clock, now := range e.readings() {
		if last := f.showed[clock]; now.is && (!last.is || now.before(last.clockTime)) {
			return false
		}
	}
	return true
}

// pass makes an event the previous one. straight says whether it was regular.
func (f *follower) pass(e *event, straight bool) {
	b := &f.before
	b.line, b.kind, b.numbered, b.number, b.hash, b.version = e.line.Number, e.kind, e.numbered, e.number, e.hash, e.version
	if !straight {
		b.session, b.authority = e.textOf(sessionID), e.textOf(chainAuthority)
	}
	f.odd |= e.marks & (oddID | oddWall | oddTicks)
	for clock, now := range e.readings() {
		if now.is {
			f.showed[clock] = now
		}
	}
}

// lose records a line without an event before the next event.
func (f *follower) lose() { f.before.line = 0 }

// forget resets the follower to the start of a log.
func (f *follower) forget() {
	f.lose()
	f.showed, f.odd = [2]shown{}, 0
}

// readings returns the wall and monotonic timestamps of the event.
func (e *event) readings() [2]shown {
	return [2]shown{
		{clockTime{e.wall, uint64(e.nanos)}, e.marks.has(hasWall)},
		{clockTime{0, e.ticks}, e.marks.has(hasTicks)},
	}
}

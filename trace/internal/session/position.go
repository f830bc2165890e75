package session

// position is an event's place in the chain.
type position struct {
	Number   uint64
	Numbered bool
	Hash     link
	Prev     link
	Line     int // 0: none yet
	Rank     int64
}

func positionOf(e *event) position {
	return position{Number: e.number, Numbered: e.numbered, Hash: e.hash, Prev: e.prev, Line: e.line.Number, Rank: e.rank}
}

// order compares an event with the previous one.
type order struct {
	number   numberOrder
	expected uint64 // the number that the event had to have, when it has one
	linked   bool   // it names the hash of the event before
	first    bool   // no previous event
}

// whole reports whether the event continues the log.
func (o order) whole() bool { return o.number == inSequence && o.linked }

// numberOrder compares a sequence number with the expected one.
type numberOrder uint8

const (
	inSequence numberOrder = iota // or without a number
	aboveSequence
	belowSequence
)

// numberAfter returns how an event's number compares with the number expected after last.
func (last position) numberAfter(e *event) (n numberOrder, expected uint64) {
	if !e.numbered {
		return inSequence, 0
	}
	expected = e.first
	if last.Numbered {
		expected = last.Number + 1
	}
	switch {
	case e.number > expected:
		return aboveSequence, expected
	case e.number < expected:
		return belowSequence, expected
	}
	return inSequence, expected
}

// links reports whether an event links to last. The first event links to genesis ("" means null).
func (last position) links(e *event, genesis string) bool {
	switch {
	case last.Line != 0:
		return !e.prev.null && e.prev == last.Hash
	case genesis == "":
		return e.prev.null
	}
	return e.prev.proper && e.prev.Hex() == genesis
}

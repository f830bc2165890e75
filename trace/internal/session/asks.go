package session

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Few events ask for the hashes of all events before them: a CHAIN_SEAL whose session_digest
// is none of the short forms, and a SESSION_END of an envelope 1.0 with a Merkle root. In a
// log without them no hash matters but those of neighbours, and the last maxRecent.

// asks says whether an event asks for the hashes of all events before it.
func (env *envelope) asks(e *event) bool {
	switch {
	case e.detail == nil:
	case e.kind == chainSeal && env.chained:
		s := e.detail.said["session_digest"]
		return s.is() && isOfAll(s.text, e.prev)
	case e.kind == sessionEnd && env.whole:
		return carriesRoot(e.detail.said["merkle_root"])
	}
	return false
}

// Ask says whether an event of the last lines of a log of the given family asks for the hashes
// of all events before it, or whether that is not known, because no event is among them.
func Ask(family string, limits stream.Limits, lines []byte) bool {
	env, read := envelopeOf(family), false
	r := newRereader(env, limits)
	for len(lines) > 0 {
		var line []byte
		line, lines, _ = bytes.Cut(lines, []byte{'\n'})
		e, ok := r.event(source.Line{Bytes: bytes.TrimSuffix(line, []byte{'\r'})}.Indexed())
		if ok && e.lost == (loss{}) {
			if read = true; env.asks(&e) {
				return true
			}
		}
	}
	return !read
}

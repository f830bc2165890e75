package session

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Only two events need the hashes of all previous events: a CHAIN_SEAL with an unknown form of session_digest, and
// an envelope 1.0 SESSION_END with a Merkle root. Other checks need only the last maxRecent hashes.

// asks reports whether an event asks for the hashes of all events before it.
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

// Ask reports whether an event in the last lines of a log needs all previous hashes. It returns true if the lines
// contain no event.
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

package session

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding"
	"errors"
	"fmt"
	"hash"

	"github.com/cupel-dev/cupel/internal/digest"
)

// memory is everything that the next event needs to know about the events before it.
// Its size is fixed but for the damages, at most 1,000, and 16 to 28 bytes for each
// tool call's id.
type memory struct {
	Events  int64
	Misfits int64
	Broken  int64 // errors that touch integrity
	Last    position
	Chain   tracker
	Leaves  merkle
	Key     ed25519.PublicKey // nil when the log brings none

	Session   string // the log's session id as JSON; "" until an event has one
	Foreign   bool   // the last event belongs to another session
	Authority string // the log's chain authority as JSON; "null" for none
	Mixed     bool   // the last event has another authority

	Seen     uint32 // event types that occurred, as bits
	Starts   int
	Versions uint8
	Profile  uint8 // canonicalizations that explained a hash
	Seal     sealState
	Signed   [3]int64 // signed events by sigState
	Merkle   sigState
	MAC      sigState

	all   hash.Hash // session id and event hashes, for seal digests
	tools toolIDs
}

// sealState is the last CHAIN_SEAL.
type sealState struct {
	Line     int  // 0: there is none
	Complete bool // the metadata of a server's seal is there
	Last     bool // no event came after it
}

// State is a checker's memory between two runs over a growing log. Its JSON form is
// private to this version of the package.
type State struct {
	Memory   memory
	Sums     []byte // the running digest
	ToolIDs  []byte // 16 bytes for each call
	Rejected bool
}

// State returns what a later run needs to go on where this one ended. It is asked for
// after Finish.
func (c *Checker) State() (*State, error) {
	sums, err := c.all.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, err
	}
	return &State{Memory: c.kept, Sums: sums, ToolIDs: c.tools.bytes(), Rejected: c.rejected()}, nil
}

// resume takes over the memory of an earlier run.
func (c *Checker) resume(s *State) error {
	c.memory = s.Memory
	c.all = sha256.New()
	if err := c.all.(encoding.BinaryUnmarshaler).UnmarshalBinary(s.Sums); err != nil {
		return fmt.Errorf("the state cannot be used: %w", err)
	}
	return c.tools.load(s.ToolIDs)
}

// MarshalText writes a link for the state.
func (l link) MarshalText() ([]byte, error) {
	switch {
	case l.null:
		return []byte("null"), nil
	case !l.proper:
		return []byte("?" + l.Hex()), nil
	}
	return []byte(l.Hex()), nil
}

// UnmarshalText reads what MarshalText writes.
func (l *link) UnmarshalText(text []byte) error {
	*l = link{}
	if string(text) == "null" {
		l.null = true
		return nil
	}
	l.proper = len(text) > 0 && text[0] != '?'
	if !l.proper {
		text = text[min(1, len(text)):]
	}
	sum, ok := digest.ParseHex(text)
	if !ok {
		return errors.New("a link that is no hash")
	}
	l.Sum = sum
	return nil
}

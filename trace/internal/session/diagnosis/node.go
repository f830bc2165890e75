package diagnosis

import (
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// node is an event in the graph: 40 bytes of positions, numbers and hash keys.
type node struct {
	hash, prev        session.Key
	number            uint64
	session           uint32
	line              int32
	rank              int32 // position in all nodes and gaps, in text order
	numbered, genesis bool
	end               bool
	broken            bool // its hashes do not hold
}

// gap is a place of the text without an event, or with lost bytes: at most 48 bytes.
type gap struct {
	*remark
	from, to int32
	rank     int32
	lost     int32 // known lost events
	count    int32
	size     int32 // characters of a torn line
	more     bool  // more can be lost
}

// remark is the remarks on a gap, shared by gaps.
type remark struct {
	kind             stream.DamageKind
	note, help, name string
}

// gapAt returns the gap of a line, without a remark.
func gapAt(line int, rank int32) gap {
	return gap{remark: &remark{}, from: int32(line), to: int32(line), rank: rank, count: 1}
}

package trace

import (
	"errors"
	"fmt"
)

// EndReason is the reason why a followed log ended.
type EndReason string

// The reasons; "" means that the log can continue.
const (
	Rotated   EndReason = "rotated"   // another file took its name: nothing more belongs to it
	Removed   EndReason = "removed"   // its name is gone; more may still be written to the file
	Rewritten EndReason = "rewritten" // bytes that were read have changed or are gone
	Finished  EndReason = "finished"  // it has the end that FollowedFile.OnEnd waited for
)

// errEndless is returned if the caller waits for the end of a log that is not a session log.
var errEndless = errors.New("only a session log has an end that can be waited for")

// FollowedFile describes the file of a growing log.
type FollowedFile struct {
	// Earlier is the log that this file replaced, or nil for the first.
	Earlier *Earlier
	// Ended returns why the log ended, or "" if it can continue. It is called at the end of the input. A rotated or
	// finished log is complete, even if its last line is unterminated.
	Ended func() EndReason
	// OnEnd, if set, is called after an event that ends a session log, and after each later block. sealed
	// distinguishes CHAIN_SEAL from SESSION_END. Inputs of other families cause an error.
	OnEnd func(sealed bool)
	// Stream is set for a log from a pipe, whose bytes cannot change after they were read.
	Stream bool
}

// Earlier is a followed log that has ended.
type Earlier struct {
	Ending EndReason // Rotated or Rewritten
	Bytes  int64     // that were read of it
	Size   int64     // of a rewritten one: that of the file when this was seen
}

// finding reports what happened to the earlier log.
func (e *Earlier) finding() Finding {
	if e.Ending == Rotated {
		return rules[logRotated].New(fmt.Sprintf("the log's name now belongs to a different file: the %d bytes that were read before belong to an earlier log", e.Bytes))
	}
	what := "some of them were changed"
	if e.Size < e.Bytes {
		what = fmt.Sprintf("the file was cut to %d bytes", e.Size)
	}
	return rules[logRewritten].New(fmt.Sprintf("the log no longer has the %d bytes that were verified: %s", e.Bytes, what))
}

func (f *FollowedFile) notCovered(ended EndReason) (list []string) {
	if ended == Removed {
		list = append(list, "later events of the log: no file has its name any more")
	}
	if f.Stream {
		return list
	}
	return append(list, "bytes changed before the reader's position while the log grew, or with the same modification time: only a new verification reads them")
}

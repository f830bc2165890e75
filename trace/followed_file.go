package trace

import (
	"errors"
	"fmt"
)

// EndReason says how a followed log ended.
type EndReason string

// The reasons; "" is that of a log that may go on.
const (
	Rotated   EndReason = "rotated"   // another file took its name: nothing more belongs to it
	Removed   EndReason = "removed"   // its name is gone; more may still be written to the file
	Rewritten EndReason = "rewritten" // bytes that were read have changed or are gone
	Finished  EndReason = "finished"  // it has the end that FollowedFile.OnEnd waited for
)

// errEndless is about an input whose end is waited for.
var errEndless = errors.New("only a session log has an end that can be waited for")

// FollowedFile describes the file of a log that is being written.
type FollowedFile struct {
	// Earlier is the log that was followed in this one's place before; nil for the first.
	Earlier *Earlier
	// Ended returns how the log ended, or nil if it can continue. It is called at the end of the
	// input. A rotated or finished log is complete, even with an unterminated last line.
	Ended func() EndReason
	// OnEnd, if set, is called when an event that ends a session log has been judged, and after each
	// later block: SESSION_END, or CHAIN_SEAL (sealed). An input of another family is an error then.
	OnEnd func(sealed bool)
	// Stream says that the log comes through a pipe, so read bytes cannot change.
	Stream bool
}

// Earlier is a followed log after its end.
type Earlier struct {
	Ending EndReason // Rotated or Rewritten
	Bytes  int64     // that were read of it
	Size   int64     // of a rewritten one: that of the file when this was seen
}

// finding reports what happened to the earlier log that this file replaced.
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

// notCovered says what following a log leaves open.
func (f *FollowedFile) notCovered(ended EndReason) (list []string) {
	if ended == Removed {
		list = append(list, "later events of the log: no file has its name any more")
	}
	if f.Stream {
		return list
	}
	return append(list, "bytes changed before the reader's position while the log grew, or with the same modification time: only a new verification reads them")
}

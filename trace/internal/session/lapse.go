package session

import "fmt"

// lapse is the per-event memory that an evicted session had dropped before another event came.
type lapse struct {
	events int64 // those before that event; 0: nothing that matters
	calls  int   // of tools, without a result, that are forgotten
}

func (l *lapse) notCovered() []string {
	if l.events == 0 {
		return nil
	}
	first := "event"
	if l.events > 1 {
		first = fmt.Sprintf("%d events", l.events)
	}
	return []string{fmt.Sprintf("ids, tool calls and repetitions of the first %s: the session had ended, and its ids were forgotten to remember those of others, before more of it came; --max-ids remembers more", first)}
}

package outline

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
)

// Trigger is the end of a phase (§2.8): a number of events, or a time.
type Trigger struct {
	Event string   `json:"event,omitempty"` // with its qualifier, where the revision has one; "" when time alone ends the phase
	Count int64    `json:"count,omitempty"`
	Match []string `json:"match,omitempty"` // the conditions on the event, in words
	After string   `json:"after,omitempty"` // a time span, as its author wrote it
}

// String describes the trigger: "3 × tools/call:calculator, or 10m"; "" for nil (terminal phase).
func (t *Trigger) String() string {
	if t == nil {
		return ""
	}
	var ends []string
	if t.Event != "" {
		event := t.Event
		if t.Count > 1 {
			event = fmt.Sprintf("%d × %s", t.Count, event)
		}
		if len(t.Match) > 0 {
			event += " where " + strings.Join(t.Match, " and ")
		}
		ends = append(ends, event)
	}
	if t.After != "" {
		ends = append(ends, t.After)
	}
	return strings.Join(ends, ", or ")
}

func triggerOf(t *oatf.Trigger) *Trigger {
	if t == nil {
		return nil
	}
	trigger := &Trigger{Event: text(t.Event)}
	if t.Event != nil {
		trigger.Count = 1
		if t.Count != nil {
			trigger.Count = *t.Count
		}
	}
	for i := range t.Match {
		trigger.Match = append(trigger.Match, cut(t.Match[i].Path)+" "+conditionText(&t.Match[i].Condition))
	}
	if t.After != nil {
		trigger.After = cut(string(*t.After))
	}
	return trigger
}

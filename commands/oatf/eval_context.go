package oatfcmd

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// contextMessages is the number of messages before and after a match that a report names.
const contextMessages = 2

// messageContext keeps the kinds of the messages around each match. Its memory is bounded by the matches.
type messageContext struct {
	last []contextMessage         // the latest, up to contextMessages
	of   map[int][]contextMessage // by the index of the message with a match
	open []int                    // keys of of that lack later messages
}

// contextMessage is an element of an indicator verdict's list "context".
type contextMessage struct {
	Line  int    `json:"line,omitempty"`
	Index int    `json:"message_index"`
	What  string `json:"method"` // with its role, such as "tools/call request"
	input int
}

// take notes a message; found says that an indicator matched in it.
func (c *messageContext) take(m *capture.Message, found bool) {
	what := m.Kind.String()
	if m.Kind == (oatf.MessageKind{}) {
		what = "payload"
	}
	one := contextMessage{m.Line, m.Index, cmdline.Clipped(what), m.Input}
	open := c.open[:0]
	for _, at := range c.open {
		if c.of[at] = append(c.of[at], one); m.Index < at+contextMessages {
			open = append(open, at)
		}
	}
	c.open = open
	if _, has := c.of[m.Index]; found && !has {
		if c.of == nil {
			c.of = map[int][]contextMessage{}
		}
		c.of[m.Index] = append(append([]contextMessage(nil), c.last...), one)
		c.open = append(c.open, m.Index)
	}
	if c.last = append(c.last, one); len(c.last) > contextMessages {
		c.last = c.last[1:]
	}
}

// around returns the messages around a match, in its capture; nil for other results.
func (c *messageContext) around(x *eval.IndicatorVerdict) (list []contextMessage) {
	if x.Place == nil || x.Result != eval.Matched {
		return nil
	}
	for _, m := range c.of[x.Place.MessageIndex] {
		if m.input == x.Place.Input {
			list = append(list, m)
		}
	}
	return list
}

// contextText names messages and their lines, and marks the one with an index.
func contextText(list []contextMessage, index int) string {
	var parts []string
	for _, m := range list {
		text := m.What
		if m.Line > 0 {
			text = fmt.Sprintf("line %d %s", m.Line, m.What)
		}
		if m.Index == index {
			text += " (this one)"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

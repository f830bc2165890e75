// Package calls remembers which tools an agent calls in a stream of events, where the first
// event of a call alone names the tool (format §7.3.2 of the revision 2026-03).
package calls

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Memory is the calls of one stream, by their ids. The zero Memory has none.
type Memory struct {
	names map[string]string
	ids   []string // the oldest first
}

// The memory of calls is small: a stream that has more at a time has been written to fill it.
const (
	mostCalls     = 1 << 10
	mostCallBytes = 1 << 10 // of an id, and of a name
)

// Told is the content of an event with the name of the tool that it is about, when it is one of
// a call that has been told before and does not say itself.
func (c *Memory) Told(as *profile.Calls, event string, content model.Value) model.Value {
	if as == nil {
		return content
	}
	if event == as.Begins {
		*c = Memory{}
	}
	first, other := slices.Contains(as.First, event), slices.Contains(as.Others, event)
	object, ok := content.(model.Object)
	if !ok || !first && !other {
		return content
	}
	v, _ := object.Get(as.ID)
	id, _ := v.(string)
	name, stated := object.Get(as.Name)
	if first {
		if text, ok := name.(string); ok {
			c.remember(id, text)
		}
		return content
	}
	if known, ok := c.names[id]; ok && !stated {
		return append(slices.Clip(object), model.Member{Key: as.Name, Value: known})
	}
	return content
}

// remember keeps the tool of a call. Both are copied, so that they do not keep the message alive
// that they are a part of.
func (c *Memory) remember(id, name string) {
	if len(id) > mostCallBytes || len(name) > mostCallBytes {
		return
	}
	if c.names == nil {
		c.names = map[string]string{}
	}
	id = strings.Clone(id)
	if _, known := c.names[id]; !known {
		if len(c.ids) == mostCalls {
			delete(c.names, c.ids[0])
			c.ids = c.ids[1:]
		}
		c.ids = append(c.ids, id)
	}
	c.names[id] = strings.Clone(name)
}

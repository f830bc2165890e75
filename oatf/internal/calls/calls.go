// Package calls tracks the tool calls in an event stream, because only a call's first event names
// the tool (format §7.3.2 of revision 2026-03).
package calls

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Memory is the calls of a stream by id. The zero value is empty.
type Memory struct {
	names map[string]string
	ids   []string // the oldest first
}

// Limits of open calls. A stream that exceeds them was crafted.
const (
	mostCalls     = 1 << 10
	mostCallBytes = 1 << 10 // of an id, and of a name
)

// Named returns an event's content, with the tool's name added if it belongs to a known call.
func (c *Memory) Named(as *profile.Calls, event string, content model.Value) model.Value {
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

// remember stores copies of a call's id and tool, to release the message.
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

package simulate

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// calls remembers which tools are called in a stream of events, by the ids of the calls.
type calls struct {
	names map[string]string
	ids   []string // the oldest first
}

// The memory of calls is small: a stream that has more at a time has been written to fill it.
const (
	mostCalls     = 1 << 10
	mostCallBytes = 1 << 10 // of an id, and of a name
)

// told is the content of an event with the name of the tool that it is about, when it is one of
// a call that has been told before and does not say itself.
func (c *calls) told(as *profile.Calls, event string, content oatf.Value) oatf.Value {
	if as == nil {
		return content
	}
	if event == as.Begins {
		*c = calls{}
	}
	first, other := slices.Contains(as.First, event), slices.Contains(as.Others, event)
	object, ok := content.(model.Object)
	if !ok || !first && !other {
		return content
	}
	id, _ := member[string](object, as.ID)
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
func (c *calls) remember(id, name string) {
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

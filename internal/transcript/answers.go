package transcript

import (
	"cmp"
	"iter"
	"math"

	"github.com/cupel-dev/cupel/internal/transcript/ids"
)

// Answers counts each model call once. The result does not depend on the order of additions. The copies of a call
// have its key and request; the one with the largest total counts. If a key has calls of the main thread, those of
// subagents with other requests are replays and do not count.
type Answers struct {
	groups ids.Set // by key
	first  ids.Column[answer]
	others map[int][]answer // further requests of a group
	large  []Usage
	names  []string
	models map[string]uint16
	loose  []ModelCall // without a key
}

// answer is a call in 24 bytes.
type answer struct {
	request                    uint32
	input, read, write, output uint32 // input is the number of its usage in Answers.large, if large
	model                      uint16
	side, large                bool // large: the counters cannot say it
}

// Add adds a copy of a call.
func (c *Answers) Add(call *ModelCall) {
	if call.Key == 0 {
		c.loose = append(c.loose, *call)
		return
	}
	now := c.pack(call)
	n, fresh := c.groups.Add(call.Key)
	if fresh {
		c.first.Append(now)
		return
	}
	if known := c.first.At(n); known.request == now.request {
		c.merge(known, now)
		return
	}
	others := c.others[n]
	for i := range others {
		if others[i].request == now.request {
			c.merge(&others[i], now)
			return
		}
	}
	if c.others == nil {
		c.others = map[int][]answer{}
	}
	c.others[n] = append(others, now)
}

func (c *Answers) pack(call *ModelCall) answer {
	u := &call.Usage
	a := answer{side: call.Side, model: c.model(call.Model)}
	if call.Request != 0 {
		a.request = max(uint32(call.Request>>32), 1)
	}
	if max(u.Input, u.CacheRead, u.CacheWrite, u.Output) <= math.MaxUint32 && u.Total == u.Input+u.CacheRead+u.CacheWrite+u.Output && u.Reasoning == 0 && u.Cost == 0 {
		a.input, a.read, a.write, a.output = uint32(u.Input), uint32(u.CacheRead), uint32(u.CacheWrite), uint32(u.Output)
		return a
	}
	a.input, a.large = uint32(len(c.large)), true
	c.large = append(c.large, *u)
	return a
}

// model numbers the names of models.
func (c *Answers) model(name string) uint16 {
	n, known := c.models[name]
	if !known && len(c.names) < math.MaxUint16 {
		if c.models == nil {
			c.models = map[string]uint16{}
		}
		n = uint16(len(c.names))
		c.names = append(c.names, name)
		c.models[name] = n
	}
	return n
}

func (c *Answers) usage(a *answer) Usage {
	if a.large {
		return c.large[a.input]
	}
	u := Usage{Known: true, Input: int64(a.input), CacheRead: int64(a.read), CacheWrite: int64(a.write), Output: int64(a.output)}
	u.Total = u.Input + u.CacheRead + u.CacheWrite + u.Output
	return u
}

// merge keeps the larger of two copies. The main thread has the call if it has one of them.
func (c *Answers) merge(known *answer, now answer) {
	now.side = now.side && known.side
	known.side = now.side
	a, b := c.usage(known), c.usage(&now)
	if cmp.Or(
		cmp.Compare(b.Total, a.Total), cmp.Compare(b.Output, a.Output), cmp.Compare(b.Input, a.Input), cmp.Compare(b.CacheRead, a.CacheRead),
		cmp.Compare(b.Reasoning, a.Reasoning), cmp.Compare(b.Cost, a.Cost), cmp.Compare(c.names[now.model], c.names[known.model]),
	) > 0 {
		*known = now
	}
}

// All yields the calls that count.
func (c *Answers) All() iter.Seq[ModelCall] { return c.counted(true) }

// counted yields the calls that count, without their keys unless keyed, which takes memory.
func (c *Answers) counted(keyed bool) iter.Seq[ModelCall] {
	return func(yield func(ModelCall) bool) {
		var keys []uint64
		if keyed {
			keys = c.groups.Keys()
		}
		for _, call := range c.loose {
			if !yield(call) {
				return
			}
		}
		for n := range c.first.Len() {
			key := uint64(0)
			if keyed {
				key = keys[n]
			}
			group := append([]answer{*c.first.At(n)}, c.others[n]...)
			main := false
			for i := range group {
				main = main || !group[i].side
			}
			for i := range group {
				if a := &group[i]; !a.side || !main {
					if !yield(ModelCall{Key: key, Request: uint64(a.request) << 32, Side: a.side, Model: c.names[a.model], Usage: c.usage(a)}) {
						return
					}
				}
			}
		}
	}
}

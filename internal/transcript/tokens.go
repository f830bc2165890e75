package transcript

import (
	"hash/maphash"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

var seed = maphash.MakeSeed()

// Key returns a per-process hash of a node's text; 0 for an absent node.
func Key(n strictjson.Node) uint64 {
	if n.Missing() {
		return 0
	}
	return KeyOf(n.Raw())
}

func KeyOf(text []byte) uint64 { return max(maphash.Bytes(seed, text), 1) }

// mix combines two keys.
func mix(a, b uint64) uint64 { return max(maphash.Comparable(seed, [2]uint64{a, b}), 1) }

// Usage is the usage of a model call according to a record.
type Usage struct {
	Known bool
	Node  strictjson.Node
	Input, CacheRead, CacheWrite, Output,
	Reasoning, Total int64
	Cost float64 // US dollars; 0 if unknown
}

// numbers are the counters.
func (u *Usage) numbers() [6]int64 {
	return [6]int64{u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning, u.Total}
}

// Plus returns the sum of two usages, unknown if either is.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Known: u.Known && v.Known, Node: v.Node,
		Input: u.Input + v.Input, CacheRead: u.CacheRead + v.CacheRead, CacheWrite: u.CacheWrite + v.CacheWrite,
		Output: u.Output + v.Output, Reasoning: u.Reasoning + v.Reasoning, Total: u.Total + v.Total, Cost: u.Cost + v.Cost,
	}
}

// sum adds a known usage to a total.
func sum(total, u Usage) Usage {
	total.Known = true
	return total.Plus(u)
}

// ModelCall is a counted model call.
type ModelCall struct {
	Key     uint64 // of the response; 0 if it cannot be recognized elsewhere
	Request uint64
	Side    bool // made by a subagent
	Model   string
	Usage   Usage
}

// count sums the named counters of an object; ok is false if one is not a natural number.
func count(n strictjson.Node, names ...string) (sum int64, ok bool) {
	ok = true
	for _, name := range names {
		m := n.Last(name)
		if m.Missing() {
			continue
		}
		v, is := m.Int()
		if !is {
			f, isFloat := m.Float()
			if is = isFloat && f >= 0 && f < maxTokens && f == float64(int64(f)); is {
				v = int64(f)
			}
		}
		if !is || v < 0 || v > maxTokens {
			return 0, false
		}
		sum += v
	}
	return sum, ok
}

// maxTokens limits counts, to prevent overflow of sums.
const maxTokens = 1 << 46

// usage reads counters by name; "" means absent.
func usage(n strictjson.Node, input, read, write, output, reasoning, total string) Usage {
	u := Usage{Node: n, Known: isObject(n)}
	for _, c := range []struct {
		into *int64
		name string
	}{{&u.Input, input}, {&u.CacheRead, read}, {&u.CacheWrite, write}, {&u.Output, output}, {&u.Reasoning, reasoning}, {&u.Total, total}} {
		v, ok := count(n, c.name)
		*c.into, u.Known = v, u.Known && ok
	}
	return u
}

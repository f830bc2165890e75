package importer

import (
	"math"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// usage holds the token counts of an answer.
type usage struct {
	known                bool
	node                 strictjson.Node // its source
	input, output, total int64
}

// readUsage sums an object's input and output token counts; missing ones count 0. If total is missing, it is the
// sum of both.
func readUsage(n strictjson.Node, inputs, outputs []string, total string) usage {
	u := usage{node: n, known: n.Is(strictjson.Object)}
	found := false
	sum := func(names []string) (sum int64) {
		for _, name := range names {
			member := n.Last(name)
			count, ok := member.Int()
			found = found || ok
			u.known = u.known && (member.Missing() || ok && count >= 0 && count <= maxTokens)
			sum += count
		}
		return sum
	}
	if !u.known {
		return u
	}
	u.input, u.output = sum(inputs), sum(outputs)
	u.total = u.input + u.output
	if total != "" && !n.Last(total).Missing() {
		u.total = sum([]string{total})
	}
	u.known = u.known && found
	return u
}

// usageOf returns the usage from separate counts, which can be missing.
func usageOf(input, output, total strictjson.Node) usage {
	u := usage{known: true}
	for _, count := range []struct {
		node strictjson.Node
		into *int64
	}{{input, &u.input}, {output, &u.output}, {total, &u.total}} {
		n, ok := count.node.Int()
		u.known = u.known && (count.node.Missing() || ok && n >= 0 && n <= maxTokens)
		if *count.into = n; ok {
			u.node = count.node
		}
	}
	if total.Missing() {
		u.total = u.input + u.output
	}
	u.known = u.known && u.node.Exists() && (!total.Missing() || !input.Missing() && !output.Missing()) // a part is too little
	return u
}

// maxTokens limits counts so that sums do not overflow.
const maxTokens = math.MaxInt64 >> 32

// plus adds two usages. The sum is unknown if either is.
func (u usage) plus(v usage) usage {
	return usage{
		known: u.known && v.known && u.total <= math.MaxInt64-v.total, node: v.node,
		input: u.input + v.input, output: u.output + v.output, total: u.total + v.total,
	}
}

func (u usage) write(m *maker) {
	if !u.known {
		return
	}
	for _, count := range []struct {
		name   string
		tokens int64
	}{{"input_tokens", u.input}, {"output_tokens", u.output}, {"total_tokens", u.total}} {
		m.member(count.name)
		m.int(u.node, count.tokens)
	}
}

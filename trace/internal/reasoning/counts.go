package reasoning

import "github.com/cupel-dev/cupel/trace/internal/reasoning/format"

type counts struct {
	Events  int64 `json:"events"`
	Headers int64 `json:"headers"`
	Misfits int64 `json:"misfits"`
}

func (c *counts) take(b *format.Block) {
	for i := range b.Records {
		switch b.Records[i].Role {
		case format.IsEvent:
			c.Events++
		case format.IsHeader:
			c.Headers++
		case format.IsMisfit:
			c.Misfits++
		case format.IsBroken: // the stream counts it
		}
	}
}

func (c *counts) add(d counts) {
	c.Events += d.Events
	c.Headers += d.Headers
	c.Misfits += d.Misfits
}

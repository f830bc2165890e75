package session

import (
	"fmt"
	"strconv"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
)

// clockTime is a time: Unix seconds and nanoseconds, or zero seconds and the milliseconds of a monotonic clock.
type clockTime struct {
	Seconds int64
	Parts   uint64
}

func (r clockTime) before(last clockTime) bool {
	return r.Seconds < last.Seconds || r.Seconds == last.Seconds && r.Parts < last.Parts
}

// clockReader parses the timestamps of an event.
type clockReader struct{ wall member }

func (r *clockReader) read(rec *record, e *event) {
	if e.has(r.wall) {
		var scratch [40]byte
		seconds, nanos, ok := instant(rec.nodes[r.wall].TextBytes(scratch[:0]))
		e.wall, e.nanos = seconds, nanos
		e.mark(hasWall, oddWall, ok)
	}
	if e.has(timestampMonotonic) {
		var err error
		e.ticks, err = strconv.ParseUint(string(e.raw(timestampMonotonic)), 10, 64)
		e.mark(hasTicks, oddTicks, err == nil)
	}
}

func (e *event) mark(good, odd marks, ok bool) {
	if ok {
		e.marks |= good
	} else {
		e.marks |= odd
	}
}

// clocks checks the form and order of timestamps. It only warns, because no other rule depends on them.
type clocks struct {
	clocksState
	wall member // of the family
	out  *reporter
}

type clocksState struct{ Wall, Ticks clock }

// clock is the state of one clock of a log.
type clock struct {
	Last  clockTime
	Shown bool // there is a last reading
	Odd   bool // a time could not be read, which is said once
}

func (p *clocks) take(e *event) {
	if e.marks.has(oddWall) {
		p.odd(e, &p.Wall, p.wall, "a time like 2026-03-01T12:00:00Z")
	}
	if e.marks.has(oddTicks) {
		p.odd(e, &p.Ticks, timestampMonotonic, "an integer from 0 to 18446744073709551615")
	}
	if e.marks.has(hasWall) {
		p.next(e, &p.Wall, p.wall, clockTime{e.wall, uint64(e.nanos)})
	}
	if e.marks.has(hasTicks) {
		p.next(e, &p.Ticks, timestampMonotonic, clockTime{0, e.ticks})
	}
}

// odd reports the first timestamp that cannot be parsed.
func (p *clocks) odd(e *event, c *clock, m member, form string) {
	if c.Odd {
		return
	}
	c.Odd = true
	p.out.note(e, remark{rule: ruleTimestampFormat, at: m, expected: form, quote: func(r *remark) {
		r.found = clip(string(e.raw(m)))
		r.message = say.Expected(m.String(), r.found, form)
	}})
}

// next compares a timestamp with the previous one of the same clock.
func (p *clocks) next(e *event, c *clock, m member, now clockTime) {
	if last := c.Last; c.Shown && now.before(last) {
		p.out.note(e, remark{rule: ruleTimestampBackwards, at: m, cause: e.cause, quote: func(r *remark) {
			r.message = fmt.Sprintf("%s is before that of an event above", m)
			r.expected, r.found = p.text(m, last)+" or later", clip(string(e.raw(m)))
		}})
	}
	c.Last, c.Shown = now, true
}

// text returns a timestamp as written in the event.
func (p *clocks) text(m member, r clockTime) string {
	if m == timestampMonotonic {
		return strconv.FormatUint(r.Parts, 10)
	}
	return time.Unix(r.Seconds, int64(r.Parts)).UTC().Format(time.RFC3339Nano)
}

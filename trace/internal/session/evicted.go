package session

import (
	"bytes"
	"maps"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// evicted is the serialized state of an evicted session: counters first, then per-event memory,
// which can be dropped. It is valid only in this process.
type evicted struct {
	text  []byte // nil: not evicted
	facts int    // bytes before the memories
}

// usualBytes is the usual size of an evicted session without its memory. Larger ones count as several.
const usualBytes = 512

// weight returns how many sessions of the usual size this one counts as.
func (r *evicted) weight() int { return 1 + r.facts/usualBytes }

// forgot reports whether the per-event memory was dropped.
func (r *evicted) forgot() bool { return r.facts == len(r.text) }

// forget drops the per-event memory.
func (r *evicted) forget() { r.text = bytes.Clone(r.text[:r.facts]) }

func (one *One) putAway() error {
	c := coder{}
	if err := one.code(&c); err != nil {
		return err
	}
	one.away.text = bytes.Clone(c.Bytes)
	one.Findings, one.taker, one.checker = nil, nil, nil
	return nil
}

// bringBack restores the encoded state into the session.
func (one *One) bringBack() error {
	return one.code(&coder{from: wire.NewReader(one.away.text)})
}

func (one *One) code(c *coder) error {
	counts := one.Findings.Counts()
	for stage := range counts {
		for severity := range counts[stage] {
			codeNumber(c, &counts[stage][severity])
		}
	}
	one.Findings.Recount(counts)
	if one.checker == nil {
		return nil
	}
	return one.checker.code(c, one)
}

// code codes the state and per-event memory of a session's parts.
func (c *Checker) code(to *coder, one *One) (err error) {
	state := &State{}
	if to.from == nil {
		if state, err = c.State(); err != nil {
			return err
		}
	}
	m, open := &state.Memory, c.tools.open()
	m.code(to, one.ID)
	to.blob(&state.Sums)
	codeNumber(to, &open)
	codeNumber(to, &c.lapse.events)
	if to.from == nil {
		one.away.facts = len(to.Bytes)
	}
	if to.from == nil || !one.away.forgot() {
		to.blob(&state.EventIDs)
		to.blob(&state.ToolIDs)
		m.Chain.recent.code(to, c.keys)
		c.out.code(to)
	}
	if to.from == nil {
		return nil
	}
	m.Key = one.facts.key
	m.Chain.Recent = make([]link, min(m.Chain.recent.Count, maxRecent))
	c.records, c.events, c.misfits, c.out.broken = m.Records, m.Events, m.Misfits, m.Broken
	if err := c.restore(state); err != nil {
		return err
	}
	c.lapse.calls = open - c.tools.open()
	return nil
}

// code codes the snapshots of the parts without per-event memory and hash key. id is the likely session id.
func (m *memory) code(c *coder, id string) {
	for _, n := range []*int64{&m.Records, &m.Events, &m.Misfits, &m.Broken, &m.Signed[0], &m.Signed[1], &m.Signed[2], &m.Signed[3]} {
		codeNumber(c, n)
	}
	m.Last.code(c)
	m.Chain.code(c, m.Last)
	codeNumber(c, &m.Leaves.Leaves)
	codeList(c, &m.Leaves.Nodes, c.sum)
	codeUnless(c, &m.Session, `"`+id+`"`, func(s *string) { codeText(c, s) })
	codeText(c, &m.Authority)
	codeNumber(c, &m.Seen)
	codeNumber(c, &m.Starts)
	for _, clock := range []*clock{&m.Clocks.Wall, &m.Clocks.Ticks} {
		codeNumber(c, &clock.Last.Seconds)
		codeNumber(c, &clock.Last.Parts)
		c.truth(&clock.Shown)
		c.truth(&clock.Odd)
	}
	codeNumber(c, &m.Unproven)
	codeNumber(c, &m.Versions)
	codeNumber(c, &m.Profile)
	codeNumber(c, &m.Seal.Line)
	codeNumber(c, &m.Merkle)
	codeNumber(c, &m.MAC)
	for _, b := range []*bool{&m.Foreign, &m.Mixed, &m.OddID, &m.Seal.Complete, &m.Seal.Last} {
		c.truth(b)
	}
}

func (last *position) code(c *coder) {
	codeNumber(c, &last.Number)
	c.truth(&last.Numbered)
	last.Hash.code(c)
	last.Prev.code(c)
	codeNumber(c, &last.Line)
	codeNumber(c, &last.Rank)
}

func (l *link) code(c *coder) {
	c.truth(&l.null)
	c.truth(&l.proper)
	if !l.null {
		c.sum(&l.Sum)
	}
}

// code codes a tracker whose last event was at the given position.
func (t *tracker) code(c *coder, last position) {
	codeList(c, &t.Damage, func(d *stream.Damage) {
		codeText(c, &d.Kind)
		codeNumber(c, &d.From)
		codeNumber(c, &d.To)
		codeNumber(c, &d.Count)
	})
	codeNumber(c, &t.Reach)
	codeText(c, &t.Cause)
	c.truth(&t.Shaky)
	codeUnless(c, &t.Tip, last, func(p *position) { p.code(c) })
	c.truth(&t.Astray)
	codeUnless(c, &t.Fork, position{}, func(p *position) { p.code(c) })
	codeUnless(c, &t.Hole, numberGap{}, func(h *numberGap) { h.code(c) })
	codeNumber(c, &t.recent.Count)
}

func (h *numberGap) code(c *coder) {
	for _, n := range []*uint64{&h.From, &h.To, &h.Left} {
		codeNumber(c, n)
	}
	codeNumber(c, &h.Line)
	codeNumber(c, &h.Rank)
	codeNumber(c, &h.Damage)
	c.truth(&h.Open)
	codeText(c, &h.Root)
}

func (r *recent) code(c *coder, keys siphash.Key) {
	n := min(r.Count, maxRecent)
	now := &past{keys: keys, of: make([]uint64, n)}
	for i := range now.of {
		if c.from == nil {
			now.of[i] = r.past.key(r.Recent, i, keys)
		}
		c.key(&now.of[i])
	}
	r.past = now
}

func (r *reporter) code(c *coder) {
	var made []noteSubject
	if c.from == nil {
		made = slices.Collect(maps.Keys(r.said))
	}
	codeList(c, &made, func(s *noteSubject) {
		codeNumber(c, &s.rule)
		var table int
		if c.from == nil {
			table = slices.Index(allTables(), s.table)
		}
		codeNumber(c, &table)
		s.table = allTables()[table]
		c.key(&s.name)
	})
	for _, s := range made {
		r.said[s] = true
	}
}

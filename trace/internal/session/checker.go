package session

import (
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/second"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Checker verifies the log of one family. Create it with New and run it with stream.Runner.
type Checker struct {
	opt    Options
	env    *envelope
	keys   siphash.Key // what ids and names are remembered under
	limits stream.Limits

	out *reporter

	before *segments.Before // the session that the log continues; nil also after earlier runs

	records int64 // readable or not
	events  int64
	misfits int64 // readable lines that are not events
	parts
	order []part
	lapse lapse

	column   *columnReader  // of summaries; nil: none was taken
	reread   *rereader      // of summaries, or nil
	expected laterSummaries // summaries

	cited *citedCounts

	looked uint64 // result of fetchRun, to keep its reads from being optimized away
}

// New returns a checker for a log of the given family. first is its first readable record. opt must have passed
// Options.Check.
func New(findings *stream.Findings, limits stream.Limits, family string, first strictjson.Node, opt Options) (*Checker, error) {
	keys := opt.Keys
	if opt.Resume != nil {
		keys = opt.Resume.Keys
	}
	if keys == (siphash.Key{}) {
		keys = siphash.NewKey()
	}
	env, out := envelopeOf(family), &reporter{findings: findings, said: map[noteSubject]bool{}, most: limits.WithDefaults().IDs, lineName: opt.LineName}
	c := &Checker{opt: opt, env: env, keys: keys, limits: limits, out: out, cited: &citedCounts{}}
	c.parts = parts{
		beginning:  startRule{out: out},
		identity:   identity{out: out},
		authority:  authority{out: out},
		chain:      chain{env: env, resumed: opt.Resume != nil, out: out},
		versions:   versionLog{out: out},
		seal:       seal{after: opt.After != nil, digest: newSessionDigest(), key: opt.HMACKey, env: env, out: out},
		course:     course{ordered: env.ordered, out: out},
		eventIDs:   eventIDs{seen: newIDSet(), limit: limits.IDs, out: out},
		clocks:     clocks{wall: env.wall, out: out},
		merkle:     merkle{after: opt.After != nil, out: out},
		signatures: signatures{signers: signers{trusted: opt.TrustedKeys}, out: out},
		tools:      tools{after: opt.After != nil, limit: limits.IDs, lapse: &c.lapse, out: out},
		anchors:    anchors{anchor: opt.Anchor, count: opt.ExpectCount, head: opt.ExpectHead, out: out},
	}
	c.order = c.list(env)
	if opt.Resume != nil {
		before := opt.Resume.Memory.tally
		c.records, c.events, c.misfits, out.broken = before.Records, before.Events, before.Misfits, before.Broken
		err := c.restore(opt.Resume)
		c.course.tellEnd(opt.OnEnd)
		return c, err
	}
	c.signatures.Key = KeyOf(first)
	c.before = beforeOf(first)
	if opt.After != nil && env.chained {
		c.chain.follow(opt.After)
	}
	return c, nil
}

func (c *Checker) Worker() stream.Worker {
	w := c.worker()
	if c.opt.Anchor == nil { // which is compared with single events
		w.follower = &follower{env: c.env}
	}
	return w
}

func (c *Checker) worker() *worker {
	readers, hashes := c.readers()
	return &worker{
		shape:   shapeReader{env: c.env, required: c.env.required(), notes: newNoteMemory(c.keys)},
		readers: readers, hashes: hashes,
		fresh:   func() *batch { return newBatch(c.limits.Findings) },
		deliver: c.putInOrder,
	}
}

// readers returns the line readers of the family in order. hashes is the hash reader among them, or nil.
func (c *Checker) readers() (list []reader, hashes *hashReader) {
	if c.opt.Look {
		return c.lookReaders(), nil
	}
	list = append(list, &fieldReader{env: c.env})
	if c.env.chained {
		hashes = c.hashReader(c.opt.Engine, c.opt.Second)
		list = append(list, hashes, &signatureReader{signers{c.signatures.Key, c.opt.TrustedKeys}}, &idReader{c.keys, c.env.shapes[eventID] == aText && c.env.versions, c.opt.sums}, &clockReader{c.env.wall})
	} else {
		list = append(list, looseReader{})
	}
	list = append(list, detailReader{})
	if c.env.tables10 && !c.opt.IntegrityOnly {
		list = append(list, newPayloadReader10(c.opt.StrictPayload))
	}
	if c.opt.Sources != nil {
		list = append(list, newSourceReader(c.opt.Sources, c.cited, c.keys))
	} else {
		list = append(list, citingReader{c.cited})
	}
	if c.env.tables && !c.opt.IntegrityOnly {
		list = append(list, newPayloadReader(c.opt.StrictPayload, c.opt.other(), newNoteMemory(c.keys)), &toolReader{keys: c.keys, sums: c.opt.sums})
	}
	return list, hashes
}

// lookReaders returns the readers that are needed to display events.
func (c *Checker) lookReaders() []reader {
	list := []reader{&fieldReader{env: c.env}}
	if c.env.wall != noMember {
		list = append(list, &clockReader{c.env.wall})
	}
	return list
}

func (c *Checker) hashReader(engine Engine, other second.Engine) *hashReader {
	profiles, _ := profilesOf(c.opt.Canonicalization)
	return &hashReader{hasher: newHasher(profiles, engine, other), whole: c.env.whole, names: namesOf(profiles), limits: c.limits}
}

// putInOrder processes the events of a block. Earlier blocks must have been processed.
func (c *Checker) putInOrder(b *batch) error {
	if b.err != nil {
		return b.err
	}
	c.begin(b)
	taken := 0
	for i := range b.runs.list {
		r := &b.runs.list[i]
		for ; taken < r.from; taken++ {
			c.next(&b.events[taken])
		}
		c.nextBatchRun(r)
	}
	for ; taken < len(b.events); taken++ {
		c.next(&b.events[taken])
	}
	b.release()
	c.course.tellEnd(c.opt.OnEnd)
	return c.out.err
}

func (c *Checker) nextBatchRun(r *batchRun) {
	last := c.chain.last
	r.first, r.prev = last.Number+1, last.Hash
	r.read = func(i int, e *event) error {
		if c.reread == nil {
			c.reread = c.newRereader()
		}
		return c.reread.again(e, r.lines[i])
	}
	c.opt.Trail.run(&r.run)
	c.nextRun(&r.run)
}

// begin passes on the findings of a batch before its events are processed.
func (c *Checker) begin(b *batch) {
	b.report(c.out)
}

func (c *Checker) next(e *event) {
	c.records++
	e.rank = c.records
	c.opt.Trail.record(e, c.env)
	if e.lost != (loss{}) {
		if e.lost.misfit {
			c.misfits++
		}
		c.chain.lose(e)
		return
	}
	c.events++
	e.nth = c.events
	for _, p := range c.order {
		p.take(e)
	}
}

func (c *Checker) nextRun(r *run) {
	r.rank = c.records + 1
	c.records += int64(r.n)
	c.events += int64(r.n)
	c.fetchRun(r)
	for _, p := range c.order {
		p.takeRun(r)
	}
}

// fetchRun prefetches the memory of a run's tool calls, so that the loads overlap.
func (c *Checker) fetchRun(r *run) {
	var seen uint64
	for i := range r.calls {
		seen ^= c.tools.ids.look(&r.calls[i].id)
	}
	c.looked = seen
}

// nextLosses processes lines that are not events. Lines beyond the damage limit are only counted.
func (c *Checker) nextLosses(line int, l losses) {
	const most = maxDamage + 1
	for i := range min(l.n, most) {
		e := event{lost: l.loss}
		e.line.Number = line + int(i)*l.apart
		c.next(&e)
	}
	if rest := l.n - most; rest > 0 {
		c.records += rest
		if l.misfit {
			c.misfits += rest
		}
		e := event{lost: l.loss, partResults: partResults{rank: c.records}}
		e.line.Number = line + int(l.n-1)*l.apart
		c.chain.loseRest(&e, rest)
	}
}

// State returns the state from which a later run continues. Call it after Finish.
func (c *Checker) State() (*State, error) {
	s, err := c.snapshot(tally{c.records, c.events, c.misfits, c.out.broken})
	if err == nil {
		s.Keys, s.Rejected = c.keys, c.rejected()
	}
	return s, err
}

// rejected reports whether this run or an earlier one found a structural fault.
func (c *Checker) rejected() bool {
	return c.out.findings.Rejected() || c.opt.Resume != nil && c.opt.Resume.Rejected
}

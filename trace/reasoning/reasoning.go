// Package reasoning verifies reasoning traces: JSON lines of what an agent did step
// by step, with the evidence it registered and the claims that cite it.
//
// A trace is one run's events in order. In the wrapped shape line 1 is a header and
// each event stands under "event":
//
//	{"record":"trace_header","schema_version":1,"plan_id":"p1"}
//	{"record":"trace_event","event":{"idx":0,"kind":"step_started","step_id":"s1"}}
//
// In the flat shape the events are the lines, and the header is optional:
//
//	{"trace_schema_version":1}
//	{"idx":0,"kind":"step_started","step_id":"s1"}
//
// Evidence is bytes on disk. An evidence event names a file below the folder of the
// trace and its SHA-256; a support cites a byte range of such a file and the hash of
// exactly these bytes, which anyone can recompute:
//
//	tail -c +$((b0+1)) evidence/e1.txt | head -c $((b1-b0)) | sha256sum
//
// A trace is valid, invalid (readable, but order, links, spans or hashes fail) or
// rejected (unknown kinds, missing fields, unsupported versions, unreadable lines).
package reasoning

import (
	"context"
	"hash/maphash"
	"io"
	"io/fs"
	"slices"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// Finding is what the checker yields.
type Finding = finding.Finding

// Files gives access to the files below one folder. Names are slash-separated and
// clean: no empty, "." or ".." segments. An implementation must refuse to follow a
// link out of the folder, and Open must not wait on a pipe or a device.
type Files interface {
	Open(name string) (fs.File, error)
	Lstat(name string) (fs.FileInfo, error)
}

// Options say how strictly a trace is read and where its companions are.
type Options struct {
	SchemaVersions []int64 // accepted trace_schema_version values; nil means 1 alone
	Strict         bool    // a trace that states no version is rejected
	Contiguous     bool    // idx must run 0, 1, 2, …
	AcceptAliases  bool    // read the alternative member names of old writers

	Evidence Files     // where content_path leads; nil: no evidence bytes are checked
	Plan     io.Reader // the plan; nil: there is none
	PlanName string    // the plan's display name

	Run          Files  // the folder of the trace, for its manifest; nil: there is none
	ManifestName string // the manifest's display name

	CheckIDs bool // a trace id that does not fit the content is an error
	Manifest bool // a manifest that does not fit the files is an error
	Jobs     int  // files that are read at a time; 0 means one for each core
}

// Checker verifies one trace.
type Checker struct {
	ctx      context.Context // of this one verification
	opt      Options
	limits   stream.Limits
	findings *stream.Findings
	wrapped  bool
	hashID   bool        // the first record carries an id to recompute
	free     chan *batch // batches to use again

	seed     maphash.Seed
	started  bool
	counts   counts
	head     headState
	order    orderState
	links    linkState
	evidence evidenceState
	id       traceID
	plan     *plan
	manifest *manifest
	unknowns map[string]bool // additive members that are reported already

	markers []marker // of the claim at hand
	cited   map[uint64]struct{}
	scratch []byte
}

type counts struct{ events, headers, misfits, supports int64 }

// New returns the checker of the trace that begins with the given record.
func New(ctx context.Context, opt Options, limits stream.Limits, findings *stream.Findings, first strictjson.Node) *Checker {
	if opt.SchemaVersions == nil {
		opt.SchemaVersions = []int64{1}
	}
	c := &Checker{
		ctx: ctx, opt: opt, limits: limits, findings: findings, seed: maphash.MakeSeed(),
		wrapped:  first.Get("record").Exists(),
		hashID:   first.Get("id").Is(strictjson.String) && !first.Get("kind").Exists(),
		order:    orderState{last: -1, steps: map[uint64]step{}, names: map[uint64]string{}},
		unknowns: map[string]bool{}, cited: map[uint64]struct{}{},
	}
	c.links = newLinks()
	c.evidence.byID = map[uint64]uint32{}
	c.evidence.templates, c.evidence.damaged = map[string]uint32{}, map[uint32]string{}
	c.free = make(chan *batch, maxFree)
	return c
}

// start reads the trace's companions. It runs before the first record is taken, on
// the goroutine that owns the findings.
func (c *Checker) start() {
	if !c.started {
		c.started = true
		c.plan = c.readPlan()
		c.manifest = c.readManifest()
	}
}

// Worker implements stream.Checker.
func (c *Checker) Worker() stream.Worker {
	return &worker{c: c, canon: jcs.NewWriter(jcs.RAR1), paths: newPaths(c.wrapped), unknown: map[string]bool{}}
}

// key is an id as the state remembers it: 64 bits under a random seed, so that no
// writer can aim for two ids with one key.
func (c *Checker) key(id []byte) uint64 { return maphash.Bytes(c.seed, id) }

// apply takes the records of one block in file order. A trace that is rejected is
// read on for its other structural faults, and nothing else is checked.
func (c *Checker) apply(b *batch) error {
	defer c.recycle(b)
	c.start()
	c.findings.Merge(b.faults)
	c.reportUnknown(b)
	for i := range b.records {
		if err := c.take(b, &b.records[i]); err != nil {
			return err
		}
	}
	c.id.write(b.canonical)
	if c.findings.Rejected() {
		c.evidence.clearTasks()
		return nil
	}
	return c.runTasks()
}

func (c *Checker) take(b *batch, r *record) error {
	switch r.role {
	case isBroken:
		c.head.anyRecord = true
	case isMisfit:
		c.counts.misfits++
		c.takeFirst(r, nil)
	case isHeader:
		c.counts.headers++
		c.takeHeader(r, &b.headers[r.index])
	case isEvent:
		c.counts.events++
		e := &b.events[r.index]
		c.takeFirst(r, e)
		c.takeVersion(e)
		if !e.broken && !c.findings.Rejected() {
			return c.takeEvent(b, e)
		}
	}
	return nil
}

// takeEvent checks what an event means after the ones before it.
func (c *Checker) takeEvent(b *batch, e *event) error {
	c.checkIdx(e)
	c.checkStep(e)
	switch e.kind {
	case toolCalled:
		c.checkCall(e)
	case toolReturned:
		c.checkResult(e)
	case evidenceRegistered:
		c.registerEvidence(e)
	case claimEmitted:
		c.checkClaim(e, b.supports[e.firstSupport:e.firstSupport+e.supports])
	}
	return c.checkIDs()
}

// Finish implements stream.Checker.
func (c *Checker) Finish() (stream.Outcome, error) {
	c.start()
	c.finishVersion()
	if !c.findings.Rejected() {
		c.finishOrder()
		c.finishLinks()
		c.finishID()
		if err := c.finishManifest(); err != nil {
			return stream.Outcome{}, err
		}
		c.finishNotes()
	}
	return c.Partial(), nil
}

// Partial is the outcome of what was read so far.
func (c *Checker) Partial() stream.Outcome {
	out := stream.Outcome{
		Events: c.counts.events, Header: c.counts.headers, Misfits: c.counts.misfits,
		NotCovered: c.notCovered(),
	}
	if c.id.matches {
		out.Canonicalization = []string{jcs.RAR1.Name}
	}
	return out
}

// finishNotes adds the warnings about what could not be checked.
func (c *Checker) finishNotes() {
	if c.opt.Plan == nil {
		c.note("plan.absent", "no plan: the order of steps is checked by idx alone")
	}
	if c.opt.Evidence == nil && (c.evidence.total > 0 || c.counts.supports > 0) {
		c.note("evidence.unchecked", "evidence bytes were not read: hashes and spans are checked in form only")
	}
	if c.counts.events == 0 && (c.plan == nil || len(c.plan.nodes) == 0) {
		c.note("trace.no_events", "the trace has no events")
	}
}

// note adds a finding of the whole trace.
func (c *Checker) note(rule, message string) {
	c.findings.Add(Finding{Rule: rule, Severity: severityOf(rule), Message: message})
}

// notCovered says what the verdict does not prove.
func (c *Checker) notCovered() []string {
	list := []string{
		"who wrote the trace, and that nobody rewrote all of it: the format has no signature; keep the file's SHA-256 elsewhere and pass it with --expect-sha256",
		"that a claim follows from the bytes it cites",
		"lifecycle, verifier policies and replay, which the format leaves to other documents",
	}
	if c.opt.Evidence == nil {
		list = append(list, "the evidence bytes: hashes and spans were not compared with them")
	}
	if c.plan == nil {
		list = append(list, "the order of steps against a plan")
	}
	return list
}

// checkIDs bounds what the state remembers.
func (c *Checker) checkIDs() error {
	total := len(c.order.steps) + c.links.size() + len(c.evidence.byID)
	if total > c.limits.IDs {
		return &stream.LimitError{What: "distinct ids", Limit: c.limits.IDs, Flag: "--max-ids"}
	}
	return nil
}

// reportUnknown reports each additive member once, where it is first seen.
func (c *Checker) reportUnknown(b *batch) {
	for _, u := range b.unknown {
		if len(c.unknowns) < c.limits.Findings && !c.unknowns[u.pattern] {
			c.unknowns[u.pattern] = true
			c.findings.Add(u.finding)
		}
	}
}

// maxFree is how many batches wait to be used again.
const maxFree = 16

func (c *Checker) newBatch() *batch {
	select {
	case b := <-c.free:
		return b
	default:
		return &batch{faults: stream.NewFindings(c.limits.Findings)}
	}
}

func (c *Checker) recycle(b *batch) {
	b.reset()
	select {
	case c.free <- b:
	default:
	}
}

func (c *Checker) accepts(version int64) bool { return slices.Contains(c.opt.SchemaVersions, version) }

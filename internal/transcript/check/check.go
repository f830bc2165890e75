// Package check checks the consistency of coding agents' transcripts. The readers of the formats are in
// internal/transcript.
//
// Transcripts contain no hash or signature, hence the verdict is only "consistent" or "inconsistent".
//
// Workers turn records into facts concurrently; the checker processes the facts in file order with about 20 bytes
// of state per record id and call.
package check

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
)

type Options struct {
	Kind    transcript.Kind
	Line    int               // bytes of a line or element
	Values  strictjson.Limits // of one line or element
	IDs     int               // distinct ids to remember
	Jobs    int               // goroutines that read lines; 0 means one per core
	Inline  bool              // read on the caller's goroutine
	Growing bool              // the file is still being written
	Calls   bool              // list the model calls
	block   int               // bytes, for tests; 0: blockBytes

	// Found receives every finding, in no particular order.
	Found func(finding.Finding)
	// Block, if set, is called after each block of lines.
	Block func()
	// Observe, if set, receives every record in file order, including recovered ones, on the caller's goroutine.
	Observe func(list string, r *transcript.Record)
}

const (
	DefaultLine   = source.DefaultMaxLine
	DefaultValues = 1_000_000
	DefaultIDs    = 4_000_000
)

func (o Options) withDefaults() Options {
	o.Line = cmp.Or(o.Line, DefaultLine)
	o.IDs = cmp.Or(o.IDs, DefaultIDs)
	o.Values.Values = cmp.Or(o.Values.Values, DefaultValues)
	o.Values.TextBytes = o.Line + 1
	if o.Block == nil {
		o.Block = func() {}
	}
	return o
}

// LimitError means that a file has too many distinct ids.
type LimitError struct{ Limit int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d ids of records and calls", e.Limit)
}

// Outcome is the result without the findings.
type Outcome struct {
	Records    int64 // including recovered ones
	Header     int64 // of those, records that describe the session
	Blank      int64
	Unreadable int64 // lines or elements that are not a record
	Usage      transcript.Totals
	Session    string
	Folder     string // where the agent worked, or ""
	First      int64  // earliest time in Unix milliseconds, or 0
	Last       int64
	Calls      iter.Seq[transcript.ModelCall] // that count, with Options.Calls
}

// Check checks a transcript. The error is a read error, a *LimitError or ctx's.
func Check(ctx context.Context, r io.Reader, opt Options) (Outcome, error) {
	c := newChecker(opt.withDefaults())
	var err error
	switch {
	case opt.Kind.Document:
		err = c.document(ctx, r)
	case opt.Observe != nil:
		err = c.observed(ctx, r)
	default:
		err = c.lines(ctx, r)
	}
	if err == nil {
		err = c.full
	}
	if err != nil {
		return c.outcome(), err
	}
	c.end()
	return c.outcome(), nil
}

// blockBytes is the size of a block. Larger blocks are not faster, and several are in use at once.
const blockBytes = 128 << 10

// block is a run of lines, batch its facts.
type (
	block struct{ source.Block }
	batch struct {
		items []item
		facts []fact
		parts []part
	}
	item struct {
		fact   *fact       // of a line that is a record
		line   source.Line // of one that is not, or the record's
		broken bool
	}
)

func (o *Options) scanner() *strictjson.Scanner { return strictjson.NewScanner(o.limits()) }

func (o *Options) limits() strictjson.Limits { return transcript.Limits(o.Values) }

func (c *checker) lines(ctx context.Context, r io.Reader) error {
	blocks := source.NewBlocks(r, cmp.Or(c.opt.block, blockBytes), c.opt.Line)
	pipeline := ordered.Pipeline[block, *batch]{
		Jobs: c.opt.Jobs,
		Read: func(block) (block, error) {
			b, err := blocks.Next(*buffers.Get().(*[]byte))
			return block{b}, err
		},
		Weight: func(b block) int { return 3 * len(b.Data) },
		NewWorker: func() func(block) *batch {
			w := newWorker(&c.opt)
			return w.read
		},
		Deliver: func(b block, done *batch) error {
			for i := range done.items {
				c.take(&done.items[i])
			}
			batches.Put(done)
			if cap(b.Data) <= 2*blockBytes {
				buffers.Put(&b.Data)
			}
			c.opt.Block()
			return c.full
		},
	}
	if c.opt.Inline {
		return pipeline.RunInline(ctx)
	}
	return pipeline.Run(ctx)
}

// observed checks JSON lines sequentially and shows each record.
func (c *checker) observed(ctx context.Context, r io.Reader) error {
	w := newWorker(&c.opt)
	var f fact
	for l, err := range source.NewReader(r, c.opt.Line).All() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		it := item{line: l, broken: !l.Blank()}
		w.slab = w.slab[:0]
		var ok bool
		if f, ok = w.line(l); it.broken && ok {
			it.fact, it.broken = &f, false
		}
		c.take(&it)
		if it.fact != nil && w.readable {
			c.opt.Observe("", &w.record)
		}
		if c.full != nil {
			return c.full
		}
	}
	return nil
}

type worker struct {
	opt     *Options
	scanner *strictjson.Scanner
	record  transcript.Record
	types   map[string]string

	readable bool   // the last line was an object
	slab     []part // parts of all records of a block, or of the last record outside of blocks
}

func newWorker(opt *Options) *worker {
	return &worker{opt: opt, scanner: opt.scanner(), types: map[string]string{}}
}

// batches and buffers recycle delivered blocks, also from one file to the next.
var (
	batches = sync.Pool{New: func() any { return new(batch) }}
	buffers = sync.Pool{New: func() any { return new([]byte) }}
)

func (w *worker) read(b block) *batch {
	done := batches.Get().(*batch)
	clear(done.facts)
	done.items, done.facts, w.slab = done.items[:0], done.facts[:0], done.parts[:0]
	for l := range b.Lines() {
		if l.Blank() {
			done.items = append(done.items, item{line: l})
			continue
		}
		f, ok := w.line(l)
		if !ok {
			done.items = append(done.items, item{line: l, broken: true})
			continue
		}
		if len(done.facts) == cap(done.facts) { // items point into facts
			done.facts = make([]fact, 0, max(64, 2*cap(done.facts)))
		}
		done.facts = append(done.facts, f)
		done.items = append(done.items, item{fact: &done.facts[len(done.facts)-1], line: l})
	}
	done.parts, w.slab = w.slab, nil
	w.scanner.Trim(ordered.Share(w.opt.Jobs))
	return done
}

// line reads a line. ok is false unless it is one object.
func (w *worker) line(l source.Line) (f fact, ok bool) {
	if l.Long {
		return f, false
	}
	doc, err := w.scanner.Scan(l.Bytes)
	if err != nil {
		return f, false
	}
	if w.readable = doc.Root().Is(strictjson.Object); !w.readable {
		return fact{line: l.Number, typ: "JSON that is not an object", ordinal: none}, true
	}
	w.record.Place = transcript.Place{Line: l.Number, Offset: l.Offset, Text: l.Bytes}
	return w.fact("", doc.Root()), true
}

// take processes a line in file order.
func (c *checker) take(it *item) {
	switch {
	case it.fact != nil:
		if c.mender.Holds() {
			c.mender.Next(it.line.Bytes)
		}
		c.mender.Records++
		c.apply(it.fact)
	case it.broken:
		c.unreadable++
		c.mender.Line(it.line)
	default:
		c.blank++
	}
}

// recovered processes a record found by the mender.
func (c *checker) recovered(p transcript.Place) {
	doc, err := c.own.scanner.Scan(p.Text)
	if err != nil {
		return
	}
	c.own.record.Place = p
	if !doc.Root().Is(strictjson.Object) {
		return
	}
	c.own.slab = c.own.slab[:0]
	f := c.own.fact("", doc.Root())
	c.apply(&f)
	if c.opt.Observe != nil {
		c.opt.Observe("", &c.own.record)
	}
}

func (c *checker) document(ctx context.Context, r io.Reader) error {
	d := transcript.NewDocument(r, c.opt.Line)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		c.element(&e)
		c.opt.Block()
	}
	for _, f := range d.Faults {
		if f.Rule == "cut" && c.opt.Growing {
			f.Rule, f.Known, f.Lost = "unfinished", true, false
		}
		c.fault(f)
	}
	return nil
}

func (c *checker) element(e *transcript.Element) {
	if e.Long {
		c.unreadable++
		c.fault(transcript.Fault{Rule: "limit", Line: e.Line, Offset: e.Offset, Lost: true, Message: "an element is longer than the limit", Help: "raise the limit with --max-line-bytes"})
		return
	}
	text, faults := transcript.Mended(c.own.scanner, e.Place)
	for _, f := range faults {
		c.fault(f)
	}
	doc, err := c.own.scanner.Scan(text)
	if err != nil {
		c.unreadable++
		if f, ok := transcript.LimitFault(e.Place, err); ok {
			c.fault(f)
			return
		}
		c.fault(transcript.Fault{Rule: "cut", Line: e.Line, Offset: e.Offset, Lost: true, Message: "an element of " + e.List + " is not valid JSON: " + err.Error()})
		return
	}
	if e.Index < 0 && doc.Root().Is(strictjson.Array) {
		return
	}
	c.own.record.Place = e.Place
	c.own.record.Text = text
	c.own.slab = c.own.slab[:0]
	f := c.own.fact(e.List, doc.Root())
	c.apply(&f)
	if c.opt.Observe != nil {
		c.opt.Observe(e.List, &c.own.record)
	}
}

func (c *checker) add(f transcript.Fault, severity finding.Severity) {
	out := Finding(f)
	out.Severity = severity
	c.opt.Found(out)
}

// Finding converts a fault to a finding with its rule's severity.
func Finding(f transcript.Fault) finding.Finding {
	r, ok := ruleOf(f.Rule)
	if !ok {
		return finding.Finding{Message: f.Message, Line: f.Line}
	}
	out := r.New(f.Message)
	out.Line, out.Column, out.Help = f.Line, f.Column, f.Help
	switch f.Rule {
	case "glued", "spliced", "retried", "nul", "foreign", "bom", "broken_line":
		out.Help = cmp.Or(out.Help, "`cupel trace repair -o COPY FILE` writes a copy with the whole records, one per line")
	}
	if f.Lines > 1 {
		out.EndLine = f.Line + f.Lines - 1
	}
	if len(f.IDs) > 0 || f.Type != "" {
		out.Detail = Detail{Record: f.Type, IDs: f.IDs}
	}
	return out
}

// missing are rules whose violation means that a part of the conversation is missing.
var missing = map[string]bool{
	"cut": true, "spliced": true, "nul": true, "utf8": true, "limit": true, "shape": true, "header": true, "duplicate_id": true, "parent": true,
	"cycle": true, "orphan_result": true, "unanswered": true, "two_results": true, "session": true, "gap": true, "arguments": true, "rewind": true,
}

// partial are rules that only warn about partial sessions, but also mean missing data.
var partial = map[string]bool{"unanswered": true, "parent": true, "orphan_result": true, "header": true}

// Loses reports whether a finding means that a part of the conversation is missing.
func Loses(f finding.Finding) bool {
	rule := strings.TrimPrefix(f.Rule, "transcript.")
	return missing[rule] && (f.Severity == finding.Error || f.Severity == finding.Warning && partial[rule])
}

// Detail is the transcript-specific part of a finding.
type Detail struct {
	Record string   `json:"record_type,omitempty"`
	IDs    []string `json:"ids,omitempty"`
}

func (d Detail) Remarks() (list [][2]string) {
	return nil // the message names them
}

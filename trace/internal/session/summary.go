package session

import (
	"crypto/ed25519"
	"fmt"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Summarizer creates the summary of a range of a log. Create it with NewSummarizer and run it with stream.Runner.
type Summarizer struct {
	lines *Checker // reads the lines; it takes no events

	broken  int64
	said    map[noteSubject]bool
	notes   wire.Writer // the first of each kind
	entries coreWriter
	column  wire.Writer
	head    coreHead

	follower          // where hashes are not kept, all lines of a run are read again for them: they must be adjacent
	signed   bool     // an event is
	run      runEntry // the open run; n is 0 without one
	runBlock block
	blocks   wire.Writer  // of the run, unless its column has them
	last     []digest.Sum // hashes of its last events, a ring once it is full; unused where all are kept
}

// NewSummarizer returns a summarizer for a log of a family with an optional announced Ed25519 key. hashes keeps all
// event hashes in the column, to avoid rereading lines if another range needs them (see Ask). opt must have passed
// Options.Check.
func NewSummarizer(findings *stream.Findings, limits stream.Limits, family string, key ed25519.PublicKey, hashes bool, opt Options) (*Summarizer, error) {
	opt.sums = true
	lines, err := New(findings, limits, family, strictjson.Node{}, opt)
	if err != nil {
		return nil, err
	}
	lines.signatures.Key = key
	return &Summarizer{lines: lines, head: coreHead{kept: hashes}, said: map[noteSubject]bool{}, follower: follower{env: lines.env, adjacent: !hashes}}, nil
}

// NewReplayer returns a checker for the summaries of a log's ranges. The parameters are those of NewSummarizer.
func NewReplayer(findings *stream.Findings, limits stream.Limits, family string, key ed25519.PublicKey, opt Options) (*Checker, error) {
	c, err := New(findings, limits, family, strictjson.Node{}, opt)
	if err != nil {
		return nil, err
	}
	c.signatures.Key = key
	return c, nil
}

func (s *Summarizer) Worker() stream.Worker {
	w := s.lines.worker()
	w.deliver = s.putInOrder
	return w
}

// Summary returns the summary of the lines. Findings go to the list passed to NewSummarizer.
func (s *Summarizer) Summary() (core, column []byte, err error) {
	s.endRun()
	s.entries.endLosses()
	var w wire.Writer
	s.head.put(&w)
	w.Uint(uint64(s.broken))
	w.Uint(uint64(len(s.said)))
	w.Raw(s.notes.Bytes)
	w.Raw(s.entries.Bytes)
	return w.Bytes, s.column.Bytes, nil
}

// putInOrder processes the events of a block. Earlier blocks must have been processed.
func (s *Summarizer) putInOrder(b *batch) error {
	if b.err != nil {
		return b.err
	}
	s.begin(b)
	for i := range b.events {
		s.next(&b.events[i])
	}
	b.release()
	if s.size() > maxSummary {
		return errLarge
	}
	return nil
}

// begin stores the findings and notes of a block.
func (s *Summarizer) begin(b *batch) {
	s.lines.out.findings.Merge(b.findings)
	s.broken += b.broken
	for i := range b.notes {
		s.note(&b.notes[i], &b.events[b.notes[i].event])
	}
}

// size returns the size of the summary so far.
func (s *Summarizer) size() int {
	return len(s.notes.Bytes) + len(s.entries.Bytes) + len(s.column.Bytes) + len(s.blocks.Bytes) + s.runBlock.size()
}

// maxSummary limits the summary of a range. An intact log needs a twentieth of its size, a tenth with all hashes,
// but a log full of faults as much as the log.
const maxSummary = 128 << 20

var errLarge = fmt.Errorf("the summary of the range takes more than %d MiB: cut the log into smaller ranges", maxSummary>>20)

// note stores a note if it is the first of its kind. It drops notes beyond the number of kinds that a log tracks.
func (s *Summarizer) note(n *note, e *event) {
	if len(s.said) >= s.lines.out.most || s.said[n.noteSubject] {
		return
	}
	s.said[n.noteSubject] = true
	sum, _ := idSumOf(n.text(e))
	entry := noteEntry{note: *n, sum: sum, numbered: e.numbered, number: e.number, line: where{e.line.Number, e.line.Offset, len(e.line.Bytes)}}
	entry.put(&s.notes)
}

func (s *Summarizer) next(e *event) {
	s.signed = s.signed || e.signed != sigAbsent
	if e.lost != (loss{}) {
		s.endRun()
		s.entries.lose(e)
		s.lose()
		return
	}
	straight := s.straight(e)
	if straight {
		s.extend(e)
	} else {
		s.endRun()
		s.entries.endLosses()
		s.entries.event(e)
		s.head.asks = s.head.asks || s.lines.env.asks(e)
	}
	s.pass(e, straight)
}

// extend adds a regular event to the current run or starts a new one.
func (s *Summarizer) extend(e *event) {
	if s.run.n == 0 {
		s.run = runEntry{offset: e.line.Offset, numbered: e.numbered}
		s.runBlock.begin(e, s.before.line)
	}
	r := &s.run
	r.n++
	r.add(e)
	if e.marks.has(hasID) {
		s.head.ids++
	}
	if e.tool != (call{}) && e.kind == toolCall {
		s.head.calls++
	}
	if e.hash.proper && !s.head.kept {
		if len(s.last) < maxRecent {
			s.last = append(s.last, e.hash.Sum)
		} else {
			s.last[(r.n-1)%maxRecent] = e.hash.Sum
		}
	}
	if s.runBlock.add(e, sizeOf(e), s.head.kept); s.runBlock.full() {
		s.endBlock()
	}
}

// endBlock writes the current block. Unless all hashes are kept, blocks are buffered, because the run's last hashes
// are written before them.
func (s *Summarizer) endBlock() {
	to := &s.blocks
	if s.head.kept {
		to = &s.column
	}
	to.Reserve(s.runBlock.size())
	s.runBlock.put(to, s.head.kept)
}

// sizeOf returns the size of the event's line with its line end.
func sizeOf(e *event) int {
	size := len(e.line.Bytes)
	if e.line.CR {
		size++
	}
	if e.line.Terminated {
		size++
	}
	return size
}

func (s *Summarizer) endRun() {
	if s.run.n > 0 {
		s.entries.run(&s.run)
		s.entries.line, s.entries.hash = s.before.line, s.before.hash
		s.endBlock()
		oldest := 0
		if len(s.last) == maxRecent {
			oldest = int(s.run.n % maxRecent)
		}
		for i := range s.last {
			s.column.Sum(s.last[(oldest+i)%maxRecent])
		}
		s.column.Raw(s.blocks.Bytes)
		s.run, s.last, s.blocks.Bytes = runEntry{}, s.last[:0], s.blocks.Bytes[:0]
	}
}

package stream

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Counts counts the lines of the input by kind.
type Counts struct {
	Blank      int64
	Unreadable int64
	Readable   int64
}

// Empty reports whether all lines were blank.
func (c Counts) Empty() bool { return c.Readable+c.Unreadable == 0 }

// Block is a list of records in file order and the buffer that contains their bytes.
type Block struct {
	Data  []byte
	Lines iter.Seq[Line]
}

// Input returns blocks until io.EOF. Next can use the given buffer. Data before a read error is returned first.
type Input interface {
	Next(buf []byte) (Block, error)
}

// Runner feeds an input to the checker of its family.
type Runner struct {
	Findings *Findings
	Limits   Limits
	Jobs     int  // goroutines that read lines; 0 means one for each core
	Inline   bool // … or none: all is done on the caller's
	// Detect returns the checker for a first record. It must not return nil.
	Detect func(l Line, root strictjson.Node) Checker
	// Second, if set, is called for every line; doc is nil if the line was rejected. It can also reject the line. A
	// disagreement ends the run. It is called concurrently.
	Second func(l Line, doc *strictjson.Document, refused error) (refusal, disagreement error)

	Counts Counts
	// Checker is the checker that Detect returned, or nil without a readable record. If set before Run, Detect is
	// not called.
	Checker Checker
	// Beginning describes the start of the log, if the input is a range of it.
	Beginning *LogStart

	held *Findings // faults of an input that is possibly not a log
}

func (r *Runner) lineReader() lineReader {
	return lineReader{runner: r, scanner: r.Limits.Scanner()}
}

// task is a block and its checker, nil before the first readable record. The block with that record includes
// earlier unreadable lines.
type task struct {
	block   Block
	checker Checker
	lead    []Lost
	first   int // index of the first record in its block; 0 in later ones

	foreign bool // no record came before the block, and the input begins unlike a log
	opens   int  // index of the first non-blank line in its block; -1 in later ones
}

type result struct {
	counts Counts
	faults *Findings
	held   *Findings // of a possible non-log; nil: it is a log
	apply  func() error
	err    error
}

// Run reads the whole input. It returns a read error, a disagreement of engines or ctx's error; earlier findings
// stay valid.
func (r *Runner) Run(ctx context.Context, in Input) error {
	r.held = NewFindings(r.Limits.Findings)
	first := sniffer{reader: r.lineReader(), checker: r.Checker}
	pipeline := ordered.Pipeline[task, result]{
		Jobs: r.Jobs,
		Read: func(used task) (task, error) {
			block, err := in.Next(used.block.Data)
			if err != nil {
				return task{}, err
			}
			return first.task(block), nil
		},
		Weight: func(t task) int { return sizeOf(t.block, r.Limits.Values) },
		NewWorker: func() func(task) result {
			reader := r.lineReader()
			return func(t task) result {
				if reader.worker == nil && t.checker != nil {
					reader.worker = t.checker.Worker()
				}
				defer reader.scanner.Trim(ordered.Share(r.Jobs))
				return reader.read(t)
			}
		},
		Deliver: func(t task, done result) error {
			r.Checker = t.checker
			return r.apply(done)
		},
	}
	if r.Inline {
		return r.inline(ctx, pipeline)
	}
	return pipeline.Run(ctx)
}

// texts is a pool of buffers for short inputs.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// inline runs the pipeline on one goroutine and reuses the block's buffer.
func (r *Runner) inline(ctx context.Context, pipeline ordered.Pipeline[task, result]) error {
	text := texts.Get().(*[]byte)
	defer texts.Put(text)
	read := pipeline.Read
	pipeline.Read = func(used task) (task, error) {
		if used.block.Data == nil {
			used.block.Data = *text
		}
		next, err := read(used)
		if size := cap(next.block.Data); size > cap(*text) && size <= 2*defaultBlock {
			*text = next.block.Data
		}
		return next, err
	}
	return pipeline.RunInline(ctx)
}

// sniffer finds the first readable record. It keeps earlier unreadable lines, up to the findings limit.
type sniffer struct {
	reader  lineReader
	checker Checker
	lead    []Lost
	begun   bool // a line with content was seen
	foreign bool // … and it begins unlike a record
}

func (s *sniffer) task(b Block) task {
	t := task{block: b, checker: s.checker, opens: -1}
	if s.checker != nil {
		return t
	}
	t.foreign = s.foreign
	at := -1
	for l := range b.Lines {
		if at++; l.Blank() {
			continue
		}
		if s.opens(l) {
			t.foreign, t.opens = s.foreign, at
		}
		doc, lost, err := s.reader.scan(l)
		switch {
		case err != nil: // the block's worker comes to the same error
			return t
		case lost == nil:
			s.checker = s.reader.runner.Detect(l, doc.Root())
			t.checker, t.lead, t.first = s.checker, s.lead, at
			s.lead = nil
			return t
		case isMark(l):
		case len(s.lead) < s.reader.runner.Limits.Findings:
			lost.Line.Bytes = nil
			s.lead = append(s.lead, *lost)
		}
	}
	return t
}

// opens reports whether a line is the first nonblank one, and stores its kind.
func (s *sniffer) opens(l Line) bool {
	if s.begun || isMark(l) {
		return false
	}
	s.begun, s.foreign = true, source.Foreign(l.Bytes)
	return true
}

func (r *Runner) apply(done result) error {
	if done.err != nil {
		return done.err
	}
	r.Counts.Blank += done.counts.Blank
	r.Counts.Unreadable += done.counts.Unreadable
	r.Counts.Readable += done.counts.Readable
	r.Findings.Merge(done.faults)
	if done.held != nil {
		r.held.Merge(done.held)
	}
	if r.Checker != nil {
		r.Findings.Merge(r.held)
	}
	if done.apply != nil {
		if err := done.apply(); err != nil {
			return err
		}
	}
	r.Findings.EndBlock()
	return nil
}

// lineReader parses the lines of a block and passes the readable ones to the family's worker.
type lineReader struct {
	runner  *Runner
	scanner *strictjson.Scanner
	worker  Worker // nil as long as the family is unknown
}

func (lr *lineReader) read(t task) (done result) {
	done.faults = NewFindings(lr.runner.Limits.Findings)
	if t.foreign {
		done.held = NewFindings(lr.runner.Limits.Findings)
	}
	for _, l := range t.lead {
		lr.worker.Unreadable(l)
	}
	at := -1
	for l := range t.block.Lines {
		if at++; l.Blank() {
			done.counts.Blank++
			continue
		}
		doc, lost, err := lr.scan(l)
		switch {
		case err != nil:
			return result{err: err}
		case lost != nil:
			done.counts.Unreadable++
			switch {
			case lr.runner.Beginning != nil:
				lr.runner.Beginning.reject(done.faults, l, lost.Fault)
			case !t.foreign || at < t.opens:
				done.faults.Reject(lost.Fault)
			case at == t.opens:
				done.faults.Reject(foreigner(lost.Fault, l.Bytes))
			default:
				done.held.Reject(lost.Fault)
			}
			if lr.worker != nil && at >= t.first && !isMark(l) {
				lr.worker.Unreadable(*lost)
			}
		default:
			done.counts.Readable++
			if lr.worker != nil {
				lr.worker.Line(l, doc)
			}
		}
	}
	if lr.worker != nil {
		done.apply = lr.worker.Flush()
	}
	return done
}

// isMark reports whether a line is only a byte order mark: unreadable, but not a lost record.
func isMark(l Line) bool { return bytes.Equal(bytes.TrimRight(l.Bytes, space), byteOrderMark) }

// scan parses a line. lost is set if it is not an object. It returns an error if the engines disagree.
func (lr *lineReader) scan(l Line) (doc *strictjson.Document, lost *Lost, err error) {
	if l.Long {
		return nil, &Lost{Line: l, Fault: longLine(l, lr.runner.Limits.LineBytes), Cut: !l.Terminated}, nil
	}
	doc, refused := lr.scanner.Scan(l.Bytes)
	if lr.runner.Second != nil {
		refusal, err := lr.runner.Second(l, doc, refused)
		if err != nil {
			return nil, nil, err
		}
		refused = cmp.Or(refused, refusal)
	}
	if refused != nil {
		return nil, &Lost{l, lineFault(l, refused), isCut(l, refused), lr.glued(l, refused)}, nil
	}
	if root := doc.Root(); !root.Is(strictjson.Object) {
		return nil, &Lost{Line: l, Fault: notObject(l, root)}, nil
	}
	return doc, nil, nil
}

// glued returns the number of further records on a line.
func (lr *lineReader) glued(l Line, refused error) (more int) {
	var fault *strictjson.Error
	for text := l.Bytes; errors.As(refused, &fault) && startsRecord(text, fault); more++ {
		text = text[fault.Offset:]
		_, refused = lr.scanner.Scan(text)
	}
	return more
}

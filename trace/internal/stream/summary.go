package stream

import (
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// A log can be verified in ranges on different machines. Each range is summarized by a small core and a column with
// a row per event. Combined in file order, the summaries replace the lines.

// Summarizer creates the summary of a range.
type Summarizer interface {
	// Worker returns a new worker. Lines and offsets are relative to the range.
	Worker() Worker
	// Summary returns the summary after the last block. It is deterministic.
	Summary() (core, column []byte, err error)
}

// Replay is the summary of a range with its position in the log.
type Replay struct {
	Core   []byte
	Column io.Reader // opened at the first read, which fails where the column is not there
	Lines  int       // of the log before the range
	Offset int64     // bytes of the log before the range
	// Lead is the number of unreadable lines to process before the first record, or nil after that record.
	Lead *int
	// Recall rereads bytes at an offset of the log.
	Recall func(offset int64, size int) ([]byte, error)
}

// Replayer is a checker that processes summaries of ranges in file order instead of lines.
type Replayer interface {
	Checker
	// Expect is called with the cores of all ranges before the first is processed, to find out what they need from
	// earlier ranges. Without it, all data is kept.
	Expect(core []byte) error
	Replay(r Replay) error
}

// LogStart describes a log's first lines. Offsets are -1 for missing lines.
type LogStart struct {
	Record  int64 `json:"record"`  // offset of the first line that is a record
	Line    int   `json:"line"`    // its number
	Opens   int64 `json:"opens"`   // offset of the first line with content, a lone byte order mark left out
	Foreign bool  `json:"foreign"` // that line begins unlike a record
}

// ReadLogStart reads up to the first record and passes it to take.
func ReadLogStart(in Input, limits Limits, take func(root strictjson.Node)) (LogStart, error) {
	reader := (&Runner{Limits: limits}).lineReader()
	s := sniffer{reader: reader}
	b := LogStart{Record: -1, Opens: -1}
	var used []byte
	for {
		block, err := in.Next(used)
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return LogStart{}, err
		}
		used = block.Data
		for l := range block.Lines {
			if l.Blank() {
				continue
			}
			if s.opens(l) {
				b.Opens, b.Foreign = l.Offset, s.foreign
			}
			if doc, _, _ := s.reader.scan(l); doc != nil {
				b.Record, b.Line = l.Offset, l.Number
				take(doc.Root())
				return b, nil
			}
		}
	}
}

// From returns the log start relative to a range.
func (b LogStart) From(offset int64) *LogStart {
	b.Opens -= offset // without an opening line it is not Foreign
	return &b
}

// reject adds the fault of a line in a range. If the input is not a log, only the first line's fault counts.
func (b *LogStart) reject(faults *Findings, l Line, fault Finding) {
	switch {
	case b.Foreign && l.Offset == b.Opens:
		faults.Reject(foreigner(fault, l.Bytes))
	case b.Foreign && b.Record < 0 && l.Offset > b.Opens:
	default:
		faults.Reject(fault)
	}
}

// Encode writes the counts and kept findings of each stage.
func (c *Findings) Encode(w *wire.Writer) {
	c.EndBlock()
	for which := range c.stages {
		s := &c.stages[which]
		for _, n := range s.count {
			w.Uint(uint64(n))
		}
		list := s.list()
		slices.SortStableFunc(list, compare)
		w.Uint(uint64(len(list)))
		for i := range list {
			encodeFinding(w, &list[i])
		}
	}
}

// MergeEncoded merges encoded findings of a range that starts after lines lines.
func (c *Findings) MergeEncoded(r *wire.Reader, lines int) {
	for which := range c.stages {
		var count [3]int
		for severity := range count {
			count[severity] = int(r.Uint())
		}
		for range r.Count(leastFinding) {
			f := decodeFinding(r, lines)
			if r.Err() != nil {
				return
			}
			c.add(which, f)
			count[f.Severity]--
		}
		for severity, n := range count {
			if n < 0 {
				r.Fail("more findings than were counted")
				return
			}
			c.stages[which].count[severity] += n
		}
	}
}

// leastFinding is the minimum encoded size of a finding.
const leastFinding = 19

func encodeFinding(w *wire.Writer, f *Finding) {
	if f.Fix != nil || f.Detail != nil {
		panic("stream.encodeFinding: a fix or a detail is nothing that a reader of lines finds")
	}
	w.Text(f.Rule)
	w.Uint(uint64(f.Severity))
	w.Text(f.Message)
	for _, n := range []int{f.Line, f.Column, f.EndLine, f.EndColumn} {
		w.Uint(uint64(n))
	}
	w.Text(f.Path)
	w.Bool(f.Index != nil)
	if f.Index != nil {
		w.Int(*f.Index)
	}
	w.Text(f.Expected)
	w.Text(f.Found)
	w.Uint(uint64(len(f.Notes)))
	for _, n := range f.Notes {
		w.Text(n)
	}
	w.Text(f.Help)
	w.Text(f.CausedBy)
	w.Text(f.Source.Text)
	for _, n := range []int{f.Source.Caret, f.Source.Width, f.Source.Astral[0], f.Source.Astral[1]} {
		w.Uint(uint64(n))
	}
}

// decodeFinding reads a finding and adds lines to its line numbers.
func decodeFinding(r *wire.Reader, lines int) (f Finding) {
	number := func() int { return int(r.Uint()) }
	f.Rule = r.Text()
	severity := r.Uint()
	if severity > uint64(finding.Error) {
		r.Fail(fmt.Sprintf("a finding of severity %d", severity))
	}
	f.Severity = finding.Severity(severity)
	f.Message = r.Text()
	f.Line, f.Column, f.EndLine, f.EndColumn = number(), number(), number(), number()
	f.Path = r.Text()
	if r.Bool() {
		n := r.Int()
		f.Index = &n
	}
	f.Expected, f.Found = r.Text(), r.Text()
	for range r.Count(1) {
		f.Notes = append(f.Notes, r.Text())
	}
	f.Help, f.CausedBy = r.Text(), r.Text()
	f.Source.Text = r.Text()
	f.Source.Caret, f.Source.Width, f.Source.Astral[0], f.Source.Astral[1] = number(), number(), number(), number()
	if f.Line > 0 {
		f.Line += lines
	}
	if f.EndLine > 0 {
		f.EndLine += lines
	}
	return f
}

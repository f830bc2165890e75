package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Segment is one file of a rotated log.
type Segment struct {
	Name string                        // its display name, for findings
	Open func() (io.ReadCloser, error) // called again for the diagnosis of a failed log
}

// VerifyChain verifies the segments of a rotated session log, in order, as one log. The report,
// Options.ExpectSHA256, Options.Anchor and Report.Bytes refer to the concatenation. One segment is open at a time.
//
// Line numbers are relative to segments: findings name theirs in File, and damage in FromFile and ToFile. The last
// line of a segment is complete even without a line end. An empty segment is a warning. Options.Name names the
// whole log.
//
// It returns the errors of Verify, an error opening a segment, or an error if the segments are not session logs of
// JSON lines or if opt requests a growing log or a second engine.
func VerifyChain(ctx context.Context, segments []Segment, opt Options) (*Report, error) {
	switch {
	case len(segments) == 0:
		return nil, errors.New("the chain has no segments")
	case opt.growing():
		return nil, errors.New("a chain of segments cannot be followed while it grows")
	case opt.Engine.consultsSecond():
		return nil, fmt.Errorf("engine %q reads one file, not a chain of segments", opt.Engine)
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	v := newVerification(opt)
	v.chain = &chain{segments: segments, all: segments}
	defer v.chain.close()
	report, err := v.verify(ctx, v.chain)
	if report != nil {
		v.chain.locate(report)
	}
	return report, exported(err)
}

var errNotRotated = errors.New("a reasoning trace is one file, not a chain of segments: verify it separately")

// chain reads the segments in sequence; no read spans two segments. The reader of an interrupted run can still be
// reading when the chain is closed.
type chain struct {
	lines *stream.Segments

	mu       sync.Mutex
	segments []Segment // that are still to be read
	all      []Segment
	open     io.ReadCloser
	read     io.Reader // its text from the start
	name     string    // open segment
}

func (c *chain) input(r io.Reader, limits stream.Limits, block int) stream.Input {
	c.lines = stream.NewSegments(r, c.next, limits, block)
	return c.lines
}

func (c *chain) Read(p []byte) (int, error) {
	c.mu.Lock()
	open, name := c.read, c.name
	c.mu.Unlock()
	if open == nil {
		return 0, io.EOF
	}
	n, err := open.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%q: %w", name, err)
	}
	return n, err
}

// next closes the open segment and opens the next one.
func (c *chain) next() (name string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut()
	if len(c.segments) == 0 {
		return "", io.EOF
	}
	s := c.segments[0]
	c.segments = c.segments[1:]
	c.open, err = s.Open()
	c.name = s.Name
	if err == nil {
		err = c.look()
	}
	return s.Name, err
}

// look rejects a segment that is a transcript. A read error is that of the next read.
func (c *chain) look() error {
	head, kind, err := transcript.Peek(c.open, false, isTrace)
	if kind.Format != transcript.None {
		return &TranscriptError{c.name, string(kind.Format), "chain"}
	}
	rest := io.Reader(c.open)
	if err != nil {
		rest = failed{err}
	}
	c.read = io.MultiReader(bytes.NewReader(head), rest)
	return nil
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// again reads all segments a second time, or returns why it cannot. A line feed is added to a segment that ends
// without one.
func (c *chain) again() (text []byte, why string) {
	for _, s := range c.all {
		r, err := s.Open()
		if err != nil {
			return nil, fmt.Sprintf("%q cannot be read again", s.Name)
		}
		more, err := io.ReadAll(io.LimitReader(r, int64(MaxDiagnosisBytes+1-len(text))))
		_ = r.Close() // opened for reading: nothing can be lost
		if err != nil {
			return nil, fmt.Sprintf("%q cannot be read again", s.Name)
		}
		if text = append(text, more...); len(text) > MaxDiagnosisBytes {
			return nil, tooLong
		}
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
	}
	return text, ""
}

// close closes the open segment and prevents opening others.
func (c *chain) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut()
	c.segments = nil
}

func (c *chain) shut() {
	if c.open != nil {
		_ = c.open.Close() // opened for reading: nothing can be lost
		c.open = nil
	}
}

// lineName returns a function that names lines in messages, or nil for a single file.
func (c *chain) lineName() func(line, from int) (string, bool) {
	if c == nil {
		return nil
	}
	return c.nameLine
}

// nameLine returns the name of a line for a message about line from. elsewhere reports whether the lines are in
// different segments.
func (c *chain) nameLine(line, from int) (name string, elsewhere bool) {
	there, at, number := c.lines.Place(line)
	if _, here, _ := c.lines.Place(from); at == here {
		return fmt.Sprintf("line %d", number), false
	}
	return fmt.Sprintf("line %d of %q", number, there.Name), true
}

// empty returns findings for empty segments, unless the whole log is empty or a single file.
func (c *chain) empty() (list []Finding) {
	if c == nil {
		return nil
	}
	all := c.lines.List()
	for i, s := range all {
		if !s.Content {
			f := rules[segmentEmpty].New(fmt.Sprintf("segment %d of %d has no content", i+1, len(all)))
			f.File = s.Name
			list = append(list, f)
		}
	}
	if len(list) == len(all) {
		return nil
	}
	return list
}

// locate converts the line numbers of a report to those of the segments.
func (c *chain) locate(r *Report) {
	for i := range r.Findings {
		c.place(&r.Findings[i])
	}
	if r.FirstLine > 0 {
		first, _, number := c.lines.Place(r.FirstLine)
		r.FirstFile, r.FirstLine = first.Name, number
	}
	if all := r.Sessions; all != nil {
		r.Sessions = func(yield func(*Report) bool) {
			for s := range all {
				if c.locate(s); !yield(s) {
					return
				}
			}
		}
	}
	for i := range r.Damage {
		d := &r.Damage[i]
		d.From, d.FromFile = c.reach(d.From)
		d.To, d.ToFile = c.reach(d.To)
	}
}

// reach returns the segment and line number of a damage boundary. 0 stays 0.
func (c *chain) reach(line int64) (number int64, file string) {
	if line == 0 {
		return 0, ""
	}
	s, _, at := c.lines.Place(int(line))
	return int64(at), s.Name
}

func (c *chain) place(f *Finding) {
	if f.Line == 0 {
		return
	}
	s, here, number := c.lines.Place(f.Line)
	if rule, line, ok := cutCause(f.CausedBy); ok {
		if there, at, number := c.lines.Place(line); at == here {
			f.CausedBy = fmt.Sprintf("%s@%d", rule, number)
		} else {
			f.CausedBy = fmt.Sprintf("%s@%s:%d", rule, there.Name, number)
		}
	}
	f.File, f.Line = s.Name, number
}

// cutCause splits "rule@line".
func cutCause(cause string) (rule string, line int, ok bool) {
	rule, at, ok := strings.Cut(cause, "@")
	if !ok {
		return "", 0, false
	}
	_, err := fmt.Sscan(at, &line)
	return rule, line, err == nil
}

// Package copying makes session events of transcripts. Each event cites the bytes that it was made of.
//
// Events come in file order and memory is flat: a transcript is read twice, first for its branches and times, then for
// its events. Texts, arguments and results are not copied, only their SHA-256.
package copying

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/check"
)

// Source is a transcript whose bytes can be read in any order.
type Source struct {
	Text io.ReaderAt
	Size int64
	Sum  digest.Sum
	Path string // for citations

	LineBytes int // longest line or element; 0: the default
}

// Survey is what a first reading of a transcript found.
type Survey struct {
	Kind    transcript.Kind
	Session string
	First   time.Time // earliest record, or zero

	branches branches
}

// ErrNone is returned for a file that is not a transcript.
var ErrNone = errors.New("it is not a transcript of a known format")

// ErrChanged is returned for a source that changed between two readings.
var ErrChanged = errors.New("it changed while it was read")

// Look reads a transcript for the first time.
func Look(ctx context.Context, s Source) (*Survey, error) {
	_, kind, err := transcript.Peek(s.reader(), false, nil)
	if err != nil {
		return nil, err
	}
	if kind.Format == transcript.None {
		return nil, ErrNone
	}
	v := &Survey{Kind: kind}
	opt := s.options(kind)
	if kind.Format == transcript.ClaudeCode {
		opt.Observe = v.branches.take
	}
	done, err := check.Check(ctx, s.reader(), opt)
	if err != nil {
		return nil, err
	}
	v.branches.end()
	v.Session = done.Session
	if done.First != 0 {
		v.First = time.UnixMilli(done.First).UTC()
	}
	return v, nil
}

func (s Source) reader() io.Reader { return io.NewSectionReader(s.Text, 0, s.Size) }

func (s Source) options(kind transcript.Kind) check.Options {
	return check.Options{Kind: kind, Line: s.LineBytes, Found: func(finding.Finding) {}}
}

// Counts say what became of the records of a transcript.
type Counts struct {
	Records int64 // including recovered ones
	Events  int64
	Lost    int64            // parts of the conversation that are missing or could not be read
	Without map[string]int64 // records that are no events, by type
	Skipped int64            // parts that repeat an earlier one
	Undone  int64            // records that take back earlier ones: those stay, as they happened
}

// maxTypes limits the types that Counts distinguishes. The others are counted together.
const maxTypes = 200

// Events yields the events of a transcript, without SESSION_START and SESSION_END. A LOG_DROP lacks the members
// seq_range_start and seq_range_end, which depend on the log. counts is complete at the end. An
// error comes last.
func Events(ctx context.Context, s Source, v *Survey, counts *Counts) iter.Seq2[*cite.Event, error] {
	return func(yield func(*cite.Event, error) bool) {
		reading, stop := context.WithCancel(ctx)
		defer stop()
		c := &copier{source: s, survey: v, counts: counts, named: map[string]tool{}, seen: map[uint64]bool{}}
		stopped := false
		c.send = func(e *cite.Event) {
			if counts.Events++; !stopped && !yield(e, nil) {
				stopped = true
				stop()
			}
		}
		counts.Without = map[string]int64{}
		hash := sha256.New()
		input := io.TeeReader(s.reader(), hash)
		opt := s.options(v.Kind)
		opt.Observe, opt.Found = c.record, c.found
		done, err := check.Check(reading, input, opt)
		counts.Records = done.Records
		if err == nil && c.failed == nil {
			c.flush()
			_, err = io.Copy(io.Discard, input)
		}
		if err == nil && digest.Sum(hash.Sum(nil)) != s.Sum {
			err = ErrChanged
		}
		if err = cmp.Or(c.failed, err); err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// copier makes events of records.
type copier struct {
	source Source
	survey *Survey
	counts *Counts
	send   func(*cite.Event)
	failed error

	held  []*cite.Event // events after a prompt whose model is not known yet
	model named
	named map[string]tool // open calls by id
	seen  map[uint64]bool // parts of messages that can be written again
	marks []mark          // for the next event
	buf   []byte
	at    time.Time

	said speaker // inside a record with several messages
}

type (
	named struct {
		text string
		raw  []byte
		span cite.Span
	}
	tool struct{ named }
	mark struct {
		name  string
		value string // JSON, if it is not a text of the record
		text  named
	}
	speaker uint8
)

const (
	nobody speaker = iota
	asking
	answering
)

const (
	maxHeld  = 1000    // events that wait for a model
	maxCalls = 100_000 // open calls and parts that are remembered
)

// found makes an event of a fault that lost a part of the conversation.
func (c *copier) found(f finding.Finding) {
	if !check.Loses(f) {
		return
	}
	c.lose(f.Rule, f.Line)
}

func (c *copier) lose(rule string, line int) {
	c.counts.Lost++
	e := &cite.Event{Type: "LOG_DROP", At: c.at}
	e.Put("count", "1")
	e.PutText("reason", "internal_error")
	e.PutText("rule", rule)
	e.Put("line", itoa(int64(line)))
	e.PutText("content_path", c.source.Path)
	c.add(e)
}

// add passes an event on, after those that wait.
func (c *copier) add(e *cite.Event) {
	if len(c.held) == 0 && e.Type != "LLM_CALL" {
		c.send(e)
		return
	}
	if c.held = append(c.held, e); len(c.held) >= maxHeld {
		c.flush()
	}
}

// flush passes on the events that wait, with the latest model.
func (c *copier) flush() {
	for _, e := range c.held {
		if e.Type == "LLM_CALL" {
			c.putNamed(e, "model_id", c.model)
		}
		c.send(e)
	}
	c.held = c.held[:0]
}

func (c *copier) putNamed(e *cite.Event, name string, n named) {
	if n.text == "" {
		e.PutText(name, cite.Unknown)
		return
	}
	e.Copy(name, n.text, n.raw, n.span)
	if !e.Has(name) {
		e.PutText(name, cite.Unknown) // too long: only its hash is copied
	}
}

// record makes the events of a record.
func (c *copier) record(list string, r *transcript.Record) {
	if c.failed != nil {
		return
	}
	if !c.whole(r) {
		return
	}
	if ms, ok := transcript.Millis(r.Time); ok && !r.Has(transcript.NoTime) {
		if at := time.UnixMilli(ms); at.After(c.at) {
			c.at = at // a log's clock does not run backwards
		}
	}
	if !r.Model.Missing() && !r.Has(transcript.Synthetic) {
		c.model = c.namedBy(r, r.Model)
	}
	if r.Has(transcript.Model) {
		c.flush()
	}
	c.undo(r)
	before := c.counts.Events + int64(len(c.held)) + c.counts.Skipped
	c.said = nobody
	c.parts(r, r)
	for m := range messages(r) {
		inner := &transcript.Record{Place: r.Place}
		transcript.Read(c.survey.Kind.Format, "", m, inner)
		inner.Place = r.Place
		c.parts(r, inner)
	}
	if c.counts.Events+int64(len(c.held))+c.counts.Skipped == before {
		c.without(list, r)
	}
}

// without counts a record that is not an event.
func (c *copier) without(list string, r *transcript.Record) {
	name := r.Type
	if name == "" {
		name = list
	}
	if name == "" || len(name) > 100 {
		name = "untyped"
	}
	if _, known := c.counts.Without[name]; !known && len(c.counts.Without) >= maxTypes {
		name = "other types"
	}
	c.counts.Without[name]++
}

func messages(r *transcript.Record) iter.Seq[strictjson.Node] {
	if !r.Messages.Is(strictjson.Array) {
		return func(func(strictjson.Node) bool) {}
	}
	return r.Messages.Children()
}

// whole reports whether the text of a record is as in the file. A record that was repaired cannot be cited.
func (c *copier) whole(r *transcript.Record) bool {
	if n := len(r.Text); cap(c.buf) < n {
		c.buf = make([]byte, n)
	}
	b := c.buf[:len(r.Text)]
	n, err := c.source.Text.ReadAt(b, r.Offset)
	if n < len(b) && err != io.EOF {
		c.failed = err
		return false
	}
	if n < len(b) || string(b) != string(r.Text) {
		c.lose("transcript.damaged", r.Line)
		return false
	}
	return true
}

// undo marks the next event after a record that takes back earlier ones.
func (c *copier) undo(r *transcript.Record) {
	switch {
	case !r.Rewind.Missing() && !r.Has(transcript.Header):
		c.marks = append(c.marks, mark{name: "rewinds_to", text: c.namedBy(r, r.Rewind)})
	case r.Back > 0:
		c.marks = append(c.marks, mark{name: "undoes_turns", value: itoa(r.Back)})
	case r.Messages.Exists():
		c.marks = append(c.marks, mark{name: "replaces_history", value: "true"})
	default:
		return
	}
	c.counts.Undone++
}

func (c *copier) namedBy(r *transcript.Record, n strictjson.Node) named {
	text, ok := n.Text()
	if !ok || text == "" {
		return named{}
	}
	return named{text, append([]byte(nil), n.Raw()...), spanIn(r, n)}
}

// spanIn returns the place of a value in the file.
func spanIn(r *transcript.Record, n strictjson.Node) cite.Span {
	start, end := n.Span()
	return cite.Span{r.Offset + int64(start), r.Offset + int64(end)}
}

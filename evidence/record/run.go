// Package record writes evidence streams: it completes what an agent reports to events with ids and content hashes.
//
// A Run returns the lines of a stream. The caller writes them and reads the first and last line back after a crash.
// Each file is one run, numbered from 0. The first event of a run that continues another one has the type
// cupel.record.continued, whose data has the run root of the file before.
package record

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/recorder"
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Options configures a Run.
type Options struct {
	Run    string // id of a new run; "": that of its first event, or a random one
	Source string // URI of the recorder, for events without one; default DefaultSource
	Type   string // type of objects that are not events; "": they are refused

	Producer, Version, Git string // of events that do not have them

	// Redact replaces an event before it is hashed. It appends nothing if there is nothing to replace. It can be nil.
	Redact func(dst []byte, event *evidence.Event) ([]byte, error)

	Now    func() time.Time // default time.Now
	Limits evidence.Limits
}

// DefaultSource is the source of events that do not have one.
const DefaultSource = "urn:cupel:record"

// ErrKind is returned for an object of no known kind.
var ErrKind = errors.New("the object has neither specversion nor event_type, and no type of a step")

// Run builds the lines of an evidence stream. After an error it is unchanged. It is not safe for concurrent use.
type Run struct {
	opt    Options
	in     *strictjson.Scanner
	hasher *evidence.Hasher
	writer *jcs.Writer
	text   []byte
	state
}

// state is what the next line depends on.
type state struct {
	run, source string
	log         string // the first run's id; "": this one is the first
	seq         uint64
	began       time.Time
	link        []byte // data of the segments.TypeContinued that comes first, or nil
}

// NewRun returns a Run that starts a new stream.
func NewRun(opt Options) *Run {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	opt.Limits = opt.Limits.WithDefaults()
	limits := strictjson.Limits{TextBytes: int(opt.Limits.LineBytes), Depth: int(opt.Limits.JSONDepth), Keys: evidence.MaxKeys}
	return &Run{opt: opt, in: strictjson.NewScanner(limits), hasher: evidence.NewHasher(evidence.Options{Limits: opt.Limits, ExactIntegers: true}), writer: jcs.NewWriter(nil)}
}

// Next starts a run in a new file. full is the current file.
func (r *Run) Next(full io.Reader) error {
	total, err := evidence.HashStream(context.Background(), full, evidence.Options{Limits: r.opt.Limits, Lines: true, Check: true}, func(*evidence.Result) error { return nil })
	if err != nil {
		return err
	}
	if !total.Rooted || total.Matched != total.Events {
		return fmt.Errorf("%d of its %d events have a wrong content hash", total.Events-total.Matched, total.Events)
	}
	log := cmp.Or(r.log, r.run)
	link := jcs.AppendText(fmt.Appendf(nil, `{"events":%d,"log":`, total.Events), log)
	link = append(link, `,"run_id":`...)
	link = fmt.Appendf(jcs.AppendText(link, r.run), `,"run_root":"%s"}`, total.RunRoot)
	if r.opt.Run == r.run {
		r.opt.Run = "" // it was used
	}
	r.state = state{source: r.source, log: log, link: link}
	return nil
}

// Began returns the time of the run's first event, zero before it.
func (r *Run) Began() time.Time { return r.began }

// Events returns the number of events in the run.
func (r *Run) Events() int64 { return int64(r.seq) }

// Open returns false, because a run has no last event.
func (r *Run) Open() bool { return false }

// End returns dst: a run has no last event.
func (r *Run) End(dst []byte, _, _ string) ([]byte, error) { return dst, nil }

// ID returns the id of the run, "" before its first event.
func (r *Run) ID() string { return r.run }

const hashName = "assaycontenthash"

// Prefix returns the text with which each line starts.
func (r *Run) Prefix() string { return `{"a` }

// attributes are the members of an event, as JSON.
type attributes map[string][]byte

func (a attributes) setText(name, value string) { a[name] = jcs.AppendText(nil, value) }

// Append appends the line of an event to dst. The event is one of
//
//   - an event: an object with specversion. id, assayrunid and assayseq are set; a recorded content hash must be right
//   - a session event: an object with event_type, which becomes the type, and payload
//   - a step of a trace for tests, which becomes the data of an event with the type of the step
//   - with Options.Type, any other object, which becomes the data
func (r *Run) Append(dst, event []byte) ([]byte, error) {
	doc, err := r.in.Scan(event)
	if err != nil {
		return dst, err
	}
	a, err := r.read(doc.Root())
	if err != nil {
		return dst, err
	}
	before, size := r.state, len(dst)
	if r.seq == 0 {
		r.begin(a)
	}
	if link := r.link; link != nil && r.seq == 0 {
		dst, err = r.line(dst, attributes{"type": []byte(`"` + segments.TypeContinued + `"`), "data": link})
	}
	if err == nil {
		dst, err = r.line(dst, a)
	}
	if err != nil {
		r.state = before
		return dst[:size], err
	}
	return dst, nil
}

// read returns the attributes of an event of any kind.
func (r *Run) read(root strictjson.Node) (attributes, error) {
	if err := recorder.Object(root); err != nil {
		return nil, err
	}
	switch a := (attributes{}); {
	case root.Get("specversion").Exists():
		for m := range root.Children() {
			if !m.Missing() {
				a[m.Key()] = m.Raw()
			}
		}
		return a, nil
	case root.Get("event_type").Exists():
		a["type"], a["data"] = root.Get("event_type").Raw(), root.Get("payload").Raw()
		if root.Get("payload").Missing() {
			return nil, errors.New("the session event has no payload, expected an object")
		}
		if at := root.Get("timestamp"); !at.Missing() {
			a["time"] = at.Raw()
		}
		return a, nil
	case r.opt.Type != "":
		a.setText("type", r.opt.Type)
		a["data"] = root.Raw()
		return a, nil
	case recorder.IsStep(root):
		a["type"], a["data"] = root.Get("type").Raw(), root.Raw()
		return a, nil
	}
	return nil, ErrKind
}

// begin takes over the run and source of the first event.
func (r *Run) begin(first attributes) {
	if r.run = r.opt.Run; r.run == "" {
		r.run = textOf(first["assayrunid"])
	}
	if r.run == "" {
		var b [8]byte
		_, _ = rand.Read(b[:]) // it never fails
		r.run = "run_" + hex.EncodeToString(b[:])
	}
	for _, source := range []string{textOf(first["source"]), r.source, r.opt.Source, DefaultSource} {
		if r.source = source; source != "" {
			break
		}
	}
}

// textOf returns a JSON string's text, "" for any other value.
func textOf(value []byte) string {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(value)
	if err != nil {
		return ""
	}
	text, _ := doc.Root().Text()
	return text
}

// line appends the line of an event.
func (r *Run) line(dst []byte, a attributes) ([]byte, error) {
	recorded := a[hashName]
	delete(a, hashName)
	for _, must := range []struct{ name, text string }{{"source", r.source}, {"assayrunid", r.run}} {
		if given := textOf(a[must.name]); given != "" && given != must.text {
			return dst, fmt.Errorf("%s is %q, but that of the stream is %q", must.name, given, must.text)
		}
		a.setText(must.name, must.text)
	}
	now := r.opt.Now().UTC().Truncate(time.Microsecond)
	a.setText("id", r.run+":"+strconv.FormatUint(r.seq, 10))
	a["assayseq"] = strconv.AppendUint(nil, r.seq, 10)
	for _, d := range []struct{ name, value string }{
		{"specversion", `"1.0"`},
		{"datacontenttype", `"application/json"`},
		{"time", string(jcs.AppendText(nil, now.Format("2006-01-02T15:04:05.000000Z")))},
		{"assayproducer", string(jcs.AppendText(nil, r.opt.Producer))},
		{"assayproducerversion", string(jcs.AppendText(nil, r.opt.Version))},
		{"assaygit", string(jcs.AppendText(nil, r.opt.Git))},
		{"assaypii", "false"},
		{"assaysecrets", "false"},
	} {
		if a[d.name] == nil {
			a[d.name] = []byte(d.value)
		}
	}
	text := append(r.text[:0], '{')
	for _, name := range slices.Sorted(maps.Keys(a)) {
		text = append(append(append(jcs.AppendText(text, name), ':'), a[name]...), ',')
	}
	text[len(text)-1] = '}'
	r.text = text
	text, sum, err := r.hash(text)
	if err != nil {
		return dst, err
	}
	if recorded != nil && textOf(recorded) != sum {
		return dst, fmt.Errorf("%s is %s, but the hash of the content is %s", hashName, recorded, sum)
	}
	whole := append(append(append([]byte(`{"`+hashName+`":"`), sum...), '"', ','), text[1:]...)
	doc, err := r.in.Scan(whole)
	if err != nil {
		return dst, err
	}
	dst = append(r.writer.Append(dst, doc.Root()), '\n')
	if r.seq == 0 {
		r.began = now
	}
	r.seq++
	return dst, nil
}

// hash returns an event after redaction, and its content hash.
func (r *Run) hash(text []byte) ([]byte, string, error) {
	result, err := r.hashed(text)
	if err == nil && r.opt.Redact != nil {
		var redacted []byte
		if redacted, err = r.opt.Redact(nil, result.Event); err == nil && len(redacted) > 0 {
			text = redacted
			result, err = r.hashed(text)
		}
	}
	if err != nil {
		return nil, "", err
	}
	return text, result.ContentHash(), nil
}

func (r *Run) hashed(text []byte) (evidence.Result, error) {
	result, err := r.hasher.Hash(text)
	if err != nil {
		return result, err
	}
	for _, f := range result.Findings {
		if f.Severity == finding.Error || !result.Hashed {
			return result, errors.New(f.Message)
		}
	}
	return result, nil
}

// Resume continues the run of a stream with these first and last lines, without line ends. The error is ErrTorn of
// package recorder if last is not a whole event, or says why the stream cannot be continued.
func (r *Run) Resume(first, last []byte) error {
	s, err := r.recorded(first)
	if err != nil {
		return fmt.Errorf("its first line is not an event of an evidence stream: %w", err)
	}
	if doc, err := r.in.Scan(last); err != nil || !doc.Root().Is(strictjson.Object) {
		return recorder.ErrTorn
	}
	end, err := r.recorded(last)
	switch {
	case err != nil:
		return fmt.Errorf("its last line is not an event of the stream: %w", err)
	case end.run != s.run || end.source != s.source || s.seq != 0:
		return errors.New("its first and last event are not of one run that starts at 0")
	}
	if id := r.opt.Run; id != "" && id != s.run {
		return fmt.Errorf("its run is %q, but the run %q is wanted", s.run, id)
	}
	s.seq = end.seq + 1
	r.state = s
	return nil
}

// recorded reads an event of a stream and checks its content hash. seq is that of the event.
func (r *Run) recorded(line []byte) (s state, err error) {
	result, err := r.hasher.Hash(line)
	if err != nil {
		return s, err
	}
	if result.Match != evidence.Same {
		return s, errors.New("expected an event with its content hash")
	}
	doc, err := r.in.Scan(line)
	if err != nil {
		return s, err
	}
	root := doc.Root()
	s.run, _ = root.Get("assayrunid").Text()
	s.source, _ = root.Get("source").Text()
	if root.Get("type").TextIs(segments.TypeContinued) {
		s.log, _ = root.Get("data").Get("log").Text()
	}
	at, _ := root.Get("time").Text()
	s.began, _ = time.Parse(time.RFC3339Nano, at)
	if seq, ok := root.Get("assayseq").Uint(); ok && s.run != "" {
		s.seq = seq
		return s, nil
	}
	return s, errors.New("expected the members assayrunid and assayseq")
}

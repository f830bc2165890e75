// Package record writes session logs of format 1.0: it turns what an agent reports into events of a hash chain.
//
// A Chain returns the lines of a log. The caller writes them and reads the log's first and last line back after a
// crash (see [Chain.Resume]). Each file holds one session. A session that continues another one says so in its
// SESSION_START, so that a missing or changed file is detected:
//
//	"continues":{"events":120,"head":"9f…","log":"6f0e…","segment":2,"session_id":"6f0e…"}
//
// log is the id of the first session and segment counts its files. events and head describe the session before.
package record

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/recorder"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Options configures a Chain.
type Options struct {
	Session string // id of a new session; "": that of its first event, or a random UUID
	Agent   string // agent_id, if SESSION_START does not have one; default DefaultAgent
	Type    string // event type of objects that are not events; "": they are refused

	// Key signs each event. The public key is announced in SESSION_START.
	Key ed25519.PrivateKey

	// Payload replaces the payload of an event before it is hashed, for example to redact it. It can be nil.
	Payload func(eventType string, payload []byte) ([]byte, error)

	Now       func() time.Time // default time.Now
	LineBytes int              // longest event and line; default 16 MiB
}

// DefaultAgent is the agent_id of sessions whose agent is not named.
const DefaultAgent = "unknown"

// ErrNext is returned for an event that starts another session. The caller must end the file, call [Chain.Next] and
// append the event again.
var ErrNext = recorder.ErrNext

// ErrTorn is returned for a line that is not a JSON object: its writer was interrupted.
var ErrTorn = recorder.ErrTorn

// prefix starts each line.
const prefix = `{"event_hash":"`

// Chain builds the lines of a session log. After an error it is unchanged. It is not safe for concurrent use.
type Chain struct {
	opt    Options
	in     *strictjson.Scanner // of events
	steps  *strictjson.Scanner // of payloads made of steps
	whole  *strictjson.Scanner // of lines, and of payloads that were replaced
	writer *jcs.Writer
	public string // key in base64, or ""
	text   []byte // event without hash
	buf    []byte
	state
}

// state is what the next line depends on.
type state struct {
	session string
	seq     uint64
	prev    [64]byte
	began   time.Time // timestamp of the first event
	last    time.Time // latest timestamp
	ended   bool
	bare    bool // the session is not signed, but there is a key now
	link    link // of this session
}

// link is the member "continues" of a session.
type link struct {
	log     string // id of the first session
	segment uint64
	session string // id of the session before, "" if there is none
	events  uint64
	head    [64]byte
}

// NewChain returns a Chain that starts a new log.
func NewChain(opt Options) *Chain {
	if opt.Agent == "" {
		opt.Agent = DefaultAgent
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	limits := stream.Limits{LineBytes: opt.LineBytes}.WithDefaults()
	opt.LineBytes = limits.LineBytes
	c := &Chain{opt: opt, in: limits.Scanner(), steps: limits.Scanner(), whole: limits.Scanner(), writer: jcs.NewWriter(nil)}
	if opt.Key != nil {
		c.public = base64.StdEncoding.EncodeToString(opt.Key.Public().(ed25519.PublicKey))
	}
	c.state = fresh(link{segment: 1})
	return c
}

func fresh(l link) state {
	s := state{link: l}
	for i := range s.prev {
		s.prev[i] = '0'
	}
	return s
}

// Next starts a session that continues the current one in a new file. The current file is not read.
func (c *Chain) Next(io.Reader) error {
	l := link{log: c.link.log, segment: c.link.segment + 1, session: c.session, events: c.seq, head: c.prev}
	if c.opt.Session == l.log || c.opt.Session == c.session {
		c.opt.Session = "" // it was used
	}
	c.state = fresh(l)
	return nil
}

// Began returns the time of the session's first event, zero before it.
func (c *Chain) Began() time.Time { return c.began }

// Open reports whether the session has events and has not ended.
func (c *Chain) Open() bool { return c.seq > 0 && !c.ended }

// Events returns the number of events in the session.
func (c *Chain) Events() int64 { return int64(c.seq) }

// Prefix returns the text with which each line starts.
func (c *Chain) Prefix() string { return prefix }

// ID returns the id of the session, "" before its first event.
func (c *Chain) ID() string { return c.session }

// End appends the SESSION_END of the session to dst. status is success or error.
func (c *Chain) End(dst []byte, status, reason string) ([]byte, error) {
	payload := append([]byte(nil), `{"status":`...)
	payload = jcs.AppendText(payload, status)
	if reason != "" {
		payload = jcs.AppendText(append(payload, `,"reason":`...), reason)
	}
	return c.line(dst, sessionEnd, append(payload, '}'), c.now())
}

// now returns the current time, or that of the latest event if it is later.
func (c *Chain) now() stamp {
	t := c.opt.Now().UTC().Truncate(time.Microsecond)
	if t.Before(c.last) {
		t = c.last.UTC()
	}
	return stamp{t, t.Format("2006-01-02T15:04:05.000000Z")}
}

// stamp is a time and its text in the log.
type stamp struct {
	time time.Time
	text string
}

func readStamp(text string) (stamp, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return stamp{}, fmt.Errorf("timestamp is %q, expected a time like 2026-03-01T12:00:00.000000Z", text)
	}
	return stamp{t, text}, nil
}

// start appends SESSION_START with a payload, to which it adds members.
func (c *Chain) start(dst []byte, id string, payload []byte, at stamp) ([]byte, error) {
	if c.session = id; c.session == "" {
		c.session = c.opt.Session
	}
	if c.session == "" {
		c.session = newUUID()
	}
	if c.link.log == "" {
		c.link.log = c.session
	}
	c.began = at.time
	payload, err := c.opening(payload)
	if err != nil {
		return dst, err
	}
	return c.line(dst, sessionStart, payload, at)
}

// opening adds agent_id, the key and the link to the payload of a SESSION_START.
func (c *Chain) opening(payload []byte) ([]byte, error) {
	doc, err := c.whole.Scan(payload)
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	if root.Get("continues").Exists() {
		return nil, errors.New("the payload has the member \"continues\", which is reserved for the link to the file before")
	}
	if key := root.Get("sdk_public_key"); key.Exists() && !key.TextIs(c.public) {
		return nil, ErrKey
	}
	out := openObject(payload, root)
	if root.Get("agent_id").Missing() {
		out = jcs.AppendText(append(out, `"agent_id":`...), c.opt.Agent)
		out = append(out, ',')
	}
	if l := c.link; l.session != "" {
		out = fmt.Appendf(out, `"continues":{"events":%d,"head":"%s","log":`, l.events, l.head[:])
		out = fmt.Appendf(jcs.AppendText(out, l.log), `,"segment":%d,"session_id":`, l.segment)
		out = append(jcs.AppendText(out, l.session), '}', ',')
	}
	if c.public != "" && root.Get("sdk_public_key").Missing() {
		out = append(append(append(out, `"sdk_public_key":"`...), c.public...), '"', ',')
	}
	return closeObject(out), nil
}

// ErrKey is returned for a session that announces a key other than that of the options.
var ErrKey = errors.New("SESSION_START announces a key, and every event needs its signature")

// openObject returns a copy of an object's text to which members can be appended, each with a comma after it.
// closeObject completes it.
func openObject(text []byte, object strictjson.Node) []byte {
	start, end := object.Span()
	out := append(make([]byte, 0, end-start+256), text[start:end-1]...)
	if object.Len() > 0 {
		out = append(out, ',')
	}
	return out
}

func closeObject(text []byte) []byte {
	if text[len(text)-1] == ',' {
		text = text[:len(text)-1]
	}
	return append(text, '}')
}

// line appends the line of an event.
func (c *Chain) line(dst []byte, eventType string, payload []byte, at stamp) ([]byte, error) {
	t := append(c.text[:0], `{"event_type":"`...)
	t = append(append(append(t, eventType...), `","payload":`...), payload...)
	t = append(append(t, `,"prev_hash":"`...), c.prev[:]...)
	t = strconv.AppendUint(append(t, `","seq":`...), c.seq+1, 10)
	t = jcs.AppendText(append(t, `,"session_id":`...), c.session)
	t = append(jcs.AppendText(append(t, `,"timestamp":`...), at.text), '}')
	c.text = t
	const added = len(prefix) + 64 + len(`","signature":",`) + 88
	if len(t)+added > c.opt.LineBytes {
		return dst, fmt.Errorf("the event is %d bytes with its envelope, more than %d", len(t)+added, c.opt.LineBytes)
	}
	doc, err := c.whole.Scan(t)
	if err != nil {
		return dst, err
	}
	c.buf = c.writer.Append(c.buf[:0], doc.Root())
	var hash [64]byte
	digest.Of(c.buf).AppendHex(hash[:0])
	dst = append(append(append(dst, prefix...), hash[:]...), '"', ',')
	if c.opt.Key != nil {
		dst = append(dst, `"signature":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, ed25519.Sign(c.opt.Key, hash[:]))
		dst = append(dst, '"', ',')
	}
	dst = append(append(dst, t[1:]...), '\n')
	c.prev = hash
	c.seq++
	c.ended = eventType == sessionEnd
	if at.time.After(c.last) {
		c.last = at.time
	}
	return dst, nil
}

// newUUID returns a random UUID, version 4.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

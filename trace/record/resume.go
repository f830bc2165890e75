package record

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Resume continues the session of a log file with these first and last lines, without line ends. The last line must
// be the event whose hash it has. Events between the two are not checked. The error is ErrTorn if last is not a whole
// event, or says why the file cannot be continued. After an error, the chain is unchanged.
func (c *Chain) Resume(first, last []byte) error {
	before := c.state
	s, err := c.resumed(first, last)
	if c.state = s; err != nil {
		c.state = before
	}
	return err
}

func (c *Chain) resumed(first, last []byte) (s state, err error) {
	doc, err := c.in.Scan(first)
	if err != nil {
		return s, errors.New("its first line is not an event of a session log")
	}
	start, err := readEnvelope(c.writer, doc.Root())
	if err != nil {
		return s, fmt.Errorf("its first line is not an event of a session log in format 1.0: %w", err)
	}
	s = start.state
	if start.eventType != sessionStart {
		return s, fmt.Errorf("its first event is %s, expected SESSION_START", start.eventType)
	}
	if s.link, err = readLink(s.session, start.payload.Get("continues")); err != nil {
		return s, err
	}
	announced := start.payload.Get("sdk_public_key")
	s.bare = announced.Missing() && c.public != ""
	signed := announced.Exists() && !announced.TextIs(c.public)
	var key ed25519.PublicKey
	if text, ok := announced.Text(); ok {
		key, _ = base64.StdEncoding.DecodeString(text)
	}
	doc, err = c.in.Scan(last)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return s, ErrTorn
	}
	end, err := readEnvelope(c.writer, doc.Root())
	switch {
	case err != nil:
		return s, fmt.Errorf("its last line is not an event of the session: %w", err)
	case end.session != s.session:
		return s, fmt.Errorf("its last event is of session %q, its first of %q", end.session, s.session)
	case len(key) == ed25519.PublicKeySize && !ed25519.Verify(key, end.prev[:], end.signature):
		return s, errors.New("the signature of its last event is wrong")
	case end.eventType != sessionEnd && c.opt.Session != "" && c.opt.Session != s.session && c.opt.Session != s.link.log:
		return s, fmt.Errorf("its session %q has not ended, but the session %q is wanted", s.session, c.opt.Session)
	case signed && end.eventType != sessionEnd:
		return s, ErrKey
	}
	s.seq, s.prev, s.ended = end.seq, end.prev, end.eventType == sessionEnd
	s.last = end.began
	if s.began.After(s.last) {
		s.last = s.began
	}
	return s, nil
}

// envelope is an event of a log. The hash of its state is its own.
type envelope struct {
	state
	eventType string
	payload   strictjson.Node
	signature []byte
}

// readEnvelope reads an event and checks its hash. The payload is valid until the next scan.
func readEnvelope(w *jcs.Writer, root strictjson.Node) (e envelope, err error) {
	if !root.Is(strictjson.Object) {
		return e, fmt.Errorf("it is %s, expected an object", root.Kind())
	}
	hash, _ := root.Get("event_hash").Text()
	var isType, hasID, counted bool
	e.eventType, isType = root.Get("event_type").Text()
	e.session, hasID = root.Get("session_id").Text()
	e.seq, counted = root.Get("seq").Uint()
	if len(hash) != len(e.prev) || !isType || !hasID || !counted {
		return e, errors.New("expected the members event_hash, event_type, session_id and seq")
	}
	copy(e.prev[:], hash)
	if text, ok := root.Get("timestamp").Text(); ok {
		if at, err := readStamp(text); err == nil {
			e.began = at.time
		}
	}
	text, _ := root.Get("signature").Text()
	e.signature, _ = base64.StdEncoding.DecodeString(text)
	e.payload = root.Get("payload")
	members := slices.DeleteFunc(slices.Collect(root.Children()), func(m strictjson.Node) bool {
		return m.KeyIs("event_hash") || m.KeyIs("signature")
	})
	if digest.Of(w.AppendObject(nil, members)).Hex() != hash {
		return e, errors.New("its hash is not that of its content")
	}
	return e, nil
}

// readLink reads the member "continues" of a session.
func readLink(session string, n strictjson.Node) (l link, err error) {
	if n.Missing() {
		return link{log: session, segment: 1}, nil
	}
	head, ok := n.Get("head").Text()
	if !ok || len(head) != len(l.head) {
		return l, errors.New("the link to the session before is malformed")
	}
	copy(l.head[:], head)
	l.log, _ = n.Get("log").Text()
	l.session, _ = n.Get("session_id").Text()
	l.segment, _ = n.Get("segment").Uint()
	l.events, _ = n.Get("events").Uint()
	return l, nil
}

package rpc

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

const (
	// maxSoughtID limits an id searched for in a dropped line.
	maxSoughtID = 4 << 10

	// maxSoughtDepth limits the nesting at which brackets are matched.
	maxSoughtDepth = 1 << 10
)

// idSeeker finds the id in a line that is too long or malformed: the last member id of the outermost object. It
// works incrementally and keeps at most one name or value. The result counts only if all brackets of the line
// match; otherwise the member could belong to params.
type idSeeker struct {
	kinds  [maxSoughtDepth / 64]uint64 // one bit per open container: 1 for an object
	depth  int
	text   bool // inside a string
	escape bool // after a backslash
	lost   bool // brackets or quotes do not match
	over   bool // the outermost object has ended

	member bool   // after the colon of an outermost member
	token  []byte // its name or value; a blank separates several tokens
	gap    bool   // the token has ended
	named  bool   // the member is id
	id     []byte // its last value; nil if invalid
}

// feed processes the next part of the line.
func (s *idSeeker) feed(piece []byte) {
	for _, c := range piece {
		switch {
		case s.lost:
			return
		case s.text:
			s.inText(c)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			s.gap = true
		case s.over, s.depth == 0 && c != '{', c == '\\':
			s.lost = true // backslash outside of a string: quotes are mismatched
		case c == '{' || c == '[':
			s.open(c == '{')
		case c == '}' || c == ']':
			s.close(c == '}')
		case s.depth == 1 && c == ':' && !s.member:
			s.named = string(s.token) == `"id"`
			s.member = true
			s.start()
		case s.depth == 1 && c == ',':
			s.end()
		default:
			s.text = c == '"'
			s.keep(c)
		}
	}
}

func (s *idSeeker) inText(c byte) {
	s.keep(c)
	switch {
	case s.escape:
		s.escape = false
	case c == '\\':
		s.escape = true
	case c == '"':
		s.text = false
	}
}

// keep stores a byte of an outermost token.
func (s *idSeeker) keep(c byte) {
	if s.depth != 1 || len(s.token) > maxSoughtID {
		return
	}
	if s.gap && len(s.token) > 0 {
		s.token = append(s.token, ' ')
	}
	s.gap = false
	s.token = append(s.token, c)
}

// open starts a container, which is neither a name nor an id.
func (s *idSeeker) open(object bool) {
	s.keep('{')
	if s.depth < maxSoughtDepth {
		bit := uint64(1) << (s.depth % 64)
		s.kinds[s.depth/64] &^= bit
		if object {
			s.kinds[s.depth/64] |= bit
		}
	}
	s.depth++
}

func (s *idSeeker) close(object bool) {
	s.depth--
	if s.depth < maxSoughtDepth && (s.kinds[s.depth/64]>>(s.depth%64)&1 == 1) != object {
		s.lost = true
	}
	if s.depth == 0 {
		s.end()
		s.over = true
	}
}

func (s *idSeeker) end() {
	if s.named {
		s.id = nil
		if isWholeID(s.token) {
			s.id = bytes.Clone(s.token)
		}
	}
	s.named, s.member = false, false
	s.start()
}

func (s *idSeeker) start() { s.token, s.gap = s.token[:0], false }

// found returns the id at the end of the line, or nil.
func (s *idSeeker) found() []byte {
	if s.lost || !s.over {
		return nil
	}
	return s.id
}

func isWholeID(text []byte) bool {
	if len(text) == 0 || len(text) > maxSoughtID || !isID(text) {
		return false
	}
	w := strictjson.NewWalker(text)
	return w.End() == nil
}

// isID reports whether a JSON value is a valid id: a string, number or null (JSON-RPC 2.0 §4).
func isID(raw []byte) bool {
	switch raw[0] {
	case '{', '[', 't', 'f':
		return false
	}
	return true
}

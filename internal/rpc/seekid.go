package rpc

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

const (
	// maxSoughtID bounds an id that is sought in a line which is not kept: far more than
	// any client's.
	maxSoughtID = 4 << 10

	// maxSoughtDepth bounds the containers whose kinds are compared with their ends.
	maxSoughtDepth = 1 << 10
)

// idSeeker finds the id of a line that cannot be read as a request, because it is too long
// or no JSON: the last member called id of the outermost object. It takes the line in
// pieces and keeps no more of it than one name or value of that object.
//
// What it finds counts only when the brackets of the whole line belong together:
// otherwise the member may be one of params, and the answer would go to another request.
type idSeeker struct {
	kinds  [maxSoughtDepth / 64]uint64 // a bit for each open container: 1 for an object
	depth  int
	text   bool // in a string
	escape bool // behind a backslash in it
	lost   bool // brackets or quotes do not belong together
	over   bool // the outermost object has ended

	member bool   // behind the colon of a member of that object
	token  []byte // its name, or then its value; with a blank where more than one token stand
	gap    bool   // the token has ended
	named  bool   // the member is called id
	id     []byte // the last value of such a member; nil when it cannot be an id
}

// feed takes the next piece of the line.
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
			s.lost = true // a backslash shows that texts are taken for what stands between them
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

// inText takes one byte of a string.
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

// keep adds a byte to the token, when it is one of the outermost object's.
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

// open begins a container. What holds one is neither a name nor an id.
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

// close ends a container.
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

// end ends a member of the outermost object.
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

// start begins a token.
func (s *idSeeker) start() { s.token, s.gap = s.token[:0], false }

// found returns the id of the line whose end has come; nil when it is not known.
func (s *idSeeker) found() []byte {
	if s.lost || !s.over {
		return nil
	}
	return s.id
}

// isWholeID says whether text is an id and nothing else.
func isWholeID(text []byte) bool {
	if len(text) == 0 || len(text) > maxSoughtID || !isID(text) {
		return false
	}
	w := strictjson.NewWalker(text)
	return w.End() == nil
}

// isID says whether a JSON value may be an id (JSON-RPC 2.0 §4: a string, a number
// or null).
func isID(raw []byte) bool {
	switch raw[0] {
	case '{', '[', 't', 'f':
		return false
	}
	return true
}

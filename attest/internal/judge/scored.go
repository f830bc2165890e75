package judge

import (
	"encoding/json"
	"strings"
)

// scored is an object of a reply.
type scored struct {
	start               int    // where it begins
	score               string // a JSON number; "" when it has none
	reason, explanation string
}

// why is the reason that an object gives, by one name or the other.
func (s *scored) why() string {
	if s.reason != "" {
		return s.reason
	}
	return s.explanation
}

// take takes over a member; the last of one name counts.
func (s *scored) take(key string, value json.Token) {
	text, _ := value.(string)
	switch key {
	case "score":
		s.score = numberIn(value)
	case "reason":
		s.reason = strings.TrimSpace(text)
	case "explanation":
		s.explanation = strings.TrimSpace(text)
	}
}

// numberIn is the JSON number that a value is, or that a string holds; "" for others.
func numberIn(value json.Token) string {
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case string:
		v = strings.TrimSpace(v)
		if v != "" && strings.IndexByte("-0123456789", v[0]) >= 0 && json.Valid([]byte(v)) {
			return v
		}
	}
	return ""
}

// Bounds of what is read of a reply: what no judge writes costs little.
const (
	maxReply  = 256 << 10 // bytes
	maxNested = 100       // containers within each other
	maxWork   = 16 << 20  // bytes read, counting again what is read again
	walkWork  = 512       // bytes that a walk counts for at least
)

// firstScored returns the object with a score that begins first in a text. Where no JSON
// object begins at a brace, the next brace is tried, also one in a string.
func firstScored(text string) (found *scored) {
	text = text[:min(len(text), maxReply)]
	seen := map[int]bool{} // braces that begin no object with a score
	for i, work := 0, 0; work < maxWork; i++ {
		brace := strings.IndexByte(text[i:], '{')
		if brace < 0 {
			return nil
		}
		if i += brace; seen[i] || !opensMember(text[i+1:]) {
			continue
		}
		w := walk{start: i, decoder: json.NewDecoder(strings.NewReader(text[i:])), seen: seen}
		w.decoder.UseNumber()
		for w.step() {
		}
		if w.found != nil {
			return w.found
		}
		work += walkWork + int(w.decoder.InputOffset())
	}
	return nil
}

// opensMember says whether an object with members can go on like this.
func opensMember(rest string) bool {
	return strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), `"`)
}

// walk reads an object and those within it, as far as they go: one that is complete counts
// even when the one around it is not.
type walk struct {
	start   int // in the text
	decoder *json.Decoder
	seen    map[int]bool
	open    []container
	found   *scored // the first that has a score
}

// container is an object or an array that is not complete yet.
type container struct {
	object *scored // nil: an array
	key    string  // of the member that is being read
	inside bool    // the key has been read
}

// step reads a token. It returns false at the end of the object, or of what is one.
func (w *walk) step() (more bool) {
	token, err := w.decoder.Token()
	if err != nil {
		return false
	}
	switch token {
	case json.Delim('{'):
		at := w.start + int(w.decoder.InputOffset()) - 1
		w.seen[at] = true
		w.value(nil)
		w.open = append(w.open, container{object: &scored{start: at}})
	case json.Delim('['):
		w.value(nil)
		w.open = append(w.open, container{})
	case json.Delim('}'), json.Delim(']'):
		w.close()
	default:
		w.plain(token)
	}
	return len(w.open) > 0 && len(w.open) <= maxNested
}

// plain takes over a key, or a value that is no container.
func (w *walk) plain(token json.Token) {
	in := &w.open[len(w.open)-1]
	if in.object != nil && !in.inside {
		in.key, _ = token.(string)
		in.inside = true
		return
	}
	w.value(token)
}

// value gives a value to the object that it is in.
func (w *walk) value(value json.Token) {
	if len(w.open) == 0 {
		return
	}
	if in := &w.open[len(w.open)-1]; in.object != nil {
		in.object.take(in.key, value)
		in.inside = false
	}
}

// close ends the innermost container.
func (w *walk) close() {
	last := len(w.open) - 1
	done := w.open[last].object
	w.open = w.open[:last]
	if done != nil && done.score != "" && (w.found == nil || done.start < w.found.start) {
		w.found = done
	}
}

package privacy

import (
	"strconv"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// mostPointer and mostName limit a displayed pointer and its names: an event can have as many changes as bytes,
// each with a long path.
const (
	mostPointer = 128
	mostName    = 64
)

type step struct {
	value    evidence.Value
	position int // index in its siblings
	element  bool
	said     int // end of its token in Redactor.said, 0 before use
}

// pointer returns the JSON pointer of the current value. Tokens of its ancestors are encoded only once.
func (r *Redactor) pointer() string {
	first := len(r.way)
	for first > 0 && r.way[first-1].said == 0 {
		first--
	}
	r.said = r.said[:0]
	if first > 0 {
		r.said = r.said[:r.way[first-1].said]
	}
	for i := first; i < len(r.way); i++ {
		s := &r.way[i]
		r.said = append(r.said, '/')
		if s.element {
			r.said = strconv.AppendInt(r.said, int64(s.position), 10)
		} else {
			name := say.Preview(s.value.NameBytes(r.texts.key[:0]), mostName)
			r.said = append(r.said, strictjson.PointerToken(name)...)
		}
		s.said = len(r.said)
	}
	return shorten(r.said)
}

func shorten(pointer []byte) string {
	if len(pointer) <= mostPointer {
		return string(pointer)
	}
	head, tail := mostPointer/2, len(pointer)-mostPointer/2
	for !utf8.RuneStart(pointer[head]) {
		head--
	}
	for !utf8.RuneStart(pointer[tail]) {
		tail++
	}
	return string(pointer[:head]) + say.Ellipsis + string(pointer[tail:])
}

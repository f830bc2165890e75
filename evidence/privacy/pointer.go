package privacy

import (
	"strconv"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// mostPointer and mostName are how many bytes of a pointer and of each name in it are shown: an
// event can have as many changes as it has bytes, each at the end of a way as long as that.
const (
	mostPointer = 256
	mostName    = 64
)

// step is a value on the way to the current one.
type step struct {
	value    evidence.Value
	position int // among its siblings
	element  bool
	token    string // of a pointer, once one was asked for
}

// pointer is the JSON pointer of the current value.
func (r *Redactor) pointer() string {
	var short [mostPointer]byte
	b := short[:0]
	for i := range r.way {
		s := &r.way[i]
		switch {
		case s.token != "":
		case s.element:
			s.token = "/" + strconv.Itoa(s.position)
		default:
			s.token = "/" + strictjson.PointerToken(say.Preview(s.value.NameBytes(r.texts.key[:0]), mostName))
		}
		b = append(b, s.token...)
	}
	return shorten(b)
}

// shorten cuts a long pointer in its middle.
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

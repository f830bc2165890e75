package privacy

import (
	"bytes"

	"github.com/cupel-dev/cupel/evidence/internal/secrets"
)

// argv is what is known of the elements of an array that have been gone through, as the
// words of a command. The first one is the name of a program, never a flag. What is known
// is of the elements as they were, since a flag that is hidden as the value of another one
// has a value, too; and as they become, so that it is the same when they are redacted again.
type argv struct {
	before   bool // the last text was a flag whose value is the next one
	password bool // a text named a program whose -p is a password
}

// shows is the offset of nothing that is to be hidden.
const shows = -1

// hides returns the offset in the next element from which it is the value of a flag.
func (a *argv) hides(element []byte) int {
	if a.before {
		return 0
	}
	if value, ok := secrets.PasswordFlag(element); ok && a.password && value < len(element) {
		return value
	}
	return shows
}

// take takes an element. The first one is no flag, nor is one that a policy file makes
// public.
func (a *argv) take(was, becomes []byte, noFlag bool) {
	a.before = !noFlag && (a.flag(was) || a.flag(becomes))
	a.password = a.password || secrets.PasswordCommand(was) || secrets.PasswordCommand(becomes)
}

// flag says whether an element is a flag whose value is the next one.
func (a *argv) flag(element []byte) bool {
	value, short := secrets.PasswordFlag(element)
	return secrets.FlagBeforeValue(element) || short && a.password && value == len(element)
}

// hide replaces a text from an offset on, unless it is hidden already.
func hide(dst, text []byte, from int) ([]byte, bool) {
	if from == shows || bytes.HasPrefix(text[from:], []byte(stars)) {
		return text, false
	}
	return append(append(dst, text[:from]...), stars...), true
}

package page

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
)

// MaxValue is how many bytes of one value a page shows.
const MaxValue = 4 << 10

// clean is the way of all HTML of a page: whatever a template forgot, what cannot be seen,
// changes the order of what is seen or is no UTF-8 does not pass it. It remembers its first
// error.
type clean struct {
	w     io.Writer
	err   error
	bytes int    // written
	most  int    // of them; 0: as many as come
	held  []byte // the beginning of a code point
}

// errFull is the error of a clean that has written all that it may.
var errFull = fmt.Errorf("page: no room")

func (c *clean) Write(text []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	size := len(text)
	if len(c.held) > 0 {
		text = append(c.held, text...)
		c.held = nil
	}
	if tail := unfinished(text); tail > 0 {
		c.held = append([]byte(nil), text[len(text)-tail:]...)
		text = text[:len(text)-tail]
	}
	c.pass(visible(text))
	if c.err != nil {
		return 0, c.err
	}
	return size, nil
}

// pass writes what is clean.
func (c *clean) pass(text []byte) {
	if c.err != nil {
		return
	}
	if c.bytes += len(text); c.most > 0 && c.bytes > c.most {
		c.err = errFull
		return
	}
	_, c.err = c.w.Write(text)
}

// unfinished is how many bytes at the end of a text may begin a code point that the text does
// not end.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// visible is text itself when all of it may pass.
func visible(text []byte) []byte {
	var safe []byte
	done := 0
	for i := 0; i < len(text); {
		if bytes.HasPrefix(text[i:], []byte("##")) { // a build server takes "##name[" for a command, anywhere in what it is shown
			safe = append(append(safe, text[done:i]...), "&#35;"...)
			i++
			done = i
			continue
		}
		if c := text[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		_, size := utf8.DecodeRune(text[i:])
		if say.ActsAt(string(text[i : i+size])) {
			safe = append(append(safe, text[done:i]...), say.Visible(string(text[i:i+size]))...)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return text
	}
	return append(safe, text[done:]...)
}

// value is a name or a value of a record as the page shows it, on one line and of bounded
// length.
func value(s string) string { return say.Visible(clip(s)) }

// lines is value for a text of several lines.
func lines(s string) string {
	return strings.ReplaceAll(say.Lines(clip(s)), "\t", say.Visible("\t"))
}

// clip cuts a value to what a page shows of it, and says so.
func clip(s string) string {
	if len(s) <= MaxValue {
		return s
	}
	return say.Preview(s, MaxValue) + fmt.Sprintf(" (%d bytes in all)", len(s))
}

// kept is a value that the page keeps: no part of a larger text.
func kept(s string) string { return strings.Clone(clip(s)) }

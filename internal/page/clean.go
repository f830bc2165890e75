package page

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
)

// MaxValue limits the bytes of a value on a page.
const MaxValue = 4 << 10

// clean is the writer for all HTML of a page. As a second line of defense after the templates it
// replaces invisible and direction-changing characters and invalid UTF-8. It keeps its first error.
type clean struct {
	w     io.Writer
	err   error
	bytes int    // bytes written
	most  int    // limit; 0 for none
	held  []byte // incomplete code point
}

// errFull means that the limit is reached.
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

// unfinished returns the length of an incomplete code point at the end of text.
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

// visible returns text with unsafe characters escaped.
func visible(text []byte) []byte {
	var safe []byte
	done := 0
	for i := 0; i < len(text); {
		if bytes.HasPrefix(text[i:], []byte("##")) { // build servers interpret "##name[" anywhere in their input as a command
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

// value returns a name or value on one line with bounded length.
func value(s string) string { return say.Visible(clip(s)) }

// mostBreaks limits the places at which a name can break.
const mostBreaks = 32

// name is value as HTML that can break after path separators.
func name(s string) template.HTML {
	return template.HTML(strings.Replace(html.EscapeString(value(s)), "/", "/<wbr>", mostBreaks)) //nolint:gosec // escaped
}

// lines is value for multi-line text.
func lines(s string) string {
	return strings.ReplaceAll(say.Lines(clip(s)), "\t", say.Visible("\t"))
}

// clip truncates a value to MaxValue and marks the truncation.
func clip(s string) string {
	if len(s) <= MaxValue {
		return s
	}
	return say.Preview(s, MaxValue) + fmt.Sprintf(" (%d bytes in all)", len(s))
}

// kept copies a clipped value, to release the larger text.
func kept(s string) string { return strings.Clone(clip(s)) }

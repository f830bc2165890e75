package secrets

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// userName is a user's name in a path.
type userName struct {
	text    []byte // up to the path's end when that is quoted
	start   int
	windows bool
	quoted  bool
}

// end is where the name ends, its start when there is none. It runs to the next separator,
// over blanks in Windows and in quotes. When something comes first that no name holds, it
// ends at the first blank.
func (n userName) end() int {
	if n.start == len(n.text) || n.text[n.start] == ' ' {
		return n.start
	}
	end, ends := n.start, n.ends()
	for end < len(n.text) && !ends[n.text[end]] {
		end++
	}
	if end < len(n.text) && n.separatesAt(end) {
		return n.cutBack(end)
	}
	if end < len(n.text) && n.blanks() && noName(n.text[end]) {
		if i := bytes.IndexAny(n.text[n.start:end], " ;,"); i > 0 {
			end = n.start + i
		}
	}
	for !n.quoted && end > n.start && n.text[end-1] == '\'' {
		end-- // a quote that was opened before the path
	}
	return end
}

// blanks says whether the name may hold some.
func (n userName) blanks() bool { return n.windows || n.quoted }

func (n userName) separatesAt(i int) bool {
	if n.windows {
		return separates(n.text, i)
	}
	return n.text[i] == '/'
}

// ends are the bytes at which the name ends: looked up, as each byte of a path is asked.
func (n userName) ends() *[256]bool {
	if n.blanks() {
		return &endsBlankName
	}
	return &endsPlainName
}

var endsBlankName, endsPlainName = func() (blank, plain [256]bool) {
	for i := range blank {
		c := byte(i)
		blank[i] = separator(c) || noName(c) || c == '`' || isControl(c)
		plain[i] = separator(c) || endsName(c)
	}
	return blank, plain
}()

// separator says whether a byte separates folders in a path of either system.
func separator(c byte) bool { return c == '/' || c == '\\' }

// noName says whether a byte is one that can be printed and that Windows allows in no name.
func noName(c byte) bool {
	switch c {
	case ':', '"', '<', '>', '|', '*', '?':
		return true
	}
	return false
}

// isControl is for line breaks and the like. They end a name as the text's end does.
func isControl(c byte) bool { return c < ' ' || c == 0x7f }

// endsName says whether a byte ends a name without quotes: shells and texts go on there.
func endsName(c byte) bool {
	switch c {
	case ' ', '`', ';', ',', '&', '(', ')', '[', ']', '{', '}':
		return true
	}
	return noName(c) || isControl(c)
}

// cutBack is the end of a name before the separator at i. A separator behind a byte that
// begins paths begins another one: the name has ended before.
func (n userName) cutBack(i int) int {
	path := i
	if path > n.start && n.text[path-1] == '~' && bytes.HasPrefix(n.text[path-1:], []byte(generalized)) {
		path--
	}
	end := path
	for end > n.start {
		size := beginning(n.text, end)
		if size == 0 {
			break
		}
		end -= size
	}
	if end == path {
		return i
	}
	return end
}

// beginsPath says whether a path may begin behind a byte.
func beginsPath(c byte) bool {
	switch c {
	case '=', ':', '(', ',', '<', '>', '|', '&', ';', '[', '{':
		return true
	}
	return is(c, isSpace) || isPathQuote(c)
}

func isPathQuote(c byte) bool { return isQuote(c) || c == '`' }

// beginning is the length of what stands before i, when a path may begin behind that: behind
// a byte of [beginsPath], or behind white space of any script.
func beginning(text []byte, i int) (size int) {
	if i == 0 {
		return 0
	}
	if c := text[i-1]; c < utf8.RuneSelf && c != '\v' {
		if beginsPath(c) {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeLastRune(text[:i]); unicode.IsSpace(r) {
		return size
	}
	return 0
}

// begins says whether a path may begin at i: at the text's beginning, behind a byte that
// begins paths, or behind ://.
func begins(text []byte, i int) bool {
	return i == 0 || beginning(text, i) > 0 || bytes.HasSuffix(text[:i], []byte("://"))
}

// behindURL says whether a drive at i is the path of a URL without a host.
func behindURL(text []byte, i int) bool { return bytes.HasSuffix(text[:i], []byte(":///")) }

// closing is where a path ends that begins at i behind a quote: at the line's end when that
// is never closed. When that quote is escaped, so is the other one.
func closing(text []byte, i int) (end int, ok bool) {
	if i == 0 || !isPathQuote(text[i-1]) {
		return 0, false
	}
	n := bytes.IndexByte(text[i:], text[i-1])
	if n < 0 {
		return lineEnd(text, i), true
	}
	end = i + n
	if i > 1 && text[i-2] == '\\' {
		for end > i && text[end-1] == '\\' {
			end--
		}
	}
	return end, true
}

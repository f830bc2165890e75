package input

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/cupel-dev/cupel/internal/suggest"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
)

// RootKey is the key that makes a YAML file an OATF document.
const RootKey = "oatf"

// LooksLikeOATF is the probe of folders: a document has the root key oatf, wherever it
// stands. A file resembles one when another root key may be meant for it, or is attack.
// Nobody looks further into a file than a document may be long.
func LooksLikeOATF(r io.Reader) walk.Look {
	return lookForOATF(r, func(key string) bool { return key == RootKey })
}

// ClaimsOATF is the probe of changed files. They are about to be committed, so that a file
// with attack, or with nearly the right key, is judged.
func ClaimsOATF(r io.Reader) walk.Look {
	return lookForOATF(r, func(key string) bool { return key == "attack" || suggest.Within(key, RootKey, 1) })
}

func lookForOATF(r io.Reader, passes func(key string) bool) (look walk.Look) {
	named, near := "", false // the key to tell of: rather a mistyped one than attack
	rootKeys(r, func(key string) bool {
		look.Passes = passes(key)
		switch {
		case !near && suggest.Within(key, RootKey, 2):
			named, near = key, true
		case named == "" && key == "attack":
			named = key
		}
		return !look.Passes
	})
	if named != "" && !look.Passes {
		look.Resembles = fmt.Sprintf("an OATF document: it has the key %q at its root and no %q", named, RootKey)
	}
	return look
}

// rootKeys hands on the keys of the mappings at the root of a YAML text in any encoding of
// YAML, until yield has enough. It reads no YAML: it looks at the lines that are indented as
// the first one is, and in flow style at what stands before a colon in the outermost
// braces. So it also finds the keys of what no reader would accept.
func rootKeys(r io.Reader, yield func(key string) bool) {
	s := &keySeeker{text: inUTF8(bufio.NewReader(io.LimitReader(r, oatf.DefaultMaxBytes))), yield: yield, root: -1}
	for s.line() {
	}
}

// keySeeker is on the way through a text.
type keySeeker struct {
	text  *bufio.Reader
	yield func(key string) bool
	root  int // blanks before the keys of the root; -1: none is known yet
}

// longestKey is how much of a line is looked at for a key: what makes a root key is
// shorter, with its quotes and what may stand before it.
const longestKey = 1024

// line looks at the next line, or at a whole mapping in flow style, and says whether to go on.
func (s *keySeeker) line() bool {
	start, _ := s.text.Peek(longestKey)
	if len(start) == 0 {
		return false
	}
	if end := bytes.IndexAny(start, "\r\n"); end >= 0 {
		start = start[:end]
	}
	line := bytes.TrimPrefix(start, []byte("\ufeff"))
	if rest, cut := bytes.CutPrefix(line, []byte("---")); cut && (len(rest) == 0 || isBlank(rest[0])) {
		s.root, line = -1, rest // a document begins
	}
	content := bytes.TrimLeft(line, " ")
	if len(bytes.TrimSpace(content)) == 0 || content[0] == '#' || content[0] == '%' {
		return s.rest()
	}
	indent := len(line) - len(content)
	content = withoutProperties(content)
	first := s.root < 0
	if first {
		s.root = indent
	}
	if first && bytes.HasPrefix(content, []byte("{")) {
		_, err := s.text.Discard(len(start) - len(content) + 1)
		return err == nil && s.flow() && s.rest()
	}
	if key := keyOf(content); indent == s.root && key != "" && !s.yield(key) {
		return false
	}
	return s.rest()
}

// rest reads to the end of the line, and says whether there is one.
func (s *keySeeker) rest() bool {
	for {
		b, err := s.text.ReadByte()
		if err != nil || isBreak(b) {
			return err == nil
		}
	}
}

// flow looks at a mapping in flow style, behind its brace, and says whether to go on.
func (s *keySeeker) flow() bool {
	var key []byte // what stands in the outermost braces before a colon
	before := byte('{')
	for depth, atKey := 1, true; depth > 0; {
		b, err := s.text.ReadByte()
		if err != nil {
			return false
		}
		if atKey && len(key) < longestKey {
			key = append(key, b)
		}
		switch {
		case (b == '"' || b == '\'') && bytes.IndexByte([]byte(" \t\r\n{[,:"), before) >= 0:
			text := s.quoted(b)
			if atKey {
				key = append(key, text...)
			}
		case b == '#' && isBlank(before):
			if s.rest(); atKey && len(key) > 0 {
				key = key[:len(key)-1]
			}
		case b == '{' || b == '[':
			depth++
			atKey = false
		case b == '}' || b == ']':
			depth--
		case b == ',' && depth == 1:
			key, atKey = key[:0], true
		case b == ':' && atKey:
			atKey = false
			if !s.yield(keyOf(withoutProperties(bytes.TrimSpace(key)))) {
				return false
			}
		}
		before = b
	}
	return true
}

// quoted reads to the end of a quoted scalar, and returns its first bytes with the quote
// that ends it.
func (s *keySeeker) quoted(quote byte) (text []byte) {
	for {
		b, err := s.text.ReadByte()
		if err != nil {
			return nil
		}
		next, _ := s.text.Peek(1)
		if b == '\\' && quote == '"' || b == '\'' && quote == b && len(next) == 1 && next[0] == b {
			_, _ = s.text.Discard(1) // it is part of the scalar; an end shows with the next byte
			continue
		}
		if len(text) < longestKey || b == quote {
			text = append(text, b)
		}
		if b == quote {
			return text
		}
	}
}

// keyOf is the key that a line begins with, without its quotes, or "".
func keyOf(line []byte) string {
	line = bytes.TrimSpace(line)
	if explicit, is := bytes.CutPrefix(line, []byte("? ")); is {
		explicit, _, _ = bytes.Cut(explicit, []byte(" #"))
		line = append(slices.Clone(bytes.TrimRight(explicit, " \t:")), ':')
	}
	if len(line) > 0 && (line[0] == '"' || line[0] == '\'') {
		key, rest, _ := bytes.Cut(line[1:], line[:1])
		if bytes.HasPrefix(bytes.TrimSpace(rest), []byte(":")) {
			return string(key)
		}
		return ""
	}
	if bytes.HasPrefix(line, []byte("- ")) || len(line) > 0 && bytes.IndexByte([]byte("[{|>*@`%"), line[0]) >= 0 {
		return "" // no plain key begins so
	}
	for i, b := range line {
		if b == ':' && (i+1 == len(line) || isBlank(line[i+1])) {
			return string(bytes.TrimSpace(line[:i]))
		}
	}
	return ""
}

// withoutProperties is a line without the tag and the anchor that may stand before a node.
func withoutProperties(line []byte) []byte {
	for len(line) > 0 && (line[0] == '!' || line[0] == '&') {
		_, line, _ = bytes.Cut(line, []byte(" "))
		line = bytes.TrimLeft(line, " ")
	}
	return line
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || isBreak(b) }

func isBreak(b byte) bool { return b == '\n' || b == '\r' }

// inUTF8 reads a text in any encoding of YAML, which its first bytes show (YAML 1.2.2,
// clause 5.2).
func inUTF8(r *bufio.Reader) *bufio.Reader {
	start, _ := r.Peek(4)
	for _, e := range encodings {
		if len(start) >= len(e.start) && e.matches(start) {
			return bufio.NewReader(e.encoding.NewDecoder().Reader(r))
		}
	}
	return r
}

// wide is an encoding and the first bytes of a text in it.
type wide struct {
	start    string // "x" is any byte but zero
	encoding encoding.Encoding
}

func (w wide) matches(start []byte) bool {
	for i := range len(w.start) {
		if any := w.start[i] == 'x' && start[i] != 0; !any && w.start[i] != start[i] {
			return false
		}
	}
	return true
}

var encodings = []wide{
	{"\x00\x00\xfe\xff", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\x00\x00\x00x", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"x\x00\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"\x00x", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"x\x00", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
}

package recognize

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

// rootKeys calls yield with each root mapping key of YAML in UTF-8 until it returns false. It
// examines the least indented lines and, in flow style, text before colons in the outermost braces,
// without parsing; it also works on malformed text.
func rootKeys(r io.Reader, yield func(key string) bool) {
	s := &keySeeker{text: bufio.NewReader(r), yield: yield, root: -1}
	for s.line() {
	}
}

// keySeeker reads a text for rootKeys.
type keySeeker struct {
	text  *bufio.Reader
	yield func(key string) bool
	root  int // blanks before the keys of the root; -1 until the first key
}

// longestKey is the number of bytes of a line that are searched for a key.
const longestKey = 1024

// line reads the next line, or a whole mapping in flow style. more is false at the end.
func (s *keySeeker) line() (more bool) {
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
	if first || indent < s.root { // less than before is only in a text that no parser accepts
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

// rest reads to the end of the line. more is false at the end of the text.
func (s *keySeeker) rest() (more bool) {
	for {
		b, err := s.text.ReadByte()
		if err != nil || isBreak(b) {
			return err == nil
		}
	}
}

// flow reads a mapping in flow style after its opening brace. more is false at the end of the text.
func (s *keySeeker) flow() (more bool) {
	var key []byte // the text before a colon in the outermost braces
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

// quoted reads to the end of a quoted scalar and returns its start with the closing quote.
func (s *keySeeker) quoted(quote byte) (text []byte) {
	for {
		b, err := s.text.ReadByte()
		if err != nil {
			return nil
		}
		next, _ := s.text.Peek(1)
		if b == '\\' && quote == '"' || b == '\'' && quote == b && len(next) == 1 && next[0] == b {
			_, _ = s.text.Discard(1) // part of the scalar; the next Peek notices an end
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

// keyOf returns the unquoted key at the start of a line, or "".
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
		return "" // no plain key starts like this
	}
	for i, b := range line {
		if b == ':' && (i+1 == len(line) || isBlank(line[i+1])) {
			return string(bytes.TrimSpace(line[:i]))
		}
	}
	return ""
}

// withoutProperties removes the tag and anchor before a node.
func withoutProperties(line []byte) []byte {
	for len(line) > 0 && (line[0] == '!' || line[0] == '&') {
		_, line, _ = bytes.Cut(line, []byte(" "))
		line = bytes.TrimLeft(line, " ")
	}
	return line
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || isBreak(b) }

func isBreak(b byte) bool { return b == '\n' || b == '\r' }

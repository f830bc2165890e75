// Package layer decodes texts: escapes of JSON and programming languages, percent-encoding, HTML entities, color
// codes, invisible characters, base64 and hexadecimal. It maps decoded bytes to the original.
package layer

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// View is a text after decoding some layers.
type View struct {
	Text []byte

	identity bool
	from, to []int32 // original range of each byte
	run      [2]int  // of all bytes, if from is nil
}

// Plain returns the view of an unencoded text of less than 2 GiB.
func Plain(text []byte) View { return View{Text: text, identity: true} }

// Span returns the original range of the view's bytes [start, end), which must not be empty.
func (v *View) Span(start, end int) (from, to int) {
	switch {
	case v.identity:
		return start, end
	case v.from == nil:
		return v.run[0], v.run[1]
	}
	return int(v.from[start]), int(v.to[end-1])
}

// Blob returns the view of a text decoded from the run [start, end) of v.
func (v *View) Blob(text []byte, start, end int) View {
	from, to := v.Span(start, end)
	return View{Text: text, run: [2]int{from, to}}
}

// triggers are the bytes that can start an encoding.
var triggers = func() (of [256]bool) {
	for _, c := range []byte{'\\', '%', '&', 0x1b, 0, 0xe2, 0xc2, 0xef, '='} {
		of[c] = true
	}
	return of
}()

// Decode decodes one layer of v into dst and reuses its memory. It returns false if nothing is encoded.
func (v *View) Decode(dst *View) bool {
	text := v.Text
	first := -1
	for i, c := range text {
		if triggers[c] {
			if _, size := decoded(text, i); size > 0 {
				first = i
				break
			}
		}
	}
	if first < 0 {
		return false
	}
	dst.Text, dst.from, dst.to, dst.identity = dst.Text[:0], dst.from[:0], dst.to[:0], false
	dst.run = v.run
	mapped := v.identity || v.from != nil
	at := 0
	for i := first; i < len(text); {
		r, size := int32(0), 0
		if triggers[text[i]] {
			r, size = decoded(text, i)
		}
		if size == 0 {
			i++
			continue
		}
		dst.copy(v, at, i, mapped)
		dst.put(v, r, i, i+size, mapped)
		i += size
		at = i
	}
	dst.copy(v, at, len(text), mapped)
	if !mapped {
		dst.from, dst.to = nil, nil
	}
	return true
}

// Letters calls found for each stretch of characters of a view that are encoded letters and digits.
func (v *View) Letters(found func(start, end int)) {
	text := v.Text
	start, end := 0, 0
	for i := 0; i < len(text); {
		r, size := int32(0), 0
		if triggers[text[i]] {
			r, size = decoded(text, i)
		}
		switch {
		case size == 0:
			i++
			continue
		case r < utf8.RuneSelf && r > ' ' && token[byte(r)] && text[i] != '=':
			if i != end || start == end {
				if start < end {
					found(start, end)
				}
				start = i
			}
			end = i + size
		}
		i += size
	}
	if start < end {
		found(start, end)
	}
}

func (v *View) copy(src *View, start, end int, mapped bool) {
	v.Text = append(v.Text, src.Text[start:end]...)
	switch {
	case !mapped:
	case src.identity:
		for i := start; i < end; i++ {
			v.from, v.to = append(v.from, int32(i)), append(v.to, int32(i+1))
		}
	default:
		v.from, v.to = append(v.from, src.from[start:end]...), append(v.to, src.to[start:end]...)
	}
}

// put appends a decoded character; gone for none, values below gone for a raw byte.
func (v *View) put(src *View, r int32, start, end int, mapped bool) {
	before := len(v.Text)
	switch {
	case r == gone:
		return
	case r < 0:
		v.Text = append(v.Text, byte(-r-2))
	default:
		v.Text = utf8.AppendRune(v.Text, r)
	}
	if mapped {
		from, to := src.Span(start, end)
		for range len(v.Text) - before {
			v.from, v.to = append(v.from, int32(from)), append(v.to, int32(to))
		}
	}
}

// gone means decoded to nothing. A byte b that is not a character is -2-b.
const gone = -1

func raw(b byte) int32 {
	if b < utf8.RuneSelf {
		return int32(b)
	}
	return -2 - int32(b)
}

// decoded returns the decoded character at i and its encoded size; size 0 if not encoded.
func decoded(text []byte, i int) (r int32, size int) {
	rest := text[i:]
	switch rest[0] {
	case '\\':
		return backslash(rest)
	case '%':
		if len(rest) > 2 {
			if b, ok := hexByte(rest[1], rest[2]); ok {
				return raw(b), 3
			}
		}
	case '=': // quoted-printable
		if bytes.HasPrefix(rest, []byte("=3D")) {
			return '=', 3
		}
	case '&':
		return entity(rest)
	case 0x1b:
		return gone, colour(rest)
	case 0:
		return gone, 1
	case 0xe2, 0xc2, 0xef:
		if c, n := utf8.DecodeRune(rest); invisible(c) {
			return gone, n
		}
	}
	return 0, 0
}

func invisible(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r == 0x2060 || r == 0xfeff || r == 0xad || r >= 0x202a && r <= 0x202e || r >= 0x2061 && r <= 0x2064
}

// simple are one-letter escapes; 0 for none.
var simple = [256]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v', 'a': '\a', 'e': 0x1b, '"': '"', '\'': '\'', '\\': '\\', '/': '/', '`': '`',
}

// backslash decodes an escape of JSON, a shell or a programming language.
func backslash(rest []byte) (r int32, size int) {
	if len(rest) < 2 {
		return 0, 0
	}
	switch c := rest[1]; {
	case simple[c] != 0:
		return int32(simple[c]), 2
	case c == '\n':
		return gone, 2
	case c == '\r' && len(rest) > 2 && rest[2] == '\n':
		return gone, 3
	case c == 'u' && len(rest) >= 6:
		return unicodeEscape(rest)
	case c == 'x' && len(rest) >= 4:
		if b, ok := hexByte(rest[2], rest[3]); ok {
			return raw(b), 4
		}
	case c >= '0' && c <= '3' && len(rest) >= 4 && octal(rest[2]) && octal(rest[3]):
		return raw((c-'0')<<6 | (rest[2]-'0')<<3 | rest[3] - '0'), 4
	}
	return 0, 0
}

func octal(c byte) bool { return c >= '0' && c <= '7' }

func unicodeEscape(rest []byte) (r int32, size int) {
	if rest[2] == '{' {
		i, n := 3, int32(0)
		for ; i < len(rest); i++ {
			d, ok := hexDigit(rest[i])
			if !ok {
				break
			}
			n = min(n<<4|int32(d), utf8.MaxRune+1)
		}
		if i < 4 || i == len(rest) || rest[i] != '}' || n > utf8.MaxRune {
			return 0, 0
		}
		return n, i + 1
	}
	first, ok := fourDigits(rest[2:])
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(first) && len(rest) >= 12 && rest[6] == '\\' && rest[7] == 'u' {
		if second, ok := fourDigits(rest[8:]); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				return r, 12
			}
		}
	}
	return first, 6
}

func fourDigits(text []byte) (r rune, ok bool) {
	high, ok := hexByte(text[0], text[1])
	if !ok {
		return 0, false
	}
	low, ok := hexByte(text[2], text[3])
	return rune(high)<<8 | rune(low), ok
}

func hexDigit(c byte) (d byte, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func hexByte(a, b byte) (byte, bool) {
	high, ok := hexDigit(a)
	if !ok {
		return 0, false
	}
	low, ok := hexDigit(b)
	return high<<4 | low, ok
}

// entities are named ASCII entities.
var entities = map[string]int32{"quot": '"', "amp": '&', "lt": '<', "gt": '>', "apos": '\'', "nbsp": ' ', "colon": ':', "equals": '=', "sol": '/', "lowbar": '_', "hyphen": '-', "period": '.', "commat": '@', "NewLine": '\n', "Tab": '\t'}

// mostEntity is the length of the longest named entity.
const mostEntity = 10

func entity(rest []byte) (r int32, size int) {
	if len(rest) > 2 && rest[1] == '#' {
		return numbered(rest)
	}
	end := bytes.IndexByte(rest[:min(len(rest), mostEntity)], ';')
	if end < 3 {
		return 0, 0
	}
	if r, ok := entities[string(rest[1:end])]; ok {
		return r, end + 1
	}
	return 0, 0
}

// numbered decodes an entity with a number, which can start with any number of zeros.
func numbered(rest []byte) (r int32, size int) {
	i, base := 2, int32(10)
	if rest[2]|0x20 == 'x' {
		i, base = 3, 16
	}
	first, n := i, int32(0)
	for ; i < len(rest); i++ {
		d, ok := hexDigit(rest[i])
		if !ok || int32(d) >= base {
			break
		}
		n = min(n*base+int32(d), utf8.MaxRune+1)
	}
	if i == len(rest) || rest[i] != ';' || i == first || n == 0 || n > utf8.MaxRune {
		return 0, 0
	}
	return n, i + 1
}

// colour returns the length of a terminal control sequence at the start: CSI or complete OSC.
func colour(rest []byte) int {
	if len(rest) < 2 {
		return 1
	}
	switch rest[1] {
	case '[':
		i := 2
		for i < len(rest) && rest[i] >= 0x20 && rest[i] <= 0x3f {
			i++
		}
		if i < len(rest) && rest[i] >= 0x40 && rest[i] <= 0x7e {
			return i + 1
		}
		return i
	case '(', ')':
		return min(3, len(rest))
	}
	return 1
}

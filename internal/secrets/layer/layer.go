// Package layer decodes texts: escapes of JSON and programming languages, percent-encoding, HTML entities, color
// codes, invisible characters, base64 and hexadecimal. It maps decoded bytes to the original.
package layer

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
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
		end := bytes.IndexByte(rest[:min(len(rest), 11)], '}')
		if end < 4 {
			return 0, 0
		}
		n := 0
		for _, c := range rest[3:end] {
			d, ok := hexDigit(c)
			if !ok {
				return 0, 0
			}
			n = n<<4 | int(d)
		}
		return int32(n), end + 1
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

// mostEntity limits an entity in bytes.
const mostEntity = 10

func entity(rest []byte) (r int32, size int) {
	end := bytes.IndexByte(rest[:min(len(rest), mostEntity)], ';')
	if end < 3 {
		return 0, 0
	}
	name := rest[1:end]
	if name[0] != '#' {
		if r, ok := entities[string(name)]; ok {
			return r, end + 1
		}
		return 0, 0
	}
	name = name[1:]
	base := int32(10)
	if name[0] == 'x' || name[0] == 'X' {
		base, name = 16, name[1:]
	}
	n := int32(0)
	for _, c := range name {
		d, ok := hexDigit(c)
		if !ok || int32(d) >= base {
			return 0, 0
		}
		n = n*base + int32(d)
	}
	if n == 0 || n > utf8.MaxRune || len(name) == 0 {
		return 0, 0
	}
	return n, end + 1
}

// colour returns the length of a terminal control sequence at the start: CSI or complete OSC.
func colour(rest []byte) int {
	if len(rest) < 2 {
		return 1
	}
	switch rest[1] {
	case '[':
		i := 2
		for i < len(rest) && i < 64 && rest[i] >= 0x20 && rest[i] <= 0x3f {
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

// Limits of decoded runs.
const (
	leastRun = 16 // bytes
	look     = 12 // bytes decoded first
	mostTry  = 6  // possible starts of a text within a run
)

// Runs calls found for each run of base64 or hexadecimal that decodes to a text, valid during the
// call. Lines wrapped at a fixed width are one run.
func Runs(text []byte, buffer *[]byte, found func(decoded []byte, start, end int)) {
	for i := 0; i < len(text); {
		if i+leastRun > len(text) {
			return
		}
		if !token[text[i+leastRun-1]] { // a run would include this byte: skip it
			i += leastRun
			continue
		}
		start := i + leastRun - 1
		for start > i && token[text[start-1]] {
			start--
		}
		end := i + leastRun
		for end < len(text) && token[text[end]] {
			end++
		}
		end = wrapped(text, start, end)
		if end-start >= leastRun {
			decodeRun(text, start, end, buffer, found)
		}
		i = end
	}
}

// token are the bytes of base64 and base64url without padding.
var token = func() (of [256]bool) {
	for c := range of {
		b := byte(c)
		of[c] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '-' || b == '_'
	}
	return of
}()

// wrapped returns the end of a run that continues on the next lines.
func wrapped(text []byte, start, end int) int {
	width := end - start
	if width < 56 || width > 80 {
		return end
	}
	for {
		next := end
		if next < len(text) && text[next] == '\r' {
			next++
		}
		if next >= len(text) || text[next] != '\n' {
			return end
		}
		next++
		stop := next
		for stop < len(text) && token[text[stop]] {
			stop++
		}
		if stop == next || stop-next > width {
			return end
		}
		end = stop
		if stop-next < width {
			return end
		}
	}
}

// decodeRun tries a run as hexadecimal and base64, from its start and after its separators.
func decodeRun(text []byte, start, end int, buffer *[]byte, found func([]byte, int, int)) {
	stop := end
	for stop < len(text) && stop < end+2 && text[stop] == '=' {
		stop++
	}
	if plain, ok := unhex(buffer, text[start:end]); ok {
		found(plain, start, end)
		return
	}
	at := start
	for range mostTry {
		if plain, ok := unbase64(buffer, text[at:end]); ok {
			found(plain, at, stop)
			return
		}
		i := bytes.IndexAny(text[at:end], "/-_+")
		if i < 0 || end-at-i-1 < leastRun {
			return
		}
		at += i + 1
	}
}

func unhex(buffer *[]byte, run []byte) (plain []byte, ok bool) {
	if len(run) < 2*look || len(run)%2 != 0 {
		return nil, false
	}
	*buffer = append((*buffer)[:0], make([]byte, len(run)/2)...)
	if _, err := hex.Decode((*buffer)[:look/2], run[:look]); err != nil || !printable((*buffer)[:look/2]) {
		return nil, false
	}
	n, err := hex.Decode(*buffer, run)
	return (*buffer)[:n], err == nil && isText((*buffer)[:n])
}

func unbase64(buffer *[]byte, run []byte) (plain []byte, ok bool) {
	var head [look]byte
	if len(run) < leastRun || !standard(head[:], run[:look]) {
		return nil, false
	}
	var first [look]byte
	if n, err := base64.RawStdEncoding.Decode(first[:], head[:]); err != nil || !printable(first[:n]) {
		return nil, false
	}
	all := make([]byte, 0, len(run))
	for _, c := range run {
		if c != '\n' && c != '\r' {
			all = append(all, c)
		}
	}
	standard(all, all)
	all = all[:len(all)-boolInt(len(all)%4 == 1)]
	*buffer = append((*buffer)[:0], make([]byte, base64.RawStdEncoding.DecodedLen(len(all)))...)
	n, err := base64.RawStdEncoding.Decode(*buffer, all)
	return (*buffer)[:n], err == nil && isText((*buffer)[:n])
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// standard converts base64url to base64. It returns false for a byte of neither.
func standard(dst, src []byte) bool {
	for i, c := range src {
		switch {
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		case !token[c]:
			return false
		}
		dst[i] = c
	}
	return true
}

// printable reports whether text is printable ASCII.
func printable(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c >= 0x7f) && c != '\n' && c != '\t' && c != '\r' && c != 0x1b {
			return false
		}
	}
	return true
}

// isText reports whether text is UTF-8 with few control characters.
func isText(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != 0x1b && c != 0 {
			return false
		}
	}
	return true
}

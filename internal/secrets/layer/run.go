package layer

import (
	"bytes"
	"encoding/hex"
	"unicode/utf8"
)

// Limits of decoded runs.
const (
	leastRun = 16 // bytes
	look     = 12 // bytes decoded first
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

// decodeRun tries a run as hexadecimal and base64, from its start and after its separators, up to its end or to the
// last separator before what is not text.
func decodeRun(text []byte, start, end int, buffer *[]byte, found func([]byte, int, int)) {
	stop := end
	for stop < len(text) && stop < end+2 && text[stop] == '=' {
		stop++
	}
	if hexadecimal(text, start, end, buffer, found) {
		return
	}
	// Texts whose starts differ by a multiple of four characters are the same from the later start on: where one is not
	// a text, the other one is not, either.
	bad := [4]int{-1, -1, -1, -1}
	for at, breaks := start, 0; end-at >= leastRun; {
		phase := (at - start - breaks) % 4
		skip := at
		if at > bad[phase] && readable(text[at:]) {
			plain, used := unbase64(*buffer, text[at:end])
			*buffer = plain
			switch {
			case at+used == end:
				found(plain, at, stop)
				return
			case used >= leastRun:
				if n := bytes.LastIndexAny(text[at+leastRun:at+used], separators); n >= 0 {
					skip = at + leastRun + n
					*buffer, _ = unbase64(*buffer, text[at:skip])
					found(*buffer, at, skip)
				}
			}
			bad[phase] = at + used
		}
		next := separated(text, skip, end)
		if next == end {
			return
		}
		for _, c := range text[at:next] {
			breaks += boolInt(c == '\n' || c == '\r')
		}
		at = next + 1
	}
}

// separators are bytes of base64 that can also be around it.
const separators = "/-_+"

// separated returns the place of the first separator in text[i:end], or its end.
func separated(text []byte, i, end int) int {
	for i < end && (text[i] > '_' || text[i] != '/' && text[i] != '-' && text[i] != '_' && text[i] != '+') {
		i++
	}
	return i
}

// hexadecimal calls found for the parts of a run between separators that are hexadecimal texts. It returns true if the
// whole run is one.
func hexadecimal(text []byte, start, end int, buffer *[]byte, found func([]byte, int, int)) (all bool) {
	for at := start; end-at >= 2*look; {
		stop := separated(text, at, end)
		if bytes.HasPrefix(text[at:stop], []byte("0x")) {
			at += 2
		}
		if plain, ok := unhex(buffer, text[at:stop]); ok {
			found(plain, at, stop)
			all = all || stop == end && at <= start+2
		}
		at = stop + 1
	}
	return all
}

func unhex(buffer *[]byte, run []byte) (plain []byte, ok bool) {
	if len(run) < 2*look || len(run)%2 != 0 {
		return nil, false
	}
	var first [look / 2]byte
	if _, err := hex.Decode(first[:], run[:look]); err != nil || !printable(first[:]) {
		return nil, false
	}
	*buffer = append((*buffer)[:0], make([]byte, len(run)/2)...)
	n, err := hex.Decode(*buffer, run)
	return (*buffer)[:n], err == nil && isText((*buffer)[:n])
}

// readable reports whether the first characters of a run are those of a text in base64.
func readable(run []byte) bool {
	for i := 0; i < look; i += 4 {
		a, b, c, d := sextets[run[i]], sextets[run[i+1]], sextets[run[i+2]], sextets[run[i+3]]
		if (a|b|c|d)&noSextet != 0 || !plainByte[a<<2|b>>4] || !plainByte[b<<4|c>>2] || !plainByte[c<<6|d] {
			return false
		}
	}
	return true
}

const noSextet = 0x80

// sextets are the values of the characters of base64 and base64url.
var sextets = func() (of [256]byte) {
	for i := range of {
		of[i] = noSextet
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		of[c] = byte(i)
	}
	of['-'], of['_'] = 62, 63
	return of
}()

// leastChecked is the number of bytes after which a text is checked.
const leastChecked = 192

// unbase64 decodes a run into dst, as far as it is a text. It returns the number of the run's bytes that are.
func unbase64(dst, run []byte) (plain []byte, used int) {
	plain = dst[:0]
	var four [4]byte
	n, checked, at := 0, 0, 0 // at: the run's byte at which what is not checked begins
	for i, c := range run {
		if c == '\n' || c == '\r' {
			continue
		}
		four[n] = sextets[c]
		if n++; n == 4 {
			plain = append(plain, four[0]<<2|four[1]>>4, four[1]<<4|four[2]>>2, four[2]<<6|four[3])
			n = 0
			if len(plain)-checked >= leastChecked {
				good := textLength(plain[checked:])
				if good+utf8.UTFMax <= len(plain)-checked {
					return plain[:checked+good], at + good/3*4
				}
				if checked, at = checked+good, i+1-(len(plain)-checked-good)*4/3; good == 0 {
					return plain[:checked], at
				}
			}
		}
	}
	if n >= 2 {
		plain = append(plain, four[0]<<2|four[1]>>4)
	}
	if n == 3 {
		plain = append(plain, four[1]<<4|four[2]>>2)
	}
	if good := textLength(plain[checked:]); checked+good < len(plain) {
		return plain[:checked+good], min(at+good/3*4, len(run)-1)
	}
	return plain, len(run)
}

// textLength returns the length of the start of plain that is UTF-8 with few control characters.
func textLength(plain []byte) int {
	for i := 0; i < len(plain); {
		c := plain[i]
		if c < utf8.RuneSelf {
			if !textByte(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(plain[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(plain)
}

func textByte(c byte) bool {
	return c >= ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0x1b || c == 0
}

// plainByte are the bytes of printable ASCII.
var plainByte = func() (of [256]bool) {
	for i := range of {
		of[i] = printable([]byte{byte(i)})
	}
	return of
}()

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
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
func isText(text []byte) bool { return textLength(text) == len(text) }

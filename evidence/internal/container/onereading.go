package container

import (
	"bytes"
	"fmt"
	"io"
)

// base256Mark is set in the first byte of a number in base 256.
const base256Mark = 0x80

// sizeDigits is the length of a size: eleven octal digits, which a NUL or a blank ends.
const sizeDigits = 11

// oneReading returns the fault for a header that programs interpret differently, which makes the digests ambiguous.
// It is Final, because the position of the next header is then uncertain. It has precedence over other checks.
func (r *Reader) oneReading(b *block, start int64) error {
	name, size := b.text(fieldName), b.of(fieldSize)
	_, octal := octalDigits(size[:sizeDigits])
	switch {
	case !b.regular():
		return r.notRegular(b, start)
	case !zeroed(b.of(fieldLink)):
		return r.ambiguous(start, "the header of a regular file has a link target", "zeros", shown(b.of(fieldLink)))
	case !zeroed(b.of(fieldRest)):
		return r.ambiguous(start, "a tar header has more fields than the oldest format: a path prefix, times or sparse parts",
			fmt.Sprintf("zeros from byte %d of the header", fieldRest.start), shown(b.of(fieldRest)))
	case bytes.HasSuffix(name, []byte{'/'}):
		return r.ambiguous(start, "the name of a regular file ends in a slash, like that of a folder", "a file name", quoted(name))
	case !octal || size[sizeDigits] != 0 && size[sizeDigits] != ' ':
		return r.ambiguous(start, "the size in a tar header does not fill its field", "eleven octal digits, then NUL or a blank", shown(size))
	}
	for _, f := range numbers {
		if !readable(b.of(f.field)) {
			return r.ambiguous(start, "the "+f.name+" in a tar header is not a number", "octal digits", shown(b.of(f.field)))
		}
	}
	return nil
}

// numbers are fields that digests do not depend on, but for which some programs reject a tar.
var numbers = []struct {
	name string
	field
}{
	{"mode", fieldMode},
	{"user id", fieldUID},
	{"group id", fieldGID},
	{"time", fieldTime},
	{"major device number", fieldMajor},
	{"minor device number", fieldMinor},
}

// readable reports whether all programs parse a numeric field alike: octal digits with leading
// blanks and trailing blanks or NULs; only NULs; or base 256 within the octal range.
func readable(text []byte) bool {
	if text[0] == base256Mark {
		high := text[1 : len(text)-4]
		if len(text) == fieldTime.size {
			return zeroed(high[:len(high)-1]) && high[len(high)-1] < 2 // below 2^33, as eleven octal digits are
		}
		return zeroed(high) && text[len(text)-4] < 0x80
	}
	digits := bytes.TrimLeft(bytes.TrimRight(text, "\x00 "), " ")
	_, ok := octalDigits(digits)
	return ok || zeroed(text)
}

// notRegular returns the fault of a member that is not a regular file, with a PAX header's first record.
func (r *Reader) notRegular(b *block, start int64) error {
	f := newFault(integrityTar, start, "the tar has %s", b.kindName())
	f.Expected, f.Found, f.Final = "regular files in the plain ustar format alone", fmt.Sprintf("type %+q", b.kind()), true
	f.Ambiguous = true
	if kind := b.kind(); kind == typeExtended || kind == typeGlobal {
		var body [blockBytes]byte
		if _, err := io.ReadFull(r.tar, body[:]); err == nil {
			if record := firstRecord(body[:]); len(record) > 0 {
				f.Found = "the record " + quoted(record)
			}
		}
	}
	r.err = f
	return f
}

// firstRecord returns the name of the first record of a PAX header: "path" of "22 path=manifest.json".
func firstRecord(body []byte) []byte {
	_, record, _ := bytes.Cut(body, []byte{' '})
	name, _, ok := bytes.Cut(record, []byte{'='})
	if !ok {
		return nil
	}
	return name
}

// ambiguous ends reading with a fault for a header that programs interpret differently.
func (r *Reader) ambiguous(offset int64, message, expected, found string) error {
	f := r.broken(offset, "%s", message)
	f.Expected, f.Found, f.Ambiguous = expected, found, true
	return f
}

func zeroed(text []byte) bool { return bytes.Equal(text, zeros[:len(text)]) }

// shown quotes a field without surrounding NULs.
func shown(text []byte) string { return fmt.Sprintf("%+q", bytes.Trim(text, "\x00")) }

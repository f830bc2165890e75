package evidence

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"github.com/cupel-dev/cupel/internal/digest"
)

// conversions returns possible originals before a known conversion, such as gzip or UTF-16.
func conversions(data []byte) []Meant {
	list := []Meant{{"decompressed: the file was compressed with gzip", gunzip(data)}}
	if text := fromUTF16(data); text != nil {
		list = append(list, Meant{"as UTF-8: the file was converted to UTF-16", text}, Meant{"as UTF-8 with LF line ends: the file was converted to UTF-16 with CRLF", withLF(text)})
	}
	if !utf8.Valid(data) {
		text, err := charmap.Windows1252.NewDecoder().Bytes(data)
		if err == nil {
			list = append(list, Meant{"as UTF-8: the file was converted to Windows-1252 (ISO-8859-1)", text}, Meant{"as UTF-8 with LF line ends: the file was converted to Windows-1252 (ISO-8859-1) with CRLF", withLF(text)})
		}
		return list
	}
	for _, table := range []*charmap.Charmap{charmap.Windows1252, charmap.ISO8859_1} {
		if text, err := table.NewEncoder().Bytes(data); err == nil && utf8.Valid(text) {
			list = append(list, Meant{"decoded once more: UTF-8 was read as " + table.String() + " and encoded twice (mojibake)", text})
		}
	}
	return append(list,
		Meant{"normalized to NFC: the file was normalized to NFD", norm.NFC.Bytes(data)},
		Meant{"normalized to NFD: the file was normalized to NFC", norm.NFD.Bytes(data)},
	)
}

// gunzip decompresses up to maxExplained. It returns nil if the data is not gzip.
func gunzip(data []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(z, maxExplained+1))
	if err != nil || len(text) > maxExplained {
		return nil
	}
	return text
}

// fromUTF16 decodes a file with a byte order mark of UTF-16, or with a NUL in each of its first byte pairs. It
// returns nil for others.
func fromUTF16(data []byte) []byte {
	big := bytes.HasPrefix(data, []byte{0xfe, 0xff}) || len(data) > 3 && data[0] == 0 && data[2] == 0
	switch {
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}), bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		data = data[2:]
	case !big && !(len(data) > 3 && data[1] == 0 && data[3] == 0):
		return nil
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		low, high := data[i], data[i+1]
		if big {
			low, high = high, low
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return []byte(string(utf16.Decode(units)))
}

// pointer matches the pointer file of Git LFS in place of a file that was not fetched.
var pointer = regexp.MustCompile(`^version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n`)

// pointerNote returns a note for a pointer file of Git LFS, or "".
func pointerNote(data []byte, want digest.Sum) string {
	found := pointer.FindSubmatch(data[:min(len(data), 1024)])
	switch {
	case found == nil:
		return ""
	case string(found[1]) == want.Hex():
		return "the file is a Git LFS pointer to the recorded file: fetch it with `git lfs pull`"
	}
	return "the file is a Git LFS pointer, but not to the recorded file; `git lfs pull` does not fetch the evidence"
}

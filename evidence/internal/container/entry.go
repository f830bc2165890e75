package container

import (
	"bytes"
	"fmt"
	"math"
)

// blockBytes is what a tar stream is made of: a header is one block, and a member's bytes
// are padded to whole ones.
const blockBytes = 512

// Types of members.
const (
	typeRegular    = '0'
	typeRegularOld = 0
	typeLongName   = 'L' // GNU: the body is the next member's path
	typeExtended   = 'x' // PAX: the body is records about the next member
)

// field is a part of a header block.
type field struct{ start, size int }

var (
	fieldName     = field{0, 100}
	fieldMode     = field{100, 8}
	fieldUID      = field{108, 8}
	fieldGID      = field{116, 8}
	fieldSize     = field{124, 12}
	fieldTime     = field{136, 12}
	fieldChecksum = field{148, 8}
	fieldType     = field{156, 1}
	fieldMagic    = field{257, 8} // and version
	fieldUname    = field{265, 32}
	fieldGname    = field{297, 32}
	fieldPrefix   = field{345, 155} // in ustar only
)

// The magic of the formats that have one.
const (
	magicUstar = "ustar\x0000"
	magicGNU   = "ustar  \x00"
)

// block is the header of one member.
type block [blockBytes]byte

func (b *block) of(f field) []byte { return b[f.start : f.start+f.size] }

// text is a field up to its first NUL.
func (b *block) text(f field) []byte {
	text, _, _ := bytes.Cut(b.of(f), []byte{0})
	return text
}

func (b *block) isZero() bool { return *b == block{} }

func (b *block) kind() byte { return b[fieldType.start] }

// regular says whether the member is a plain file.
func (b *block) regular() bool { return b.kind() == typeRegular || b.kind() == typeRegularOld }

// kinds names the types that a bundle never has.
var kinds = map[byte]string{
	'1': "a hard link", '2': "a symbolic link", '3': "a character device", '4': "a block device",
	'5': "a folder", '6': "a named pipe", '7': "a contiguous file", 'S': "a sparse file",
}

// kindName is a member's type in words.
func (b *block) kindName() string {
	if name, ok := kinds[b.kind()]; ok {
		return name
	}
	return fmt.Sprintf("type %+q", []byte{b.kind()})
}

// describes says whether the member's body describes the next member. The types that do
// are no part of the oldest format, which has no magic.
func (b *block) describes(kind byte) bool {
	form := string(b.of(fieldMagic))
	return b.kind() == kind && (form == magicUstar || form == magicGNU)
}

// sum adds up all bytes, the checksum's own being taken for spaces.
func (b *block) sum() int64 {
	sum := int64(' ' * fieldChecksum.size)
	for i, c := range b {
		if i < fieldChecksum.start || i >= fieldChecksum.start+fieldChecksum.size {
			sum += int64(c)
		}
	}
	return sum
}

// path is the name as the header alone gives it.
func (b *block) path() []byte {
	name := b.text(fieldName)
	prefix := b.text(fieldPrefix)
	if string(b.of(fieldMagic)) != magicUstar || len(prefix) == 0 {
		return name
	}
	return append(append(bytes.Clone(prefix), '/'), name...)
}

// number reads a field: octal digits between spaces and NULs, or a non-negative number in
// base 256, which the field's first bit announces. Beyond an int64 it is the greatest.
func (b *block) number(f field) (int64, bool) {
	text := b.of(f)
	if text[0]&0x80 != 0 {
		return base256(text)
	}
	digits := bytes.Trim(b.text(f), " ")
	var n int64
	for _, c := range digits {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | int64(c-'0') // 12 digits at most
	}
	return n, true
}

// base256 reads a big-endian number in two's complement, of which the first byte's highest
// bit is the mark.
func base256(text []byte) (int64, bool) {
	if text[0]&0x40 != 0 {
		return 0, false // negative
	}
	n := int64(text[0] & 0x3f)
	for _, c := range text[1:] {
		if n > math.MaxInt64>>8 {
			return math.MaxInt64, true
		}
		n = n<<8 | int64(c)
	}
	return n, true
}

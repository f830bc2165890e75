package container

import (
	"bytes"
	"fmt"
)

// blockBytes is the tar block size: headers are one block, members are padded.
const blockBytes = 512

// Types of members.
const (
	typeRegular    = '0'
	typeRegularOld = 0
	typeLongName   = 'L' // GNU: the body is the next member's path
	typeLongLink   = 'K' // GNU: the body is the next member's link target
	typeExtended   = 'x' // PAX: the body is records about the next member
	typeGlobal     = 'g' // PAX: the body is records about all members that follow
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
	fieldLink     = field{157, 100}
	fieldMajor    = field{329, 8}
	fieldMinor    = field{337, 8}
	fieldRest     = field{345, 167} // ustar: a prefix of the name; GNU: times, sparse parts
)

// The magic numbers of tar formats.
const (
	magicUstar = "ustar\x0000"
	magicGNU   = "ustar  \x00"
)

type block [blockBytes]byte

func (b *block) of(f field) []byte { return b[f.start : f.start+f.size] }

// text returns a field up to its first NUL.
func (b *block) text(f field) []byte {
	text, _, _ := bytes.Cut(b.of(f), []byte{0})
	return text
}

func (b *block) isZero() bool { return *b == block{} }

func (b *block) kind() byte { return b[fieldType.start] }

// regular reports whether the member is a plain file.
func (b *block) regular() bool { return b.kind() == typeRegular || b.kind() == typeRegularOld }

// kinds names the types that a bundle never has.
var kinds = map[byte]string{
	typeLongName: "a GNU long name", typeLongLink: "a GNU long link", typeExtended: "a PAX header", typeGlobal: "a PAX global header",
	'1': "a hard link", '2': "a symbolic link", '3': "a character device", '4': "a block device",
	'5': "a folder", '6': "a named pipe", '7': "a contiguous file", 'S': "a sparse file",
}

// kindName describes a member's type.
func (b *block) kindName() string {
	if name, ok := kinds[b.kind()]; ok {
		return name
	}
	return fmt.Sprintf("a member of type %+q", b.kind())
}

// sum returns the checksum, computed with spaces in place of the checksum field.
func (b *block) sum() int64 {
	sum := int64(' ' * fieldChecksum.size)
	for i, c := range b {
		if i < fieldChecksum.start || i >= fieldChecksum.start+fieldChecksum.size {
			sum += int64(c)
		}
	}
	return sum
}

// size returns a member's size. The header must have passed oneReading.
func (b *block) size() int64 {
	n, _ := octalDigits(b.of(fieldSize)[:sizeDigits])
	return n
}

func octalDigits(digits []byte) (int64, bool) {
	var n int64
	for _, c := range digits {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | int64(c-'0') // 12 digits at most
	}
	return n, len(digits) > 0
}

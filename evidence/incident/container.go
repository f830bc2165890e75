package incident

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
)

const (
	block          = 512
	inventoryName  = "inventory.json"
	assessmentName = "assessment.json"
	objectsFolder  = "objects/"
)

// Is reports whether a text starts like a package.
func Is(head []byte) bool {
	return len(head) >= block && bytes.HasPrefix(head, []byte(inventoryName+"\x00")) && string(head[257:262]) == "ustar"
}

// HeadBytes is how much of a text Is needs.
const HeadBytes = block

type member struct {
	name string
	text []byte
}

// header returns the only valid tar header for a member.
func header(name string, size int) []byte {
	h := make([]byte, block)
	copy(h, name)
	copy(h[100:], "0000644\x00"+"0000000\x00"+"0000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x00%011o\x00        0", size, 0))
	copy(h[257:], "ustar\x0000")
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

func padded(size int) int { return (size + block - 1) / block * block }

func write(members []member) []byte {
	var out []byte
	for _, m := range members {
		out = append(append(out, header(m.name, len(m.text))...), m.text...)
		out = append(out, make([]byte, padded(len(m.text))-len(m.text))...)
	}
	return append(out, make([]byte, 2*block)...)
}

// read reads the members of a package. Their headers must be exactly those that write produces.
func read(text []byte, limits *limits) (members []member, err error) {
	at := 0
	for ; len(text)-at >= block && !zero(text[at:at+block]); at += block {
		if err := within(int64(len(members)+1), hard.Members, limits.Members, "members"); err != nil {
			return nil, err
		}
		m, err := readMember(text[at:], members, limits)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
		at += padded(len(m.text))
	}
	if len(members) < 2 || len(text)-at != 2*block || !zero(text[at:]) {
		return nil, refuse(ruleShape, "", "byte %d: expected a member or, after inventory and assessment, two zero blocks and the end", at)
	}
	return members, nil
}

func zero(text []byte) bool { return len(bytes.Trim(text, "\x00")) == 0 }

func readMember(text []byte, before []member, limits *limits) (m member, err error) {
	size, err := strconv.ParseUint(string(text[124:135]), 8, 33)
	name, _, _ := strings.Cut(string(text[:100]), "\x00")
	bad := func(why string) error {
		return refuse(ruleShape, "", "member %d, %s: %s", len(before)+1, strconv.QuoteToASCII(name), why)
	}
	if err != nil || !bytes.Equal(text[:block], header(name, int(size))) {
		return m, bad("the header differs from the one that the format prescribes for its name and size")
	}
	if err := within(int64(len(name)), hard.OuterPathBytes, limits.OuterPathBytes, "bytes of a path"); err != nil {
		return m, err
	}
	sum, isObject := strings.CutPrefix(name, objectsFolder)
	switch {
	case len(before) < 2 && name != [...]string{inventoryName, assessmentName}[len(before)]:
		return m, bad("expected " + [...]string{inventoryName, assessmentName}[len(before)])
	case len(before) < 2:
	case !isObject || !digest.IsHex([]byte(sum)):
		return m, bad("expected objects/ and 64 lower-case hexadecimal digits")
	case len(before) > 2 && before[len(before)-1].name >= name:
		return m, bad("list objects in ascending order, each once")
	}
	if len(text)-block < padded(int(size)) {
		return m, bad("the package ends too early")
	}
	m = member{name, text[block : block+int(size) : block+int(size)]}
	switch {
	case !zero(text[block+int(size) : block+padded(int(size))]):
		return m, bad("the padding is not zero")
	case isObject && digest.Of(m.text).Hex() != sum:
		return m, bad("SHA-256 mismatch: the object has " + digest.Of(m.text).Hex())
	}
	return m, nil
}

// hexOf is the digits of a text's SHA-256.
func hexOf(text []byte) string {
	sum := digest.Of(text)
	return hex.EncodeToString(sum[:])
}

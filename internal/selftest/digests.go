package selftest

import (
	"crypto/sha256"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
)

// knownDigests returns SHA-256 examples published by NIST. It is a function, because building the longest text of a
// million bytes would slow down other commands.
func knownDigests() map[string]string {
	return map[string]string{
		"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":                                                         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
		"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu": "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
		strings.Repeat("a", 1_000_000): "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
	}
}

// longest limits the tested texts: more than four blocks cover every kind of padding.
const longest = 260

// Digests tests concurrent SHA-256 with published digests and with texts of every length, compared with Go's package.
func Digests() Suite {
	s := Suite{Name: "SHA-256, texts together"}
	var texts [][]byte
	var want []string
	for text, hex := range knownDigests() {
		texts, want = append(texts, []byte(text)), append(want, hex)
	}
	text := []byte(strings.Repeat("the quick brown fox ", longest/20+1))
	for n := range longest + 1 {
		texts, want = append(texts, text[n%7:n%7+n]), append(want, digest.Sum(sha256.Sum256(text[n%7:n%7+n])).Hex())
	}
	for i, sum := range new(digest.Many).Sums(texts) {
		if s.Cases++; sum.Hex() != want[i] {
			s.fail("%d bytes: %s, expected %s", len(texts[i]), sum.Hex(), want[i])
		}
	}
	return s
}

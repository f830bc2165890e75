package siphash

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
)

// published are the hashes of the texts 00, 00 01, 00 01 02 … of 0 to 15 bytes under the
// key 00 01 … 0f, in bytes from the lowest up, as the authors publish them.
const published = `
310e0edd47db6f72 fd67dc93c539f874 5a4fa9d909806c0d 2d7efbd796666785
b7877127e09427cf 8da699cd64557618 cee3fe586e46c9cb 37d1018bf50002ab
6224939a79f5f593 b0e4a90bdf82009e f3b9dd94c5bb5d7a a7ad6b22462fb3f4
fbe50e86bc8f1e75 903d84c02756ea14 eef27a8e90ca23f7 e545be4961ca29a1`

func TestPublished(t *testing.T) {
	var key, text [16]byte
	for i := range key {
		key[i], text[i] = byte(i), byte(i)
	}
	k := Key{binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])}
	for i, want := range strings.Fields(published) {
		got := make([]byte, 8)
		binary.LittleEndian.PutUint64(got, k.Sum64(text[:i]))
		if text := hex.EncodeToString(got); text != want {
			t.Errorf("%d bytes: %s, want %s", i, text, want)
		}
	}
	if got := k.Sum64(text[:15]); got != 0xa129ca6149be45e5 {
		t.Errorf("the paper's text: %#x", got)
	}
}

// TestKeysDiffer holds that a key is not guessed: two are never equal, and give other
// hashes.
func TestKeysDiffer(t *testing.T) {
	a, b := NewKey(), NewKey()
	if a == b || a.Sum64([]byte("step")) == b.Sum64([]byte("step")) {
		t.Error("two keys are equal")
	}
}

func BenchmarkSum64(b *testing.B) {
	k, text := NewKey(), []byte(strings.Repeat("ev_v1_0a", 9))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		k.Sum64(text)
	}
}

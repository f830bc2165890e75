package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/siphash"
)

// TestIDSum compares sums of ids with what is said of them, over UUIDs of all variants, what
// is nearly one, and other texts. No sum of a UUID is one of another text.
func TestIDSum(t *testing.T) {
	uuid := regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	random := rand.New(rand.NewPCG(18, 7))
	keys := siphash.NewKey()
	seen, kinds := map[uint64]string{}, [2]int{}
	for range 20_000 {
		id := anyID(random)
		sum := sha256.Sum256(id)
		want, kind := sum[:16], 0
		if want[8] &= 0x3f; uuid.Match(id) {
			want, _ = hex.DecodeString(strings.ReplaceAll(string(id), "-", ""))
			kind = 1
		}
		kinds[kind]++
		got, own := idSumOf(id)
		if !bytes.Equal(got[:], want) || own != (kind == 1) {
			t.Fatalf("%q: %x, want %x", id, got, want)
		}
		if other, known := seen[got.key(keys)]; known && other != string(id) {
			t.Fatalf("%q and %q have one key", id, other)
		}
		seen[got.key(keys)] = string(id)
	}
	if min(kinds[0], kinds[1]) < 1000 {
		t.Errorf("%d UUIDs, %d others", kinds[1], kinds[0])
	}
}

func anyID(random *rand.Rand) []byte {
	var b [16]byte
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	h := hex.EncodeToString(b[:])
	id := []byte(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
	switch random.IntN(6) {
	case 0:
		return bytes.ToUpper(id)
	case 1:
		id[random.IntN(len(id))] = "0g-A/"[random.IntN(5)]
	case 2:
		return id[:random.IntN(len(id))]
	case 3:
		return []byte(h)
	}
	return id
}

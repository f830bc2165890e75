package session

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"runtime"
	"testing"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// FuzzIntegral compares the reading of integers with exact rational arithmetic.
func FuzzIntegral(f *testing.F) {
	for _, seed := range []string{"0", "-0", "5.0", "50e-1", "18446744073709551616", "1E3", "-2.5", "0.1e1", "1e-400", "123456789012345678901234567890e-12"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
		if err != nil || !doc.Root().Is(strictjson.Number) || len(text) > 400 {
			return
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			return // an exponent beyond what big.Rat reads
		}
		negative, magnitude, whole, wide := integral([]byte(text))
		if whole != want.IsInt() {
			t.Fatalf("%s: whole is %v", text, whole)
		}
		if !whole {
			return
		}
		if wide == new(big.Int).Abs(want.Num()).IsUint64() {
			t.Fatalf("%s: wide is %v", text, wide)
		}
		if !wide && (new(big.Int).Abs(want.Num()).Uint64() != magnitude || negative != (want.Sign() < 0)) {
			t.Fatalf("%s: %v %d", text, negative, magnitude)
		}
	})
}

// TestMerkle compares the incremental root with the definition for every size up to 70.
func TestMerkle(t *testing.T) {
	var m merkle
	var leaves []digest.Sum
	for n := range 70 {
		if got, want := m.root(), merkleOf(leaves); got != want {
			t.Fatalf("%d leaves: %s, want %s", n, got, want)
		}
		hash := sha256.Sum256(fmt.Append(nil, n))
		m.add(hash)
		leaves = append(leaves, hash)
	}
}

// merkleOf is RFC 6962 §2.1, word for word.
func merkleOf(leaves []digest.Sum) digest.Sum {
	switch len(leaves) {
	case 0:
		return digest.Of(nil)
	case 1:
		return digest.Of(append([]byte{0}, leaves[0][:]...))
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := merkleOf(leaves[:k]), merkleOf(leaves[k:])
	return digest.Of(append(append([]byte{1}, left[:]...), right[:]...))
}

// TestToolIDs: every call is found under its own tool, and an id costs at most 32
// bytes once there are many.
func TestToolIDs(t *testing.T) {
	const calls = 200_000
	id := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ids := new(toolIDs)
	for i := range calls {
		ids.add(newToolID(id(i), []byte("tool")))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := float64(after.HeapAlloc-before.HeapAlloc) / calls; each > 32 {
		t.Errorf("%.1f bytes for each id, at most 32", each)
	} else {
		t.Logf("%.1f bytes for each of %d ids", each, calls)
	}
	for i := range calls + 100 {
		call, known := ids.answer(newToolID(id(i), []byte("tool")))
		if call != (i < calls) || known != (i < calls) {
			t.Fatalf("id %d: %v %v", i, call, known)
		}
	}
	if call, known := ids.answer(newToolID(id(7), []byte("other"))); call || !known {
		t.Error("another tool under a known id passes for the call")
	}
	ids.add(newToolID(id(7), []byte("other")))
	if call, _ := ids.answer(newToolID(id(7), []byte("other"))); !call {
		t.Error("two tools under one id: the second is not found")
	}
	if ids.size != calls+1 || ids.answered != calls+1 {
		t.Errorf("%d calls, %d answered", ids.size, ids.answered)
	}
	again := new(toolIDs)
	if err := again.load(ids.bytes()); err != nil || again.size != ids.size || again.answered != ids.answered {
		t.Errorf("%v: %d calls, %d answered after a round trip", err, again.size, again.answered)
	}
}

package session

import (
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/cupel-dev/cupel/internal/digest"
)

// TestToolIDs: every call is found under its own tool, and an id costs at most 32
// bytes once there are many, whether they were expected or not.
func TestToolIDs(t *testing.T) {
	const calls = 200_000
	checkToolIDs(t, calls, 0)
	checkToolIDs(t, calls, calls)
}

func checkToolIDs(t *testing.T, calls, expected int) {
	t.Helper()
	id := func(i int) digest.Sum { return digest.Of(binary.BigEndian.AppendUint64(nil, uint64(i))) }
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ids, names := new(toolIDs), new(lastSum)
	ids.look(new(toolID)) // also of an empty set
	ids.expect(expected)
	for i := range calls {
		ids.add(toolIDOf(id(i), names.of([]byte("tool"))))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := float64(after.HeapAlloc-before.HeapAlloc) / float64(calls); each > 32 {
		t.Errorf("%.1f bytes for each id, at most 32", each)
	} else {
		t.Logf("%.1f bytes for each of %d ids", each, calls)
	}
	for i := range calls + 100 {
		call, known := ids.answer(toolIDOf(id(i), names.of([]byte("tool"))))
		if call != (i < calls) || known != (i < calls) {
			t.Fatalf("id %d: %v %v", i, call, known)
		}
	}
	if call, known := ids.answer(toolIDOf(id(7), names.of([]byte("other")))); call || !known {
		t.Error("another tool under a known id passes for the call")
	}
	ids.add(toolIDOf(id(7), names.of([]byte("other"))))
	if call, _ := ids.answer(toolIDOf(id(7), names.of([]byte("other")))); !call {
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

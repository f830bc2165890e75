package app

import (
	"runtime/debug"
)

// heapBound is the heap size above which collection is frequent, to keep every command below 256 MiB by default.
const heapBound = 192 << 20

// BoundHeap sets the bound, unless the environment has a lower one, and returns what sets it back.
func BoundHeap() func() {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, heapBound))
	return func() { debug.SetMemoryLimit(before) }
}

// RaiseHeap raises the bound for user-configured limits, to avoid continuous collection.
func RaiseHeap(more int) {
	if more > 0 && debug.SetMemoryLimit(-1) == heapBound {
		debug.SetMemoryLimit(heapBound + int64(more))
	}
}

// roomyPercent is the heap growth for many small inputs: less frequent collection saves a fifth of the time.
const roomyPercent = 400

// RoomyHeap sets the collector for that and returns what sets it back.
func RoomyHeap() func() {
	percent := debug.SetGCPercent(roomyPercent)
	return func() { debug.SetGCPercent(percent) }
}

// UsualHeap ends what RoomyHeap began, for inputs that allocate little but keep much.
func UsualHeap() { debug.SetGCPercent(100) }

package app

import (
	"runtime/debug"
)

// heapBound is where the collector stops to let the heap grow to twice what is alive: with
// the program itself, every command stays below 256 MiB on any input by default.
const heapBound = 192 << 20

// BoundHeap sets the bound, unless the environment has a lower one, and returns what sets
// it back.
func BoundHeap() func() {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, heapBound))
	return func() { debug.SetMemoryLimit(before) }
}

// RaiseHeap makes room beyond the bound for what a user's own limits allow to be
// remembered: the collector would work without end to no avail.
func RaiseHeap(more int) {
	if more > 0 && debug.SetMemoryLimit(-1) == heapBound {
		debug.SetMemoryLimit(heapBound + int64(more))
	}
}

// roomyPercent is the heap's growth between collections where many small inputs are read:
// what is made of each lives shortly, and collecting less often saves a fifth of the time,
// until the heap comes near its bound.
const roomyPercent = 400

// RoomyHeap sets the collector for that and returns what sets it back.
func RoomyHeap() func() {
	percent := debug.SetGCPercent(roomyPercent)
	return func() { debug.SetGCPercent(percent) }
}

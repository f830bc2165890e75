package app

import (
	"runtime/debug"
)

// heapBound is the heap size above which garbage is collected more often, to stay below 256 MiB by default.
const heapBound = 192 << 20

// BoundHeap sets the limit, unless the environment has a lower one. Call the result to restore the old one.
func BoundHeap() func() {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, heapBound))
	return func() { debug.SetMemoryLimit(before) }
}

// RaiseHeap raises the limit if the user configured larger limits, to avoid continuous collection.
func RaiseHeap(more int) {
	if more > 0 && debug.SetMemoryLimit(-1) == heapBound {
		debug.SetMemoryLimit(heapBound + int64(more))
	}
}

// roomyPercent is GOGC for many small inputs: collecting less often saves a fifth of the time.
const roomyPercent = 400

// RoomyHeap sets it. Call the result to restore the old value.
func RoomyHeap() func() { return percentHeap(roomyPercent) }

// leanPercent is GOGC for a server, which keeps compiled assertions: 4,000 different ones take 61 instead of 74 MiB.
const leanPercent = 50

// LeanHeap sets it. Call the result to restore the old value.
func LeanHeap() func() { return percentHeap(leanPercent) }

func percentHeap(percent int) func() {
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// tightPercent is GOGC for inputs that allocate little and keep much without pointers: a collection costs almost
// nothing.
const tightPercent = 25

// TightHeap sets it, and ends RoomyHeap early.
func TightHeap() { debug.SetGCPercent(tightPercent) }

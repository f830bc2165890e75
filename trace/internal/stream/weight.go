package stream

import "github.com/cupel-dev/cupel/internal/strictjson"

// weigh estimates the memory that a block and the work on it take. A block of the usual
// size holds short lines, whose values take little at a time; a larger one is a long
// line, which may be all values: those are counted, and count twice, because slices that
// grow hold the old and the new.
func weigh(b Block, mostValues int) int {
	bytesOfText := 2 * len(b.Data) // itself, and a canonical text as long
	if len(b.Data) <= 2*defaultBlock {
		return bytesOfText
	}
	return bytesOfText + 2*strictjson.ValueBytes*min(strictjson.MaxValues(b.Data), mostValues)
}

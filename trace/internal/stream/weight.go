package stream

import "github.com/cupel-dev/cupel/internal/strictjson"

// sizeOf estimates the memory for a block and its processing. A block larger than usual is one long line, whose
// values count twice, because a growing slice holds old and new data.
func sizeOf(b Block, mostValues int) int {
	bytesOfText := 2 * len(b.Data) // itself, and a canonical text as long
	if len(b.Data) <= 2*defaultBlock {
		return bytesOfText
	}
	return bytesOfText + 2*strictjson.ValueBytes*min(strictjson.MaxValues(b.Data), mostValues)
}

package trace

import (
	"context"
	"io"

	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// VerifyInBlocks is Verify with blocks of about the given number of bytes.
var VerifyInBlocks = verify

// Facts returns the line feeds of each range of a summary, and how many of its lines are blank,
// unreadable and readable.
func (s *Summary) Facts() (list [][4]int64) {
	for _, p := range s.pieces {
		var facts [4]int64
		r := wire.NewReader(p.body)
		r.Blob() // the core
		for i := range facts {
			facts[i] = int64(r.Uint())
		}
		list = append(list, facts)
	}
	return list
}

// OutlineRoom are the bounds of an outline, as small as a test wants them.
type OutlineRoom struct{ Events, Beyond, Blocks, Marks, Text int }

// OutlineWithin is OutlineLog within other bounds.
func OutlineWithin(ctx context.Context, input io.Reader, report *Report, opt Options, room OutlineRoom) (*Outline, error) {
	o := newOutliner(report, opt)
	o.room = &outlineRoom{room.Events, room.Beyond, room.Blocks, room.Marks, room.Text}
	return o.log(ctx, input)
}

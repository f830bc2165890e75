package trace

import "github.com/cupel-dev/cupel/trace/internal/wire"

// VerifyInBlocks is Verify with blocks of about the given number of bytes.
var VerifyInBlocks = verify

// Facts are the line feeds of each range of a summary, and how many of its lines are blank,
// unreadable and readable.
func (s *Summary) Facts() (list [][4]int64) {
	for _, p := range s.pieces {
		var facts [4]int64
		r := wire.NewReader(p.body)
		for i := range facts {
			facts[i] = int64(r.Uint())
		}
		list = append(list, facts)
	}
	return list
}

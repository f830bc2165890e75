package page

// rope is a text that grows without copying.
type rope struct{ pieces [][]byte }

const pieceBytes = 256 << 10

// Write appends text; its error is always nil.
func (r *rope) Write(text []byte) (int, error) {
	for rest := text; len(rest) > 0; {
		last := len(r.pieces) - 1
		if last < 0 || len(r.pieces[last]) == cap(r.pieces[last]) {
			r.pieces = append(r.pieces, make([]byte, 0, pieceBytes))
			continue
		}
		n := min(len(rest), cap(r.pieces[last])-len(r.pieces[last]))
		r.pieces[last] = append(r.pieces[last], rest[:n]...)
		rest = rest[n:]
	}
	return len(text), nil
}

// pass writes clean text to the page's writer.
func (r *rope) pass(to *clean) {
	for _, piece := range r.pieces {
		to.pass(piece)
	}
}

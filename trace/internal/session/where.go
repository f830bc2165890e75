package session

// where is the position of a line in a range.
type where struct {
	line   int // from 1
	offset int64
	size   int // of the line without its end, unless something else is said
}

func (w where) end() int64 { return w.offset + int64(w.size) }

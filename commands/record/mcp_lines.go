package recordcmd

import "bytes"

// lines splits one direction of a connection into lines.
type lines struct {
	limit int
	text  []byte // unfinished line
	over  bool   // the unfinished line is longer than limit
}

// keptBuffer limits the memory that is kept between lines.
const keptBuffer = 64 << 10

// feed calls each for every line that a chunk ends, without the line feed. long means that the line was over the
// limit; its text is lost.
func (l *lines) feed(chunk []byte, each func(line []byte, long bool)) {
	for len(chunk) > 0 {
		part, rest, whole := bytes.Cut(chunk, []byte{'\n'})
		chunk = rest
		if l.over = l.over || len(l.text)+len(part) > l.limit; l.over {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		if whole {
			l.end(each)
		}
	}
}

// end calls each for an unfinished line.
func (l *lines) end(each func(line []byte, long bool)) {
	if l.over || len(l.text) > 0 {
		each(l.text, l.over)
	}
	l.over = false
	if l.text = l.text[:0]; cap(l.text) > keptBuffer {
		l.text = nil
	}
}

package capture

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/source"
)

// frame is the text being read: a line, or several lines with one JSON value.
type frame struct {
	text  []byte
	first int // number of its first line

	balance balance // of a text that is not finished
	pending bool    // the text goes on
	events  bool    // each line begins with "data:"
	prefix  string  // text before the value in its first line

	at, line int // the last place that lineOf was asked for, and its line
}

func (f *frame) clear() {
	*f = frame{balance: balance{open: f.balance.open[:0]}}
}

func (f *frame) ofLine(line source.Line) {
	f.text, f.first, f.at, f.line = line.Bytes, line.Number, 0, line.Number
}

func (f *frame) lineOf(offset int) int {
	if offset < f.at {
		f.at, f.line = 0, f.first
	}
	f.line += bytes.Count(f.text[f.at:min(offset, len(f.text))], []byte{'\n'})
	f.at = min(offset, len(f.text))
	return f.line
}

func (f *frame) placeOf(offset int) (line, column int) {
	offset = min(offset, len(f.text))
	begin := bytes.LastIndexByte(f.text[:offset], '\n') + 1
	return f.lineOf(offset), source.Column(f.text[begin:], offset-begin)
}

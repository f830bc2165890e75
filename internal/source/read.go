package source

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// TooLargeError is ReadAll's answer to an input of more bytes than it may have.
type TooLargeError struct{ Limit int }

func (e *TooLargeError) Error() string { return fmt.Sprintf("larger than %d bytes", e.Limit) }

// ReadAll reads an input of at most limit bytes to its end. A longer one is a
// *TooLargeError: no part of it is returned, since half a text is another text. A file
// that tells of more bytes is not read at all.
func ReadAll(r io.Reader, limit int) ([]byte, error) {
	if sizeOf(r) > int64(limit) {
		return nil, &TooLargeError{limit}
	}
	text, err := ReadBeyond(r, limit)
	switch {
	case err != nil:
		return nil, err
	case len(text) > limit:
		return nil, &TooLargeError{limit}
	}
	return text, nil
}

// ReadBeyond reads an input up to limit bytes and one more, for a checker that holds the
// limit itself: by that byte it sees that there is too much.
func ReadBeyond(r io.Reader, limit int) ([]byte, error) {
	text := make([]byte, 0, min(sizeOf(r), int64(limit))+1)
	r = io.LimitReader(r, int64(limit)+1)
	for {
		n, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		case len(text) == cap(text):
			text = slices.Grow(text, max(len(text), minGrowth))
		}
	}
}

// minGrowth is by how many bytes the text of an input that does not tell its size grows
// at least.
const minGrowth = 512

// sizeOf is what a file says of its size; 0 for other readers.
func sizeOf(r io.Reader) int64 {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil {
			return max(0, info.Size())
		}
	}
	return 0
}

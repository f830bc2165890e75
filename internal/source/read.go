package source

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// TooLargeError is ReadAll's error for oversized input.
type TooLargeError struct{ Limit int }

func (e *TooLargeError) Error() string { return fmt.Sprintf("larger than %d bytes", e.Limit) }

// ReadAll reads an input of at most limit bytes. Longer input is a *TooLargeError without data. A
// file whose size exceeds the limit is not read.
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

// ReadBeyond reads up to limit+1 bytes, for a checker that detects excess itself.
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

// minGrowth is the minimum buffer growth for input of unknown size.
const minGrowth = 512

// sizeOf returns a file's size, 0 for other readers.
func sizeOf(r io.Reader) int64 {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil {
			return max(0, info.Size())
		}
	}
	return 0
}

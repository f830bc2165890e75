package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
)

// Append adds lines, each with its end. Whenever one makes the file too large its older half
// goes: so what is left depends on the lines alone, and not on who has written them together.
func (f *File) Append(ctx context.Context, lines [][]byte) error {
	select {
	case <-f.writing:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { f.writing <- struct{}{} }()
	for {
		err := f.ledger.Write(ctx, func(h door.Held) (err error) {
			lines, err = f.append(ctx, h, lines)
			return err
		})
		if err != nil || len(lines) == 0 {
			return err
		}
	}
}

// append adds lines until the file is too large, which it then mends. It returns the lines
// that are left.
func (f *File) append(ctx context.Context, h door.Held, lines [][]byte) (rest [][]byte, err error) {
	size, err := h.Size()
	if err != nil {
		return lines, err
	}
	if err := f.check(h, size); err != nil {
		return lines, err
	}
	text, err := f.begin(h, size)
	for err == nil && len(lines) > 0 && size+int64(len(text)) <= f.max {
		text, lines = append(text, lines[0]...), lines[1:]
	}
	if err == nil && len(text) > 0 {
		err = h.Append(text)
	}
	if size += int64(len(text)); err == nil && size > f.max {
		err = f.shrink(ctx, h, size)
	}
	return lines, err
}

// begin is what has to stand before further lines: what is missing of the first one, or the end
// of a line that has none.
func (f *File) begin(h door.Held, size int64) ([]byte, error) {
	if header := f.format.header(); size < int64(len(header)) {
		return []byte(header[size:]), nil
	}
	last := make([]byte, 1)
	if _, err := h.ReadAt(last, size-1); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if last[0] != '\n' {
		return []byte("\n"), nil
	}
	return nil, nil
}

// shrink puts a file with the newer half of the lines in the place of this one.
func (f *File) shrink(ctx context.Context, h door.Held, size int64) error {
	from, err := lineAfter(h, size-f.max/2, size)
	if err != nil {
		return err
	}
	return h.Replace(ctx, func(w io.Writer) error {
		_, err := io.Copy(w, io.MultiReader(strings.NewReader(f.format.header()), io.NewSectionReader(h, from, size-from)))
		return err
	})
}

// lineAfter is where the first line begins at or after an offset; size when none does.
func lineAfter(r io.ReaderAt, offset, size int64) (int64, error) {
	chunk := make([]byte, 4<<10)
	for at := offset - 1; at < size; at += int64(len(chunk)) {
		n, err := r.ReadAt(chunk[:min(int64(len(chunk)), size-at)], at)
		if i := bytes.IndexByte(chunk[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
	}
	return size, nil
}

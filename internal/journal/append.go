package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
)

// Append adds lines with their ends. When the file gets too large, it drops the older half. The
// result depends only on the lines, not on how they are batched.
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

// append adds lines until the file is too large, shrinks it and returns the remaining lines.
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

// begin returns the bytes needed before more lines: the rest of the first line, or a missing line end.
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

// shrink replaces the file by the newer half of its lines.
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

// lineAfter returns the start of the first line at or after offset, or size.
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

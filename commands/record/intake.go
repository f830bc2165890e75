package recordcmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/source"
)

// intake reads lines as they arrive. When ctx ends, it returns what was read before.
type intake struct {
	ctx    context.Context
	chunks chan chunk
	rest   []byte
	err    error
}

type chunk struct {
	text []byte
	err  error
}

// chunkBytes is the size of a read. At most three chunks are in memory, so that a slow disk slows the writer of the
// input down.
const chunkBytes = 64 << 10

func newIntake(ctx context.Context, r io.Reader) *intake {
	in := &intake{ctx: ctx, chunks: make(chan chunk, 1)}
	go func() {
		for {
			buf := make([]byte, chunkBytes)
			n, err := r.Read(buf)
			in.chunks <- chunk{buf[:n], err} // blocks forever after an interrupt, like a read
			if err != nil {
				return
			}
		}
	}()
	return in
}

func (in *intake) Read(p []byte) (int, error) {
	for len(in.rest) == 0 {
		if in.err != nil {
			return 0, in.err
		}
		var c chunk
		select {
		case c = <-in.chunks:
		case <-in.ctx.Done():
			select {
			case c = <-in.chunks:
				c.err = errStopped
			default:
				c.err = errStopped
			}
		}
		in.rest, in.err = c.text, c.err
	}
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}

// errStopped ends an interrupted input.
var errStopped = errors.New("the input was interrupted")

// eachLine calls do for each line that is not blank, with its number. The last line of an interrupted input can be a
// part and is dropped. Compressed input is a *source.CompressedError.
func (in *intake) eachLine(most int, do func(number int, line []byte) error) error {
	lines := bufio.NewScanner(source.NewText(in))
	lines.Buffer(make([]byte, chunkBytes), most+2)
	lines.Split(func(text []byte, ended bool) (int, []byte, error) {
		if n := bytes.IndexByte(text, '\n'); n >= 0 {
			return n + 1, text[:n+1], nil
		}
		if ended && len(text) > 0 && in.err == io.EOF {
			return len(text), text, nil
		}
		return 0, nil, nil
	})
	number := 0
	for lines.Scan() {
		number++
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			if err := do(number, line); err != nil {
				return err
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &lineError{number + 1, fmt.Errorf("the line is longer than %d bytes", most), "--max-line-bytes raises the limit"}
	case err != nil && !errors.Is(err, errStopped):
		return err
	}
	return nil
}

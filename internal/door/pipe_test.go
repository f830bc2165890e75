//go:build unix

package door

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/iotest"
)

// TestInterruptedWhileBlocked checks that Ctrl-C ends the wait for a pipe without writes, and for a named pipe that
// the other side does not open.
func TestInterruptedWhileBlocked(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	stream := Stdin(ctx, r)
	if _, err := w.WriteString("some"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 10)
	if n, err := stream.Read(buf); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	cancel()
	if _, err := stream.Read(buf); !errors.Is(err, context.Canceled) {
		t.Errorf("reading: %v", err)
	}

	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Named(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("opening: %v", err)
	}
}

// TestPipeReadsEverything compares what comes through with what went in, and keeps
// the error at the end.
func TestPipeReadsEverything(t *testing.T) {
	for _, size := range []int{0, 1, pipeChunk - 1, pipeChunk, 5*pipeChunk + 7} {
		text := bytes.Repeat([]byte("cupel!"), size/6+1)[:size]
		for _, end := range []error{io.EOF, io.ErrUnexpectedEOF} {
			p := newPipe(t.Context(), io.NopCloser(io.MultiReader(bytes.NewReader(text), iotest.ErrReader(end))))
			got, err := io.ReadAll(p)
			if end == io.EOF {
				end = nil
			}
			if !bytes.Equal(got, text) || !errors.Is(err, end) {
				t.Errorf("%d bytes, %v: got %d, %v", size, end, len(got), err)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

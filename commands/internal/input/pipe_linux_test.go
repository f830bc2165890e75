package input

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWidenPipe widens pipes of several sizes and leaves other inputs alone.
func TestWidenPipe(t *testing.T) {
	for _, c := range []struct{ before, want int }{
		{4096, inputPipe}, {inputPipe, inputPipe}, {2 * inputPipe, 2 * inputPipe},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, c.before); err != nil {
			t.Fatal(err)
		}
		WidenPipe(r)
		if got, err := unix.FcntlInt(w.Fd(), unix.F_GETPIPE_SZ, 0); err != nil || got != c.want {
			t.Errorf("a pipe of %d bytes: %d, %v, want %d", c.before, got, err, c.want)
		}
		_, _ = r.Close(), w.Close()
		WidenPipe(r) // closed
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	WidenPipe(file)
	WidenPipe(strings.NewReader(""))
	WidenPipe(nil)
}

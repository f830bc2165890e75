package app

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/walk"
)

// small is a file that brings a few bytes at each read.
type small struct {
	door.File
	part io.Reader
}

func (s small) Read(p []byte) (int, error) { return s.part.Read(p) }

// TestDigestsOfClosedReaders checks that a file that is closed while another goroutine still reads ahead in it has
// the digest of all its bytes, and that the abandoned reader is not a fault of the file.
func TestDigestsOfClosedReaders(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.log")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 0, 4000).Draw(t, "bytes")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		digests := NewDigests(t.Context())
		in := digests.Input(walk.Input{Name: name}.WithOpen(func() (io.ReadCloser, error) {
			f, err := os.Open(name)
			return small{f, iotest.HalfReader(f)}, err
		}))
		r, err := in.Open()
		if err != nil {
			t.Fatal(err)
		}
		reads, first, ended := rapid.IntRange(1, 20).Draw(t, "reads"), make(chan bool), make(chan bool)
		go func() {
			defer close(ended)
			buf := make([]byte, 64)
			for i := range reads {
				if i == 0 {
					close(first)
				}
				_, _ = r.Read(buf)
			}
		}()
		<-first
		_ = r.Close()
		<-ended
		sum := sha256.Sum256(text)
		got := digests.Of(name)
		if got == nil || got.SHA256 != hex.EncodeToString(sum[:]) || got.Bytes != int64(len(text)) {
			t.Fatalf("%+v of %d bytes", got, len(text))
		}
		if err := digests.Unread(); err != nil {
			t.Fatal(err)
		}
	})
}

package source_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/source"
)

// TestReadAll tries every length around every small limit, from readers with and without a known size, in one piece
// and byte by byte.
func TestReadAll(t *testing.T) {
	whole := bytes.Repeat([]byte("0123456789abcdef"), 80)
	for _, size := range []int{0, 1, 2, 3, 511, 512, 513, 1024, 1280} {
		for _, limit := range []int{0, 1, 2, 3, 512, 1024, 1279, 1280, 1281, 5000} {
			for name, r := range readersOf(t, whole[:size]) {
				text, err := source.ReadAll(r(), limit)
				var large *source.TooLargeError
				switch {
				case size > limit:
					if !errors.As(err, &large) || large.Limit != limit || text != nil {
						t.Errorf("%s of %d bytes, limit %d: %d bytes, %v", name, size, limit, len(text), err)
					}
				case err != nil || !bytes.Equal(text, whole[:size]):
					t.Errorf("%s of %d bytes, limit %d: %d bytes, %v", name, size, limit, len(text), err)
				}
				beyond, err := source.ReadBeyond(r(), limit)
				if err != nil || !bytes.Equal(beyond, whole[:min(size, limit+1)]) {
					t.Errorf("%s of %d bytes, beyond %d: %d bytes, %v", name, size, limit, len(beyond), err)
				}
			}
		}
	}
	if message := (&source.TooLargeError{Limit: 512}).Error(); message != "larger than 512 bytes" {
		t.Error(message)
	}
}

func readersOf(t *testing.T, text []byte) map[string]func() io.Reader {
	folder := fstest.MapFS{"file": {Data: text}}
	open := func() fs.File {
		f, err := folder.Open("file")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	return map[string]func() io.Reader{
		"a file":                      func() io.Reader { return open() },
		"a file that lies":            func() io.Reader { return growing{open()} },
		"a file that cannot be asked": func() io.Reader { return silent{open()} },
		"a buffer":                    func() io.Reader { return bytes.NewReader(text) },
		"single bytes":                func() io.Reader { return iotest.OneByteReader(bytes.NewReader(text)) },
		"data with the end":           func() io.Reader { return iotest.DataErrReader(bytes.NewReader(text)) },
	}
}

// growing is a file that has grown since it was asked for its size, which it says is
// negative on top.
type growing struct{ fs.File }

func (g growing) Stat() (fs.FileInfo, error) {
	info, err := g.File.Stat()
	return negative{info}, err
}

type negative struct{ fs.FileInfo }

func (negative) Size() int64 { return -1 }

type silent struct{ fs.File }

func (silent) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

func TestReadAllFails(t *testing.T) {
	r := io.MultiReader(bytes.NewReader([]byte("text")), iotest.ErrReader(io.ErrUnexpectedEOF))
	if text, err := source.ReadAll(r, 100); text != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", text, err)
	}
}

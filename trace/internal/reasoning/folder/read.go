package folder

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/cupel-dev/cupel/internal/digest"
)

// buffers are read buffers, one for each open file.
var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// Hash hashes the rest of a source and returns its length. It stops early if reading is cancelled.
func (r *Readers) Hash(from io.Reader) (sum digest.Sum, n int64, err error) {
	buf := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buf)
	h := sha256.New()
	for err == nil {
		var k int
		k, err = from.Read(buf[:])
		h.Write(buf[:k])
		n += int64(k)
		if err == nil {
			err = r.Err()
		}
	}
	h.Sum(sum[:0])
	if err == io.EOF {
		err = nil
	}
	return sum, n, err
}

// Range reads the bytes [from, to) of a file. It seeks if the file can.
func Range(f fs.File, from, to int64) io.Reader {
	if at, ok := f.(io.ReaderAt); ok {
		return io.NewSectionReader(at, from, to-from)
	}
	return io.LimitReader(&skipReader{f, from}, to-from)
}

// skipReader drops the first bytes of a reader.
type skipReader struct {
	r    io.Reader
	skip int64
}

func (s *skipReader) Read(p []byte) (int, error) {
	if s.skip > 0 {
		n, err := io.CopyN(io.Discard, s.r, s.skip)
		s.skip -= n
		if err != nil {
			return 0, err
		}
	}
	return s.r.Read(p)
}

// Unread returns the error for an evidence file that could not be read.
func Unread(path string, err error) error {
	return fmt.Errorf("cannot read evidence %q: %w", path, err)
}

package input

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"time"
)

// footprint records the bytes read by a follower, to detect changes to them.
type footprint struct {
	from, to int64        // position in the file
	sum      maphash.Hash // of all of them, under a key of this process
	tail     []byte       // the last of them
	changed  time.Time    // last modification seen at the end, or zero
}

// tailBytes is how much before the current position is compared after a pause.
const tailBytes = 4 << 10

func (f *footprint) add(p []byte) {
	f.to += int64(len(p))
	_, _ = f.sum.Write(p) // never fails
	f.changed = time.Time{}
	fresh := p[max(0, len(p)-tailBytes):]
	kept := f.tail[max(0, len(f.tail)+len(fresh)-tailBytes):]
	f.tail = append(f.tail[:copy(f.tail, kept)], fresh...)
}

// endsIn reports whether the file still has the last bytes that were read.
func (f *footprint) endsIn(file io.ReaderAt) (bool, error) {
	now := make([]byte, len(f.tail))
	n, err := file.ReadAt(now, f.to-int64(len(now)))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return bytes.Equal(now[:n], f.tail), nil
}

// isIn reports whether the file still has all bytes that were read. It returns true if ctx ends first.
func (f *footprint) isIn(ctx context.Context, file io.ReaderAt) (bool, error) {
	var sum maphash.Hash
	sum.SetSeed(f.sum.Seed())
	all := io.NewSectionReader(file, f.from, f.to-f.from)
	for buf := make([]byte, 256<<10); ctx.Err() == nil; {
		n, err := all.Read(buf)
		_, _ = sum.Write(buf[:n]) // never fails
		if errors.Is(err, io.EOF) {
			return sum.Sum64() == f.sum.Sum64(), nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

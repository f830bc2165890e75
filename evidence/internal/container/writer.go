package container

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// The levels of compression, from the fastest to the smallest.
const (
	MinLevel     = 1
	DefaultLevel = 6
	MaxLevel     = 9
)

// gzipStart is every bundle's gzip header: deflate, no flags, no time, best compression, unknown system.
const gzipStart = magic + "\x08\x00\x00\x00\x00\x00\x02\xff"

// maxSize is the largest number of 11 octal digits.
const maxSize = 1<<33 - 1

// Writer writes a bundle.
type Writer struct {
	w       io.Writer
	flate   *flate.Writer
	crc     uint32
	size    uint32 // of the tar stream, modulo 2^32
	started bool
}

// NewWriter returns a Writer of a bundle to w, compressed at a level from MinLevel to MaxLevel.
func NewWriter(w io.Writer, level int) (*Writer, error) {
	if level < MinLevel || level > MaxLevel {
		return nil, fmt.Errorf("compression level is %d, expected %d to %d", level, MinLevel, MaxLevel)
	}
	deflater, err := flate.NewWriter(w, level)
	if err != nil {
		return nil, err
	}
	return &Writer{w: w, flate: deflater}, nil
}

// WriteMember writes a member with size bytes from r. The name must have at most 100 bytes.
func (w *Writer) WriteMember(name string, size int64, r io.Reader) error {
	header, err := newBlock(name, size)
	if err != nil {
		return err
	}
	if err := w.write(header[:]); err != nil {
		return err
	}
	n, err := io.Copy(writerFunc(w.write), io.LimitReader(r, size))
	if err == nil && n < size {
		err = fmt.Errorf("member %q has %d bytes, expected %d", name, n, size)
	}
	if err != nil {
		return err
	}
	return w.write(zeros[:-size&(blockBytes-1)])
}

func (w *Writer) Close() error {
	if err := w.write(zeros[:2*blockBytes]); err != nil {
		return err
	}
	if err := w.flate.Close(); err != nil {
		return err
	}
	trailer := binary.LittleEndian.AppendUint32(nil, w.crc)
	_, err := w.w.Write(binary.LittleEndian.AppendUint32(trailer, w.size))
	return err
}

// write compresses a part of the tar stream.
func (w *Writer) write(p []byte) error {
	if !w.started {
		w.started = true
		if _, err := io.WriteString(w.w, gzipStart); err != nil {
			return err
		}
	}
	w.crc = crc32.Update(w.crc, crc32.IEEETable, p)
	w.size += uint32(len(p))
	_, err := w.flate.Write(p)
	return err
}

type writerFunc func([]byte) error

func (f writerFunc) Write(p []byte) (int, error) {
	if err := f(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// newBlock returns the GNU tar header of a regular file, without owner and time.
func newBlock(name string, size int64) (*block, error) {
	if len(name) > fieldName.size {
		return nil, fmt.Errorf("the name of member %q has more than %d bytes", name, fieldName.size)
	}
	if size < 0 || size > maxSize {
		return nil, fmt.Errorf("member %q has %d bytes, expected 0 to %d", name, size, int64(maxSize))
	}
	b := new(block)
	copy(b.of(fieldName), name)
	b.putOctal(fieldMode, 0o644)
	b.putOctal(fieldUID, 0)
	b.putOctal(fieldGID, 0)
	b.putOctal(fieldSize, size)
	b.putOctal(fieldTime, 0)
	copy(b.of(fieldMagic), magicGNU)
	copy(b.of(fieldUname), "assay")
	copy(b.of(fieldGname), "assay")
	b.putOctal(fieldChecksum, b.sum())
	return b, nil
}

// putOctal writes a number with leading zeros and a NUL.
func (b *block) putOctal(f field, n int64) {
	copy(b.of(f), fmt.Sprintf("%0*o", f.size-1, n))
}

// Size returns the size of the tar stream of members of these sizes.
func Size(members ...int64) int64 {
	size := int64(2 * blockBytes)
	for _, m := range members {
		size += blockBytes + m + -m&(blockBytes-1)
	}
	return size
}

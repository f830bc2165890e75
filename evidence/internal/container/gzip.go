package container

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// sourceBytes is the size of reads of compressed data.
const sourceBytes = 64 << 10

// The header of a gzip member (RFC 1952, section 2.3).
const (
	magic       = "\x1f\x8b"
	deflate     = 8
	headerBytes = 10

	hasHeaderCRC = 1 << 1
	hasExtra     = 1 << 2
	hasName      = 1 << 3
	hasComment   = 1 << 4
	reserved     = 1<<5 | 1<<6 | 1<<7
)

// inflater reads a gzip member. It returns a *damage or the source's errors.
type inflater struct {
	in     *bufio.Reader
	source *capped
	flate  io.Reader // nil before the header is read
	crc    uint32
	size   uint32 // modulo 2^32, as in the trailer
}

func newInflater(source *capped) *inflater {
	return &inflater{in: bufio.NewReaderSize(source, sourceBytes), source: source}
}

// at returns the offset of the next byte in the source.
func (z *inflater) at() int64 { return z.source.read - int64(z.in.Buffered()) }

// opened reports whether the header was read.
func (z *inflater) opened() bool { return z.flate != nil }

// Read returns io.EOF at the end of the deflate stream, before the trailer is read.
func (z *inflater) Read(p []byte) (int, error) {
	if !z.opened() {
		if err := z.open(); err != nil {
			return 0, z.sort(err, "the gzip header is truncated")
		}
		// The buffered reader prevents flate from consuming data after its stream.
		z.flate = flate.NewReader(z.in)
	}
	n, err := z.flate.Read(p)
	z.crc = crc32.Update(z.crc, crc32.IEEETable, p[:n])
	z.size += uint32(n)
	if err != nil && err != io.EOF {
		err = z.sort(err, "the compressed data is truncated")
	}
	return n, err
}

func (z *inflater) open() error {
	header := &gzipHeader{in: z.in}
	fixed, err := header.take(headerBytes)
	if err != nil {
		return header.alien(err)
	}
	flags := fixed[3]
	switch {
	case string(fixed[:2]) != magic:
		return header.alien(nil)
	case fixed[2] != deflate:
		return &damage{"the gzip header has an unknown method", "8 (deflate)", fmt.Sprint(fixed[2])}
	case flags&reserved != 0:
		return &damage{"the gzip header has reserved flags set", "bits 5 to 7 clear", fmt.Sprintf("flags 0x%02x", flags)}
	}
	return header.optional(flags)
}

// gzipHeader reads a gzip header and computes its checksum.
type gzipHeader struct {
	in   *bufio.Reader
	text []byte
	crc  uint32
}

// take reads the next n bytes, valid until the next call.
func (h *gzipHeader) take(n int) ([]byte, error) {
	h.text = append(h.text[:0], make([]byte, n)...)
	read, err := io.ReadFull(h.in, h.text)
	h.text = h.text[:read]
	h.crc = crc32.Update(h.crc, crc32.IEEETable, h.text)
	return h.text, err
}

// alien returns the fault for data that is not gzip. Data that ends within the header is only truncated.
func (h *gzipHeader) alien(err error) error {
	start := h.text[:min(len(h.text), len(magic))]
	if err != nil && string(start) == magic[:len(start)] && len(start) > 0 {
		return err
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if len(start) == 0 {
		return &damage{"the input is empty", "a gzip member", "no bytes"}
	}
	return &damage{"the input does not start with a gzip header", "bytes 1f 8b", fmt.Sprintf("% x", start)}
}

// optional skips the optional header parts, bounded only by the source's limit.
func (h *gzipHeader) optional(flags byte) error {
	if flags&hasExtra != 0 {
		size, err := h.take(2)
		if err != nil {
			return err
		}
		if _, err := h.take(int(binary.LittleEndian.Uint16(size))); err != nil {
			return err
		}
	}
	for _, text := range []byte{hasName, hasComment} {
		if flags&text == 0 {
			continue
		}
		if err := h.skipText(); err != nil {
			return err
		}
	}
	if flags&hasHeaderCRC == 0 {
		return nil
	}
	sum := uint16(h.crc)
	recorded, err := h.take(2)
	if err != nil {
		return err
	}
	if found := binary.LittleEndian.Uint16(recorded); found != sum {
		return &damage{"checksum mismatch in the gzip header", fmt.Sprintf("%04x", sum), fmt.Sprintf("%04x", found)}
	}
	return nil
}

func (h *gzipHeader) skipText() error {
	for {
		part, err := h.in.ReadSlice(0)
		h.crc = crc32.Update(h.crc, crc32.IEEETable, part)
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

// trailer checks the checksum and length.
func (z *inflater) trailer() error {
	var recorded [8]byte
	if _, err := io.ReadFull(z.in, recorded[:]); err != nil {
		return z.sort(err, "the gzip trailer is truncated")
	}
	crc, size := binary.LittleEndian.Uint32(recorded[:]), binary.LittleEndian.Uint32(recorded[4:])
	switch {
	case crc != z.crc:
		return &damage{"checksum mismatch in the gzip trailer", fmt.Sprintf("%08x", z.crc), fmt.Sprintf("%08x", crc)}
	case size != z.size:
		return &damage{"length mismatch in the gzip trailer", fmt.Sprint(z.size), fmt.Sprint(size)}
	}
	return nil
}

// sort converts data errors to *damage and passes on the source's.
func (z *inflater) sort(err error, cut string) error {
	var corrupt flate.CorruptInputError
	var internal flate.InternalError
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return &damage{message: fmt.Sprintf("%s: the input ends at byte %d", cut, z.at())}
	case errors.As(err, &corrupt) || errors.As(err, &internal):
		return &damage{message: fmt.Sprintf("the compressed data is damaged near byte %d of the input", z.at())}
	}
	return err
}

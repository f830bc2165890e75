package unpack

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// inspectLog reads an Inspect log (.eval), a ZIP archive with a JSON file for each sample, as one document: the
// members of _journal/start.json, the list "samples", and header.json as the member "header". It reads the archive
// sequentially by its local headers (APPNOTE 4.3.7), so that it can read from a pipe. Journals and summaries, which
// repeat the samples, are skipped.
type inspectLog struct {
	in      *countingReader
	pending []byte    // text to hand out next
	member  io.Reader // the rest of the member that is handed out; nil between members
	done    func() error
	start   bool // _journal/start.json was read
	list    bool // the list of samples was begun
	header  bool // header.json was read: the list of samples has ended
	samples int
	end     bool
	members uint64 // the sum of the keys of all members
}

// Values of a ZIP archive (APPNOTE 4.3 to 4.5).
const (
	zipLocal      = 0x04034b50
	zipCentral    = 0x02014b50
	zipDescriptor = 0x08074b50

	zipLocalBytes   = 30
	zipCentralBytes = 46
	zipZip64        = 1      // the id of the extra field with sizes of 64 bits
	zipStreamed     = 1 << 3 // sizes and checksum follow the data
	zipEncrypted    = 1

	zipStored  = 0
	zipDeflate = 8
	zipZstd    = 93
)

// maxStart is the largest _journal/start.json: 64 times the size for a run of 100 tasks.
const maxStart = 16 << 20

var errZip = errors.New("not an Inspect log")

func (l *inspectLog) Read(p []byte) (int, error) {
	for {
		if len(l.pending) > 0 {
			n := copy(p, l.pending)
			l.pending = l.pending[n:]
			return n, nil
		}
		if l.member != nil {
			n, err := l.member.Read(p)
			if err == io.EOF {
				l.member = nil
				err = l.done()
			}
			if n > 0 || err != nil {
				return n, err
			}
			continue
		}
		if l.end {
			return 0, io.EOF
		}
		if err := l.next(); err != nil {
			return 0, err
		}
	}
}

// next starts the next member of the archive, or ends the document after the last one.
func (l *inspectLog) next() error {
	h, err := l.localHeader()
	if err != nil {
		return err
	}
	if h.last {
		return l.finish()
	}
	data, done, err := l.open(h)
	if err != nil {
		return err
	}
	switch {
	case h.name == "_journal/start.json":
		return l.begin(data, done)
	case strings.HasPrefix(h.name, "samples/"):
		if l.header {
			return errZip
		}
		l.openList()
		if l.samples > 0 {
			l.say(",")
		}
		l.samples++
		l.say("\n")
		l.member, l.done = data, done
		return nil
	case h.name == "header.json":
		if l.header {
			return errZip
		}
		l.openList()
		l.header = true
		l.say("\n],\n\"header\":")
		l.member, l.done = data, done
		return nil
	}
	if _, err := io.Copy(io.Discard, data); err != nil {
		return err
	}
	return done()
}

func (l *inspectLog) say(text string) { l.pending = append(l.pending, text...) }

// openList starts the list of samples. A log without a start has only the list.
func (l *inspectLog) openList() {
	switch {
	case l.list:
		return
	case !l.start:
		l.say("{")
	default:
		l.say(",")
	}
	l.list = true
	l.say("\n\"samples\":[")
}

// begin returns the members of _journal/start.json. A second one is ignored.
func (l *inspectLog) begin(data io.Reader, done func() error) error {
	text, err := io.ReadAll(io.LimitReader(data, maxStart+1))
	if err != nil {
		return err
	}
	body, isObject := bytes.CutPrefix(bytes.TrimSpace(text), []byte("{"))
	body, isWhole := bytes.CutSuffix(body, []byte("}"))
	if len(text) > maxStart || !isObject || !isWhole || l.start || l.list || len(bytes.TrimSpace(body)) == 0 {
		return errZip
	}
	l.start = true
	l.say("{")
	l.pending = append(l.pending, body...)
	return done()
}

type zipMember struct {
	name           string
	flags, method  uint16
	sum            uint32
	packed, unpack uint64
	wide           bool // sizes after the data have 64 bits
	last           bool // no member: the central directory begins
}

func (l *inspectLog) localHeader() (h zipMember, err error) {
	var fixed [zipLocalBytes]byte
	if _, err := io.ReadFull(l.in.buffered, fixed[:4]); err != nil {
		return h, zipCut(err)
	}
	switch binary.LittleEndian.Uint32(fixed[:]) {
	case zipLocal:
	case zipCentral:
		return zipMember{last: true}, nil
	default:
		return h, errZip
	}
	if _, err := io.ReadFull(l.in.buffered, fixed[4:]); err != nil {
		return h, zipCut(err)
	}
	u16 := func(at int) uint16 { return binary.LittleEndian.Uint16(fixed[at:]) }
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(fixed[at:]) }
	h = zipMember{flags: u16(6), method: u16(8), sum: u32(14), packed: uint64(u32(18)), unpack: uint64(u32(22))}
	rest := make([]byte, int(u16(26))+int(u16(28)))
	if _, err := io.ReadFull(l.in.buffered, rest); err != nil {
		return h, zipCut(err)
	}
	h.name = string(rest[:u16(26)])
	h.zip64(rest[u16(26):])
	return h, nil
}

// zip64 reads the sizes from the extra field if they are not in the header (APPNOTE 4.5.3).
func (h *zipMember) zip64(extra []byte) {
	for len(extra) >= 4 {
		id, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if size > len(extra) {
			return
		}
		field := extra[:size]
		extra = extra[size:]
		if id != zipZip64 {
			continue
		}
		h.wide = true
		for _, to := range []*uint64{&h.unpack, &h.packed} {
			if *to == math.MaxUint32 && len(field) >= 8 {
				*to = binary.LittleEndian.Uint64(field)
				field = field[8:]
			}
		}
	}
}

// open returns the text of a member, and a function that checks it after it was read.
func (l *inspectLog) open(h zipMember) (text io.Reader, done func() error, err error) {
	streamed := h.flags&zipStreamed != 0
	if h.flags&zipEncrypted != 0 || streamed && h.method != zipDeflate || h.packed > math.MaxInt64 {
		return nil, nil, errZip
	}
	packed := io.LimitedReader{R: l.in.buffered, N: int64(h.packed)}
	var source io.Reader
	free := func() {}
	switch h.method {
	case zipStored:
		source = &packed
	case zipDeflate:
		if streamed {
			source = flate.NewReader(l.in.buffered) // a ByteReader: reads no byte after the data
		} else {
			source = flate.NewReader(&packed)
		}
	case zipZstd:
		frames, err := zstd.NewReader(&packed, zstdOptions...)
		if err != nil {
			return nil, nil, err
		}
		source, free = frames, frames.Close
	default:
		return nil, nil, errZip
	}
	sums := &checksumReader{r: source, sum: crc32.NewIEEE()}
	return sums, func() error {
		free()
		if streamed {
			if err := l.descriptor(&h, sums.n); err != nil {
				return err
			}
		} else if _, err := io.Copy(io.Discard, &packed); err != nil || packed.N > 0 {
			return zipCut(cmp.Or(err, io.EOF))
		}
		if sums.sum.Sum32() != h.sum {
			return errZip
		}
		l.members += memberKey(h.name, h.sum)
		return nil
	}, nil
}

// descriptor reads the checksum and the sizes after the data of a member (APPNOTE 4.3.9).
func (l *inspectLog) descriptor(h *zipMember, unpacked uint64) error {
	head, err := l.in.buffered.Peek(4)
	if err != nil {
		return zipCut(err)
	}
	if binary.LittleEndian.Uint32(head) == zipDescriptor {
		_, _ = l.in.buffered.Discard(len(head)) // they were peeked
	}
	size := 12
	if h.wide {
		size = 20
	}
	rest := make([]byte, size)
	if _, err := io.ReadFull(l.in.buffered, rest); err != nil {
		return zipCut(err)
	}
	h.sum = binary.LittleEndian.Uint32(rest)
	if uint32(unpacked) != binary.LittleEndian.Uint32(rest[4+(size-4)/2:]) {
		return errZip
	}
	return nil
}

// finish ends the document and reads the central directory, which must list the same members. A run that crashed
// has no header.json, but its samples are complete.
func (l *inspectLog) finish() error {
	l.end = true
	l.openList()
	if !l.header {
		l.say("\n]")
	}
	l.say("}\n")
	for {
		var fixed [zipCentralBytes - 4]byte // without its signature
		if _, err := io.ReadFull(l.in.buffered, fixed[:]); err != nil {
			return zipCut(err)
		}
		u16 := func(at int) int { return int(binary.LittleEndian.Uint16(fixed[at-4:])) }
		rest := make([]byte, u16(28)+u16(30)+u16(32))
		if _, err := io.ReadFull(l.in.buffered, rest); err != nil {
			return zipCut(err)
		}
		l.members -= memberKey(string(rest[:u16(28)]), binary.LittleEndian.Uint32(fixed[16-4:]))
		next, err := l.in.buffered.Peek(4)
		if err != nil {
			return zipCut(err)
		}
		if binary.LittleEndian.Uint32(next) != zipCentral {
			break
		}
		_, _ = l.in.buffered.Discard(len(next)) // they were peeked
	}
	if l.members != 0 {
		return errZip
	}
	_, err := io.Copy(io.Discard, l.in.buffered)
	return err
}

// memberKey returns a member's part of the checksums over local headers and central directory.
func memberKey(name string, sum uint32) uint64 {
	return uint64(crc32.ChecksumIEEE([]byte(name)))<<32 | uint64(sum)
}

// zipCut returns the error for an archive that ends before its central directory.
func zipCut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

type checksumReader struct {
	r   io.Reader
	sum hash.Hash32
	n   uint64
}

func (s *checksumReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	_, _ = s.sum.Write(p[:n]) // a hash never fails
	s.n += uint64(n)
	return n, err
}

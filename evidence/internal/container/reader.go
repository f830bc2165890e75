package container

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
)

// Options say what a Reader accepts.
type Options struct {
	Limits evidence.Limits // a zero field means its default

	// AllowTrailing accepts bytes after the gzip member, and bytes other than zero after the
	// tar's end and in padding. All of them count toward the limits.
	AllowTrailing bool
}

// Sniff says whether an input is a bundle, by its first bytes or, with too few of them, by
// its name.
func Sniff(head []byte, name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(string(head), magic) || strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// Reader reads a bundle from its first to its last byte.
type Reader struct {
	opt    Options
	source *capped // compressed
	zip    *inflater
	tar    *capped // decompressed

	member  *Member // the last one
	padding int64   // after it
	seen    [2]bool // of the listed ones
	ended   bool    // the tar has ended
	late    *Fault  // bytes where only zeros may be
	err     error   // what ended reading
}

// NewReader returns a Reader of a bundle. The size is r's length in bytes when it is known
// beforehand, else -1: one beyond the limit is refused without reading.
func NewReader(r io.Reader, size int64, opt Options) *Reader {
	opt.Limits = opt.Limits.WithDefaults()
	l := opt.Limits
	over := newLimit(limitBundleBytes, "max_bundle_bytes", l.BundleBytes, -1, "a bundle")
	tooBig := newLimit(limitDecodeBytes, "max_decode_bytes", l.DecodeBytes, l.DecodeBytes, "a decompressed bundle")
	over.Final, tooBig.Final = true, true

	source := &capped{r: input{r}, limit: l.BundleBytes, over: over}
	zip := newInflater(source)
	read := &Reader{opt: opt, source: source, zip: zip, tar: &capped{r: zip, limit: l.DecodeBytes, over: tooBig}, member: new(Member)}
	if size > l.BundleBytes {
		source.err, read.err = over, over
	}
	return read
}

// Next returns the next member, or io.EOF at the end of the tar. What is unread of the last
// one is read past. The error is a *Fault, or an *evidence.ReadError when the input cannot
// be read.
func (r *Reader) Next() (*Member, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.ended {
		return nil, io.EOF
	}
	if err := r.skip(); err != nil {
		return nil, err
	}
	start := r.tar.read
	header, ext, err := r.header()
	if err != nil {
		return nil, err
	}
	size, ok := header.number(fieldSize)
	if !ok {
		return nil, r.badNumber("size", start, header.of(fieldSize))
	}
	name, size := ext.apply(header.path(), size)
	r.member = &Member{Name: string(name), Size: size, Offset: r.tar.read, r: r, left: size}
	r.padding = -size & (blockBytes - 1)
	if f := r.refusal(name, size, header, start); f != nil {
		return nil, f
	}
	return r.member, nil
}

// refusal is what the contract has against a member, by its header alone.
func (r *Reader) refusal(name []byte, size int64, header *block, offset int64) *Fault {
	at, known := listedAt(name)
	switch {
	case int64(len(name)) > r.opt.Limits.PathBytes:
		return newLimit(limitPathLength, "max_path_len", r.opt.Limits.PathBytes, offset, "a member's path")
	case known && size > listed[at].most(r.opt.Limits):
		return newLimit(limitFileSize, listed[at].limit, listed[at].most(r.opt.Limits), offset, "a member "+listed[at].name)
	case leaves(name):
		return newFault(securityPathTraversal, offset, "the path %s of a member leads out of the bundle", quoted(name))
	case !known:
		f := newFault(contractUnexpectedFile, offset, "the bundle has a member that it may not have")
		f.Expected, f.Found = Manifest+" and "+Events+" alone", quoted(name)
		return f
	case r.seen[at]:
		return newFault(contractDuplicateFile, offset, "the bundle has more than one member %s", listed[at].name)
	}
	first := at == 0 || r.seen[0]
	r.seen[at] = true
	switch {
	case !first:
		f := newFault(contractFileOrder, offset, "the first member is not the manifest")
		f.Expected, f.Found = Manifest, listed[at].name
		return f
	case !header.regular():
		f := newFault(contractUnexpectedFile, offset, "the member %s is no regular file", listed[at].name)
		f.Expected, f.Found = "a regular file", header.kindName()
		return f
	}
	return nil
}

// header reads the header of the next member, and what stands before it about it.
func (r *Reader) header() (*block, *extension, error) {
	ext := new(extension)
	for {
		start := r.tar.read
		b, err := r.block()
		if err == io.EOF && !ext.any() {
			r.ended = true
			return nil, nil, io.EOF
		}
		if err == io.EOF {
			return nil, nil, r.broken(start, "the tar ends after a header that describes a next member")
		}
		if err != nil {
			return nil, nil, err
		}
		if !b.describes(typeLongName) && !b.describes(typeExtended) {
			return b, ext, nil
		}
		if err := r.describe(b, ext, start); err != nil {
			return nil, nil, err
		}
	}
}

// block reads one header and checks its sum. A block of zeros is the tar's end, and so is
// the end of the stream.
func (r *Reader) block() (*block, error) {
	start, b := r.tar.read, new(block)
	n, err := io.ReadFull(r.tar, b[:])
	switch {
	case err == io.EOF:
		return nil, io.EOF
	case err == io.ErrUnexpectedEOF:
		return nil, r.broken(start, "the tar ends %d bytes into a header of %d", n, blockBytes)
	case err != nil:
		return nil, r.fail(err, integrityTar)
	case b.isZero():
		return nil, io.EOF
	}
	recorded, ok := b.number(fieldChecksum)
	if !ok {
		return nil, r.badNumber("checksum", start, b.of(fieldChecksum))
	}
	if recorded != b.sum() {
		f := r.broken(start, "a tar header has another checksum")
		f.Expected, f.Found = octal(b.sum()), octal(recorded)
		return nil, f
	}
	return b, nil
}

// describe reads a member that describes the next one.
func (r *Reader) describe(b *block, ext *extension, start int64) error {
	size, ok := b.number(fieldSize)
	if !ok {
		return r.badNumber("size", start, b.of(fieldSize))
	}
	body, most := &io.LimitedReader{R: r.tar, N: size}, int(r.opt.Limits.PathBytes)
	var err error
	switch long := b.describes(typeLongName); {
	case long && ext.long != nil, !long && ext.pax:
		return r.broken(start, "two headers of type %s describe the same member", quoted([]byte{b.kind()}))
	case long:
		ext.long, err = readLong(body, most)
	default:
		err = ext.readRecords(body, size, most)
	}
	if err != nil {
		return r.fail(err, integrityTar)
	}
	if body.N > 0 {
		return r.broken(start, "the tar ends inside a header that describes a next member")
	}
	return r.pad(-size & (blockBytes - 1))
}

// skip reads past what is left of the last member.
func (r *Reader) skip() error {
	if _, err := io.Copy(io.Discard, r.member); err != nil {
		return err
	}
	if r.member.cut {
		return r.broken(r.tar.read, "the tar ends inside member %s", quoted([]byte(r.member.Name)))
	}
	padding := r.padding
	r.padding = 0
	return r.pad(padding)
}

// pad reads the zeros that fill a block.
func (r *Reader) pad(n int64) error {
	start := r.tar.read
	var filler [blockBytes]byte
	read, err := io.ReadFull(r.tar, filler[:n])
	r.mustBeZero(filler[:read], start, "a member's padding")
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return r.broken(r.tar.read, "the tar ends inside a member's padding")
	case err != nil:
		return r.fail(err, integrityTar)
	}
	return nil
}

var zeros [8 << 10]byte

// mustBeZero notes the first byte that is not.
func (r *Reader) mustBeZero(p []byte, start int64, where string) {
	if r.late != nil || r.opt.AllowTrailing {
		return
	}
	if bytes.Equal(p, zeros[:len(p)]) {
		return
	}
	i := bytes.IndexFunc(p, func(c rune) bool { return c != 0 })
	r.late = newFault(contractTrailingData, start+int64(i), "a byte other than zero in %s", where)
	r.late.Expected, r.late.Found, r.late.Final = "zeros", hex(p[i]), true
}

// Finish reads what follows the tar's end, to the last byte of the input, and returns the
// first fault of it in the contract's order: the limit of the input, the gzip member's
// damage, bytes that should not be there. After a Final fault it returns that one again,
// unless the input passes its limit. Nothing can be read afterwards.
func (r *Reader) Finish() error {
	if r.err == nil {
		r.err = r.finish()
		r.ended = true
	}
	rest := r.Measure()
	var over *Fault
	if errors.As(rest, &over) || r.err == nil {
		return rest
	}
	return r.err
}

// Measure reads the rest of the input without inflating it. Its error is the fault of the
// limit of the input, which goes before any other fault, or that of reading. Nothing can be
// read afterwards.
func (r *Reader) Measure() error {
	_, err := io.Copy(io.Discard, r.zip.in)
	return err
}

// finish is Finish without the limit of the input.
func (r *Reader) finish() error {
	if err := r.drain(); err != nil {
		return r.fail(err, integrityGzip)
	}
	if err := r.zip.trailer(); err != nil {
		return r.fail(err, integrityGzip)
	}
	if r.opt.AllowTrailing {
		return nil
	}
	if r.late != nil {
		return r.late
	}
	at := r.zip.at()
	next, err := r.zip.in.ReadByte()
	if err != nil {
		return nil // Measure tells the end from a failure
	}
	f := newFault(contractTrailingData, -1, "the input goes on at byte %d, after the gzip member", at)
	f.Expected, f.Found, f.Final = "its end", hex(next), true
	return f
}

// drain reads to the end of the stream.
func (r *Reader) drain() error {
	buffer := make([]byte, len(zeros))
	for {
		start := r.tar.read
		n, err := r.tar.Read(buffer)
		if r.ended {
			r.mustBeZero(buffer[:n], start, "what follows the tar's end")
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// fail ends reading. Damage gets the code of the place where it surfaced.
func (r *Reader) fail(err error, code string) error {
	var bad *damage
	if errors.As(err, &bad) {
		offset := r.tar.read
		if !r.zip.opened() {
			offset = -1
		}
		f := bad.fault(code, offset)
		f.Final = true
		err = f
	}
	r.err = err
	return err
}

// broken ends reading with a fault of the tar's form.
func (r *Reader) broken(offset int64, format string, args ...any) *Fault {
	f := newFault(integrityTar, offset, format, args...)
	f.Final = true
	r.err = f
	return f
}

func (r *Reader) badNumber(what string, offset int64, text []byte) *Fault {
	f := r.broken(offset, "the %s in a tar header is no number that it can be", what)
	f.Expected, f.Found = "octal digits, or a number in base 256 that is not negative", fmt.Sprintf("%+q", bytes.TrimRight(text, "\x00"))
	return f
}

// hex and octal are numbers as their formats write them.
func hex(c byte) string    { return fmt.Sprintf("0x%02x", c) }
func octal(n int64) string { return fmt.Sprintf("%06o", n) }

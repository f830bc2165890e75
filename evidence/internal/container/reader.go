package container

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
)

// Options configures a Reader.
type Options struct {
	Limits evidence.Limits // a zero field means its default

	// Trailing accepts bytes after the gzip member, like version 5 of the reference implementation, if no reader
	// could take them for part of the bundle: the tar ended with a zero block, and they do not start a gzip member.
	// Reader.Tolerated then returns the fault. They count towards the input's size limit.
	Trailing bool
}

// Sniff reports whether an input is a bundle, by its first bytes or, if there are too few, by its name.
func Sniff(head []byte, name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(string(head), magic) || strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// Reader reads a bundle.
type Reader struct {
	opt    Options
	source *capped // compressed
	zip    *inflater
	tar    *capped // decompressed

	member    *Member // the last one
	padding   int64   // after it
	seen      [2]bool // of the listed ones
	ended     bool    // the tar has ended
	closed    bool    // … with a block of zeros
	padded    *Fault  // the first byte of padding that is not zero
	tolerated *Fault  // bytes after the gzip member, with Options.Trailing
	err       error   // what ended reading
}

// NewReader returns a Reader of a bundle. size is r's size in bytes, -1 if unknown; an excessive
// one is rejected without reading.
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

// Next returns the next member, or io.EOF at the end, and skips the rest of the last one. The error
// is a *Fault or an *evidence.ReadError.
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
	header, err := r.block()
	if err == io.EOF {
		r.ended = true
	}
	if err == nil {
		err = r.oneReading(header, start)
	}
	if err != nil {
		return nil, err
	}
	name, size := header.text(fieldName), header.size()
	r.member = &Member{Name: string(name), Size: size, Offset: r.tar.read, r: r, left: size}
	r.padding = -size & (blockBytes - 1)
	if f := r.refusal(name, size, start); f != nil {
		return nil, f
	}
	return r.member, nil
}

// refusal returns why the contract does not allow a member with this name and size, or nil.
func (r *Reader) refusal(name []byte, size int64, offset int64) *Fault {
	at, known := listedAt(name)
	switch {
	case int64(len(name)) > r.opt.Limits.PathBytes:
		return newLimit(limitPathLength, "max_path_len", r.opt.Limits.PathBytes, offset, "a member's path")
	case known && size > listed[at].most(r.opt.Limits):
		return newLimit(limitFileSize, listed[at].limit, listed[at].most(r.opt.Limits), offset, "a member "+listed[at].name)
	case leaves(name):
		return newFault(securityPathTraversal, offset, "the path %s of a member leads out of the bundle", quoted(name))
	case !known:
		f := newFault(contractUnexpectedFile, offset, "the bundle has an unexpected member")
		f.Expected, f.Found = Manifest+" and "+Events+" alone", quoted(name)
		return f
	case r.seen[at]:
		return newFault(contractDuplicateFile, offset, "the bundle has more than one member %s", listed[at].name)
	}
	first := at == 0 || r.seen[0]
	r.seen[at] = true
	if !first {
		f := newFault(contractFileOrder, offset, "the first member is not the manifest")
		f.Expected, f.Found = Manifest, listed[at].name
		return f
	}
	return nil
}

// block reads a header and checks its checksum. A zero block is the tar's end, and so is the end of the stream.
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
		r.closed = true
		return nil, io.EOF
	}
	recorded, ok := octalDigits(bytes.Trim(bytes.TrimRight(b.of(fieldChecksum), "\x00 "), " "))
	if !ok {
		f := r.broken(start, "the checksum of a tar header is not a number")
		f.Expected, f.Found = octal(b.sum()), shown(b.of(fieldChecksum))
		return nil, f
	}
	if recorded != b.sum() {
		f := r.broken(start, "checksum mismatch in a tar header")
		f.Expected, f.Found = octal(b.sum()), octal(recorded)
		return nil, f
	}
	return b, nil
}

// skip skips the rest of the last member.
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
	if r.padded == nil {
		r.padded = notZero(filler[:read], start, "the padding of a member")
	}
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return r.broken(r.tar.read, "the tar ends inside a member's padding")
	case err != nil:
		return r.fail(err, integrityTar)
	}
	return nil
}

var zeros [8 << 10]byte

// notZero returns the fault of the first byte that is not zero; nil when all are.
func notZero(p []byte, start int64, where string) *Fault {
	if bytes.Equal(p, zeros[:len(p)]) {
		return nil
	}
	i := 0
	for p[i] == 0 {
		i++
	}
	f := newFault(integrityTar, start+int64(i), "a byte other than zero in %s", where)
	f.Expected, f.Found, f.Final = "zeros", hex(p[i]), true
	return f
}

// Finish reads the rest of the input after the tar and returns the first fault in the contract's
// order: the input's limit, gzip damage, surplus bytes. After a Final fault it returns that, unless
// the limit is exceeded. No reads are possible afterwards.
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

// Measure reads the rest of the input without inflating. The error is the fault of the input's
// limit, which has precedence, or a read error. No reads are possible afterwards.
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
	if r.padded != nil {
		return r.padded
	}
	return r.trailing()
}

// trailing returns the fault for bytes after the gzip member.
func (r *Reader) trailing() error {
	at := r.zip.at()
	next, err := r.zip.in.Peek(1)
	if err != nil {
		return nil // Measure distinguishes the end from a failure
	}
	f := newFault(integrityGzip, -1, "more data follows the gzip member, at byte %d", at)
	f.Expected, f.Found = "its end", hex(next[0])
	if again, _ := r.zip.in.Peek(len(magic)); r.opt.Trailing && r.closed && string(again) != magic {
		r.tolerated = f
		return nil
	}
	f.Final = true
	return f
}

// Tolerated returns the fault that Options.Trailing accepted, or nil. Call it after Finish.
func (r *Reader) Tolerated() *Fault { return r.tolerated }

// drain reads to the end of the stream. After the tar's end there must be only zeros.
func (r *Reader) drain() error {
	buffer := make([]byte, len(zeros))
	for {
		start := r.tar.read
		n, err := r.tar.Read(buffer)
		if r.ended {
			if f := notZero(buffer[:n], start, "what follows the tar's end"); f != nil {
				return f
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// fail ends reading. Damage gets the code of the position where it was detected.
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

// hex and octal format numbers.
func hex(c byte) string    { return fmt.Sprintf("0x%02x", c) }
func octal(n int64) string { return fmt.Sprintf("%06o", n) }

package container

import (
	"bufio"
	"bytes"
	"io"
	"math"
)

// extension is what the members before another one say about it.
type extension struct {
	long   []byte // its path from a GNU long name; nil when there is none
	pax    bool   // a PAX header was read
	path   []byte // its path from PAX; nil when there is none
	size   int64  // its size from PAX
	resize bool   // there is one
}

// any says whether there was a member that describes another one.
func (e *extension) any() bool { return e.long != nil || e.pax }

// apply puts what was said in place of what the header has. The GNU name goes before PAX.
func (e *extension) apply(name []byte, size int64) ([]byte, int64) {
	if len(e.path) > 0 {
		name = e.path
	}
	if e.long != nil {
		name = e.long
	}
	if e.resize {
		size = e.size
	}
	return name, size
}

// readLong reads a GNU long name, of which it keeps at most most bytes and one: what is
// longer is refused, whatever it is.
func readLong(body io.Reader, most int) ([]byte, error) {
	kept, err := io.ReadAll(io.LimitReader(body, int64(most)+2))
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		return nil, err
	}
	kept = bytes.TrimSuffix(kept, []byte{0})
	return kept[:min(len(kept), most+1)], nil
}

// recordOverhead is what a PAX record of a path takes beside the path: digits, " path=".
const recordOverhead = 32

// recordsBytes is how much of a PAX header is read at a time: many records, so that a view
// of the next one seldom moves them.
const recordsBytes = 16 << 10

// readRecords reads the body of a PAX header, a list of records such as
// "22 path=manifest.json\n", each of which begins with its own length. One that is not
// as long as it says is malformed and ignored up to its line's end. Memory is a record of a
// path of most bytes, however long the body is.
func (e *extension) readRecords(body io.Reader, size int64, most int) error {
	e.pax = true
	longest := int(min(size, int64(most)+recordOverhead))
	in := bufio.NewReaderSize(body, max(longest, recordsBytes))
	for size > 0 {
		view, err := in.Peek(longest)
		if err != nil && err != io.EOF {
			return err
		}
		used, err := e.record(in, view, size, most)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		size -= used
	}
	return nil
}

// record reads what view begins with, and returns how many bytes that was. Of a record
// beyond the view, which is longer than a path may be, it reads the end without keeping it.
func (e *extension) record(in *bufio.Reader, view []byte, size int64, most int) (int64, error) {
	length := recordLength(view)
	switch {
	case length == 0 || length > size:
		return skipLine(in)
	case length > int64(len(view)):
		kept := bytes.Clone(view)
		if _, err := io.CopyN(io.Discard, in, length-1); err != nil {
			return 0, err
		}
		last, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if last != '\n' {
			rest, err := skipLine(in)
			return length + rest, err
		}
		e.keep(kept, most)
		return length, nil
	case view[length-1] != '\n':
		return skipLine(in)
	}
	e.keep(view[:length-1], most)
	_, err := in.Discard(int(length))
	return length, err
}

// keep takes over a record that is known here, without its LF. The last one of a name wins.
func (e *extension) keep(record []byte, most int) {
	_, record, _ = bytes.Cut(record, []byte{' '})
	name, value, ok := bytes.Cut(record, []byte{'='})
	if !ok {
		return
	}
	switch string(name) {
	case "path":
		e.path = append(e.path[:0], value[:min(len(value), most+1)]...)
	case "size":
		if n, ok := decimal(value); ok {
			e.size, e.resize = n, true
		}
	}
}

// recordLength is the number that a record begins with; 0 when it begins otherwise.
func recordLength(view []byte) int64 {
	digits, _, ok := bytes.Cut(view[:min(len(view), len("9223372036854775807 "))], []byte{' '})
	if length, number := decimal(digits); ok && number {
		return length
	}
	return 0
}

// decimal reads a number of digits alone. Beyond an int64 it is the greatest, and beyond
// 64 bits it is none.
func decimal(digits []byte) (int64, bool) {
	var n uint64
	for _, c := range digits {
		digit := uint64(c) - '0'
		if digit > 9 || n > (math.MaxUint64-digit)/10 {
			return 0, false
		}
		n = n*10 + digit
	}
	return int64(min(n, math.MaxInt64)), len(digits) > 0
}

// skipLine reads through the next LF and returns how many bytes that was.
func skipLine(in *bufio.Reader) (int64, error) {
	var skipped int64
	for {
		part, err := in.ReadSlice('\n')
		skipped += int64(len(part))
		if err != bufio.ErrBufferFull {
			return skipped, err
		}
	}
}

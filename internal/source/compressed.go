package source

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
)

// CompressedError is returned for compressed input, which must be decompressed first.
type CompressedError struct {
	Format string // "gzip"
	Unpack string // command that unpacks a file to stdout: "gzip -dc"
}

func (e *CompressedError) Error() string { return "the input is compressed with " + e.Format }

// packed maps magic bytes to formats. None of them can start JSON or YAML.
var packed = []struct {
	begins string
	CompressedError
}{
	{"\x1f\x8b", CompressedError{Gzip, "gzip -dc"}},
	{"\x28\xb5\x2f\xfd", CompressedError{Zstd, "zstd -dc"}},
	{zipMagic, CompressedError{zipFormat, "unzip -p"}},
	{"PK\x05\x06", CompressedError{zipFormat, "unzip -p"}},
	{"\xfd7zXZ\x00", CompressedError{"xz", "xz -dc"}},
	{"BZh91AY&SY", CompressedError{"bzip2", "bzip2 -dc"}},
	{"BZh9\x17\x72\x45\x38\x50\x90", CompressedError{"bzip2", "bzip2 -dc"}},
}

// evalStart is the first member of an Inspect log, and evalStartAt the offset of the first member's name in a ZIP
// archive (APPNOTE 4.3.7).
const (
	evalStart   = "_journal/start.json"
	evalStartAt = 30
)

// compressedHead is the number of bytes needed to detect all formats.
const compressedHead = evalStartAt + len(evalStart)

var inspectLog = CompressedError{InspectLog, "inspect log dump"}

// bzip2Level is the offset of bzip2's block size digit, '1' to '9'.
const bzip2Level = 3

// Compressed returns the compression format that a text's first bytes show, or nil. more means that further bytes
// can change the result.
func Compressed(head []byte) (found *CompressedError, more bool) {
	if len(head) > bzip2Level && head[bzip2Level] >= '1' && head[bzip2Level] <= '9' {
		head = bytes.Clone(head[:min(len(head), compressedHead)])
		head[bzip2Level] = '9'
	}
	for i := range packed {
		begins := []byte(packed[i].begins)
		if bytes.HasPrefix(head, begins) {
			return inArchive(head, &packed[i].CompressedError)
		}
		more = more || bytes.HasPrefix(begins, head)
	}
	return nil, more
}

// inArchive checks the name of the first member of a ZIP archive.
func inArchive(head []byte, found *CompressedError) (*CompressedError, bool) {
	name := string(head[min(len(head), evalStartAt):])
	switch {
	case found.Format != zipFormat:
		return found, false
	case strings.HasPrefix(name, evalStart):
		return &inspectLog, false
	}
	return found, strings.HasPrefix(evalStart, name)
}

// CompressedAt detects the format at an offset of a file without moving its position. It returns
// nil for known formats and on read errors.
func CompressedAt(r io.ReaderAt, offset int64, known ...string) *CompressedError {
	var head [compressedHead]byte
	n, _ := r.ReadAt(head[:], offset)
	found, _ := Compressed(head[:n])
	if found != nil && slices.Contains(known, found.Format) {
		return nil
	}
	return found
}

// Formats that some readers accept. Gzip is that of evidence bundles.
const (
	Gzip       = "gzip"
	Zstd       = "zstd"
	InspectLog = "zip, as an Inspect log" // a ZIP archive that begins as one
)

const (
	zipMagic  = "PK\x03\x04"
	zipFormat = "zip"
)

// Text reads a stream that must be uncompressed or in a known format.
type Text struct {
	r      io.Reader
	known  []string
	told   bool
	format string // detected known format
	head   []byte // read for detection, not yet returned
	err    error  // error after head, possibly a *CompressedError
}

// NewText reads r. The first Read returns a *CompressedError if r is compressed in another format
// than the known ones.
func NewText(r io.Reader, known ...string) *Text { return &Text{r: r, known: known} }

// Format reads the bytes needed for detection and returns the compression format if it is one of the known ones, or
// "".
func (t *Text) Format() string {
	if !t.told {
		t.detect()
	}
	return t.format
}

// Compressed reads the bytes needed for detection and returns the format, or nil for text and after errors.
func (t *Text) Compressed() *CompressedError {
	if !t.told {
		t.detect()
	}
	found, _ := errors.AsType[*CompressedError](t.err)
	return found
}

func (t *Text) Read(p []byte) (int, error) {
	if !t.told {
		t.detect()
	}
	if len(t.head) > 0 {
		n := copy(p, t.head)
		t.head = t.head[n:]
		return n, nil
	}
	if t.err != nil {
		return 0, t.err
	}
	return t.r.Read(p)
}

// detect reads while the bytes can be the start of a compressed file.
func (t *Text) detect() {
	t.told = true
	buf := make([]byte, compressedHead)
	for more := true; more && t.err == nil; {
		var n int
		n, t.err = t.r.Read(buf[len(t.head):])
		t.head = buf[:len(t.head)+n]
		var found *CompressedError
		if found, more = Compressed(t.head); found != nil && (!more || t.err != nil) {
			if slices.Contains(t.known, found.Format) {
				t.format = found.Format
			} else {
				t.head, t.err = nil, found
			}
			return
		}
	}
}

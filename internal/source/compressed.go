package source

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
)

// CompressedError is the answer to a text that is compressed: what it says cannot be
// judged before it is unpacked.
type CompressedError struct {
	Format string // "gzip"
	Unpack string // the command that writes the text of the file it is given: "gzip -dc"
}

func (e *CompressedError) Error() string { return "it is compressed with " + e.Format }

// packed are the formats by the bytes that each file of theirs begins with. None of
// them can begin a text of JSON or YAML.
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

// evalStart is the first member of an Inspect log, and evalStartAt where a ZIP archive names its
// first member (APPNOTE 4.3.7).
const (
	evalStart   = "_journal/start.json"
	evalStartAt = 30
)

// compressedHead is how many bytes tell all formats.
const compressedHead = evalStartAt + len(evalStart)

var inspectLog = CompressedError{InspectLog, "inspect log dump"}

// bzip2Level is where a bzip2 file says from '1' to '9' how large its blocks are.
const bzip2Level = 3

// Compressed returns the format that a text's first bytes show, nil for none; more says
// that further bytes may show one, or another one.
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

// inArchive looks at the name of the first member of a ZIP archive.
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

// CompressedAt looks at the first bytes of a file, from an offset on, and leaves its
// place as it is. It returns their format unless that is a known one. A file that cannot
// be read shows that when it is.
func CompressedAt(r io.ReaderAt, offset int64, known ...string) *CompressedError {
	var head [compressedHead]byte
	n, _ := r.ReadAt(head[:], offset)
	found, _ := Compressed(head[:n])
	if found != nil && slices.Contains(known, found.Format) {
		return nil
	}
	return found
}

// The formats that some readers know. Gzip is that of evidence bundles.
const (
	Gzip       = "gzip"
	Zstd       = "zstd"
	InspectLog = "zip, as an Inspect log" // a ZIP archive that begins as one
)

const (
	zipMagic  = "PK\x03\x04"
	zipFormat = "zip"
)

// Text reads a stream that must not be compressed, but perhaps in a format that its
// reader knows.
type Text struct {
	r      io.Reader
	known  []string
	told   bool
	format string // the known one
	head   []byte // read to tell, and not yet handed out
	err    error  // … what came with it, or what r is
}

// NewText reads r. When r is compressed in another format than the known ones, the first
// Read fails with a *CompressedError.
func NewText(r io.Reader, known ...string) *Text { return &Text{r: r, known: known} }

// Format reads as much of the stream as tells, and no more: it returns the known format that
// it is compressed in, or "".
func (t *Text) Format() string {
	if !t.told {
		t.tell()
	}
	return t.format
}

// Compressed reads as much of the stream as tells, and no more: it returns the format, or
// nil for a text and for what cannot be read.
func (t *Text) Compressed() *CompressedError {
	if !t.told {
		t.tell()
	}
	found, _ := errors.AsType[*CompressedError](t.err)
	return found
}

func (t *Text) Read(p []byte) (int, error) {
	if !t.told {
		t.tell()
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

// tell reads as long as the bytes may be the beginning of a compressed file.
func (t *Text) tell() {
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

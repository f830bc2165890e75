package recognize

import "bytes"

// Limits of the examined start of a file.
const (
	HeadBytes = 64 << 10 // looked at first
	MostBytes = 1 << 20  // looked at if the first bytes hold no whole record
	mostLines = 200      // records that are compared
)

// Head is the start of a file.
type Head struct {
	Text []byte
	Cut  bool // the file goes on
}

func trimStart(text []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
}

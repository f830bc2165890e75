package container

import "io"

// Member is a file of a bundle. Its data must be read before the next call of Reader.Next.
type Member struct {
	Name   string
	Size   int64 // as its header declares it
	Offset int64 // of its first byte in the decompressed tar stream

	r    *Reader
	left int64
	cut  bool
}

// Read reads the member's data. Errors are those of [Reader.Next]; damage has the code IntegrityIo.
func (m *Member) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, io.EOF
	}
	n, err := m.r.tar.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	switch {
	case n > 0, err == nil:
		return n, nil // an error comes again
	case err == io.EOF:
		m.left, m.cut = 0, true
		return 0, io.EOF
	}
	return 0, m.r.fail(err, integrityIo)
}

// Cut reports whether the tar has ended before the member's declared size, once Read has returned io.EOF.
func (m *Member) Cut() bool { return m.cut }

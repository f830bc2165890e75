package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// sums hashes an input while it is read: all of it and the part covered by an anchor, if requested.
type sums struct {
	reader io.Reader
	all    hash.Hash // nil if not requested
	length int64
	prefix int64  // the anchor's bytes
	at     string // digest of the prefix once it has passed
}

// newSums returns a digester that does nothing unless the digest is requested or anchor is not nil.
func newSums(input io.Reader, asked bool, anchor *Anchor) *sums {
	s := &sums{reader: input, prefix: -1}
	if anchor != nil {
		s.prefix = anchor.Bytes
	}
	if asked || anchor != nil {
		s.all = sha256.New()
		s.reader = io.TeeReader(input, s)
		s.pass()
	}
	return s
}

func (s *sums) Write(p []byte) (int, error) {
	n := len(p)
	if left := s.prefix - s.length; left > 0 && left <= int64(n) {
		s.all.Write(p[:left])
		s.length += left
		p = p[left:]
		s.pass()
	}
	s.all.Write(p)
	s.length += int64(len(p))
	return n, nil
}

// pass stores the digest at the end of the anchored part.
func (s *sums) pass() {
	if s.length == s.prefix {
		s.at = hex.EncodeToString(s.all.Sum(nil))
	}
}

func (s *sums) whole() (length int64, digest string) {
	if s.all == nil {
		return 0, ""
	}
	return s.length, hex.EncodeToString(s.all.Sum(nil))
}

// differ returns findings for mismatches with the expected digest ("" for any) and with the anchor, if any.
func (s *sums) differ(expected string, a *Anchor) (faults []Finding) {
	length, got := s.whole()
	if want := strings.TrimPrefix(expected, "sha256:"); want != "" && got != want {
		faults = append(faults, unmet(digestDiffers, "the file's SHA-256 is not the expected one", want, got))
	}
	switch {
	case a == nil:
	case length < a.Bytes:
		message := fmt.Sprintf("the file has %s, fewer than the %d of the anchor", say.Counted(length, "byte"), a.Bytes)
		faults = append(faults, unmet(beginningDiffers, message, fmt.Sprint(a.Bytes), fmt.Sprint(length)))
	case s.at != a.SHA256:
		message := fmt.Sprintf("the first %d bytes are not those of the anchor", a.Bytes)
		faults = append(faults, unmet(beginningDiffers, message, a.SHA256, s.at))
	}
	return faults
}

func unmet(r rule, message, expected, found string) Finding {
	f := rules[r].New(message)
	f.Expected, f.Found = expected, found
	return f
}

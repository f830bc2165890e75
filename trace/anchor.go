package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
)

// AnchorSchema names the JSON form of Anchor.
const AnchorSchema = "cupel.anchor/1"

// Anchor pins a log as it was: how many events, which one last, and all of its bytes.
// Kept where the log's writer cannot reach it, it proves later that the log was not
// cut or rewritten, and that a longer log still begins with this one.
type Anchor struct {
	Schema string `json:"schema"`
	Input  string `json:"input"` // the log's name then; for the reader alone
	Family Family `json:"family"`
	Events int64  `json:"events"`
	Head   string `json:"head"`   // hash of the last event; "" for a log without hashes
	Bytes  int64  `json:"bytes"`  // length of the log
	SHA256 string `json:"sha256"` // digest of these bytes, 64 lower-case digits
}

// Anchor returns the anchor of the log that the report is about, which must have been
// made with Options.Sum.
func (r *Report) Anchor() Anchor {
	return Anchor{AnchorSchema, r.Input, r.Family, r.Events, r.Head, r.Bytes, r.SHA256}
}

// sums digests an input as it is read: the whole of it, and the part that an anchor
// covers. Where nobody asked, it does nothing.
type sums struct {
	reader io.Reader
	all    hash.Hash // nil when nobody asked
	length int64
	prefix int64  // the anchor's bytes
	at     string // digest of the prefix once it has passed
}

func newSums(input io.Reader, opt Options) *sums {
	s := &sums{reader: input, prefix: -1}
	if opt.Anchor != nil {
		s.prefix = opt.Anchor.Bytes
	}
	if opt.Anchor != nil || opt.Sum || opt.ExpectSHA256 != "" {
		s.all = sha256.New()
		s.reader = io.TeeReader(input, s)
		s.pass()
	}
	return s
}

// Write takes the bytes that were read; it never fails.
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

// pass notes the digest at the end of the prefix.
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

// compare holds the input's bytes against what is known of them.
func (v *verification) compare(s *sums) {
	length, got := s.whole()
	if want := strings.TrimPrefix(v.opt.ExpectSHA256, "sha256:"); want != "" && got != want {
		v.unmet("anchor.sha256", "the file's SHA-256 is not the expected one", want, got)
	}
	a := v.opt.Anchor
	switch {
	case a == nil || s.at == a.SHA256:
	case length < a.Bytes:
		v.unmet("anchor.prefix", fmt.Sprintf("the file has %d bytes, fewer than the %d of the anchor", length, a.Bytes), fmt.Sprint(a.Bytes), fmt.Sprint(length))
	default:
		v.unmet("anchor.prefix", fmt.Sprintf("the first %d bytes are not those of the anchor", a.Bytes), a.SHA256, s.at)
	}
}

// unmet reports an input that is not what it must be.
func (v *verification) unmet(code, message, expected, found string) {
	v.findings.Add(Finding{Rule: code, Severity: finding.Error, Message: message, Expected: expected, Found: found})
}

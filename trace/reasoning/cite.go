package reasoning

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/digest"
)

// readSupport compares the bytes that a support cites with its hash. It runs beside
// others of its block.
func (c *Checker) readSupport(t *supportTask) {
	if t.bare {
		t.err = c.search(t)
		return
	}
	where := c.evidence.extents[t.number]
	if where.form == unusable {
		return // said where the evidence was registered
	}
	s := &t.s
	from, to := where.from.int64(), where.to.int64()
	if s.span.from < from || s.span.to > to {
		t.add(c, "span.out_of_bytes", t.s.path(t.path, "span"), s.span.at, fmt.Sprintf("span [%d,%d] leaves the evidence's bytes", s.span.from, s.span.to), func(f *Finding) {
			f.Expected, f.Found = fmt.Sprintf("within [%d,%d]", from, to), fmt.Sprintf("[%d,%d]", s.span.from, s.span.to)
			f.Notes = c.explainSnippet(t)
		})
		return
	}
	want, ok := digest.ParseHex(s.snippet.bytes)
	if !ok {
		return // said as a fault of its form
	}
	got, read, err := c.hashSpan(t.number, c.evidence.pathOf(t.number, t.id), s.span)
	if err != nil {
		t.err = err
		return
	}
	if !read || !got.Equal(want) {
		t.add(c, "hash.snippet", t.path.String(), s.snippet.at, fmt.Sprintf("the bytes [%d,%d] of evidence %q have another SHA-256", s.span.from, s.span.to, preview([]byte(t.id))), func(f *Finding) {
			if f.Notes = c.explainSnippet(t); read {
				f.Expected, f.Found = want.Hex(), got.Hex()
			}
		})
	}
}

// add makes a finding about the support. A damaged file is the root of what is wrong
// with its citations.
func (t *supportTask) add(c *Checker, rule, path string, at place, message string, more func(*Finding)) {
	f := c.eventFinding(t.e, rule, path, at, message)
	if !t.bare {
		f.CausedBy = c.evidence.damaged[t.number]
	}
	more(&f)
	t.findings = append(t.findings, f)
}

// hashSpan hashes a range of an evidence file. read is false when the file does not
// reach that far any more.
func (c *Checker) hashSpan(number uint32, path string, s span) (sum digest.Sum, read bool, err error) {
	if t := c.evidence.taskOf(number); t != nil && t.read {
		if s.from == 0 && s.to == t.size {
			return t.sum, true, nil
		}
		if t.data != nil && s.to <= int64(len(t.data)) {
			return digest.Of(t.data[s.from:s.to]), true, nil
		}
	}
	f, _, fault, err := openEvidence(c.opt.Evidence, path)
	if err != nil || fault != nil {
		return sum, false, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	n, err := hashAll(&sum, rangeOf(f, s))
	if err != nil {
		return sum, false, fmt.Errorf("cannot read evidence %q: %w", path, err)
	}
	return sum, n == s.to-s.from, nil
}

// buffers are what files are read through; one for each that is open at a time.
var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// hashAll hashes what a reader still holds and returns how much that was.
func hashAll(sum *digest.Sum, r io.Reader) (n int64, err error) {
	buf := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buf)
	h := sha256.New()
	for err == nil {
		var k int
		k, err = r.Read(buf[:])
		h.Write(buf[:k])
		n += int64(k)
	}
	h.Sum(sum[:0])
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// rangeOf reads a range of a file, by seeking where the file can.
func rangeOf(f fs.File, s span) io.Reader {
	if at, ok := f.(io.ReaderAt); ok {
		return io.NewSectionReader(at, s.from, s.to-s.from)
	}
	return io.LimitReader(&skipReader{f, s.from}, s.to-s.from)
}

// skipReader drops the first bytes of a reader.
type skipReader struct {
	r    io.Reader
	skip int64
}

func (s *skipReader) Read(p []byte) (int, error) {
	if s.skip > 0 {
		n, err := io.CopyN(io.Discard, s.r, s.skip)
		s.skip -= n
		if err != nil {
			return 0, err
		}
	}
	return s.r.Read(p)
}

// search looks for the evidence that a support without a reference means: the latest
// one whose bytes at the span have the hash.
func (c *Checker) search(t *supportTask) error {
	want, _ := digest.ParseHex(t.s.snippet.bytes)
	searched := 0
	for candidate := range c.candidates(t.files) {
		if searched++; searched > maxSearched {
			break
		}
		where := c.evidence.extents[candidate.number]
		if where.form == unusable || t.s.span.from < where.from.int64() || t.s.span.to > where.to.int64() {
			continue
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		sum, read, err := c.hashSpan(candidate.number, candidate.path, t.s.span)
		if err != nil {
			return err
		}
		if read && sum.Equal(want) {
			t.add(c, "support.found_by_hash", t.path.String(), t.s.at, fmt.Sprintf("the support names no evidence; its bytes are those of %q", preview([]byte(candidate.id))), func(*Finding) {})
			return nil
		}
	}
	t.add(c, "hash.snippet", t.path.String(), t.s.snippet.at, fmt.Sprintf("no evidence before the claim has these bytes at [%d,%d]", t.s.span.from, t.s.span.to), func(f *Finding) {
		f.Expected = want.Hex()
		f.Notes = []string{"the support names no evidence"}
		if searched > maxSearched {
			f.Notes = append(f.Notes, fmt.Sprintf("only the latest %d evidence files were searched: name the evidence with \"ref_id\"", maxSearched))
		}
	})
	return nil
}

// candidates are the evidence that a support without a reference may mean, the latest
// first: the first files of its block, then those of the blocks before.
func (c *Checker) candidates(files int) iter.Seq[recent] {
	return func(yield func(recent) bool) {
		for i := files - 1; i >= 0; i-- {
			if t := &c.evidence.files[i]; !yield(recent{t.number, t.e.id.String(), t.path}) {
				return
			}
		}
		for _, r := range slices.Backward(c.evidence.recent[:c.evidence.before]) {
			if !yield(r) {
				return
			}
		}
	}
}

package evidence

import (
	"bytes"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// file is a registered evidence file to read and hash.
type file struct {
	event  *format.Event
	path   string // clean
	unsafe string // why the path is not followed; "": it is
	number uint32 // of the evidence, once the event was taken

	known    bool // the event was taken, and the id was new
	read     bool
	damaged  string // it has another hash than its event says: "rule@line"
	content         // the data when they are small
	kept     int64  // of the room for content
	from, to int64  // where supports may lie
	findings []finding.Finding
	err      error
}

// take hashes the file and determines valid support ranges. It runs concurrently.
func (t *file) take(r *Reader) {
	if t.small(r) || t.open(r) {
		t.read = true
		holds := t.checkHash(r)
		t.checkSpan(r, holds)
		if holds {
			t.err = t.checkChunk(r)
		}
	}
}

// small reads a small file with few system calls. It returns false if that is not supported.
func (t *file) small(r *Reader) bool {
	data, ok := folder.Small(r.folder, t.path, func(size int64) []byte { return t.room(r, size) })
	if !ok {
		r.room.Add(t.kept)
		t.kept = 0
		return false
	}
	t.size, t.sum, t.data = int64(len(data)), digest.Of(data), data
	return true
}

// room returns a buffer for a small file plus one byte, or nil.
func (t *file) room(r *Reader, size int64) []byte {
	if size > keepFile || !r.keep(size) {
		return nil
	}
	t.kept = size
	return make([]byte, size+1)
}

// open reads a file of any size. It returns false on a fault.
func (t *file) open(r *Reader) bool {
	opened, size, wrong, err := folder.Open(r.folder, t.path)
	switch {
	case err != nil:
		t.err = folder.Unread(t.path, err)
		return false
	case wrong != nil:
		t.add(r.log.Finding(&t.event.Where, wrong.Rule, r.log.Path("evidence.content_path"), t.event.Evidence.Path.At, wrong.Message))
		return false
	}
	defer func() { _ = opened.Close() }() // opened for reading: nothing can be lost
	if err := t.hash(r, opened, size); err != nil {
		t.err = folder.Unread(t.path, err)
		return false
	}
	return true
}

// hash reads the file to its end. It keeps small content while the budget allows it.
func (t *file) hash(r *Reader, from io.Reader, size int64) (err error) {
	data := t.room(r, size) // one more than there is, to see the end at once
	if data == nil {
		t.sum, t.size, err = r.readers.Hash(from)
		return err
	}
	k, err := readSmall(from, data)
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		t.size, t.sum, t.data = int64(k), digest.Of(data[:k]), data[:k]
		return nil
	case nil: // the file has grown since it was measured
		t.sum, t.size, err = r.readers.Hash(io.MultiReader(bytes.NewReader(data), from))
	}
	return err
}

// readSmall is io.ReadFull with a buffer one byte larger than the file: a shorter read proves the end of the file.
func readSmall(from io.Reader, data []byte) (n int, err error) {
	if n, err = from.Read(data); err == nil && n > 0 && n == len(data)-1 {
		return n, io.ErrUnexpectedEOF
	}
	if err == nil && n < len(data) {
		var more int
		more, err = io.ReadFull(from, data[n:])
		n += more
	}
	return n, err
}

// holds reports whether the file has the cited bytes within the valid range.
func (t *file) holds(s *format.Support) bool {
	if !t.read || s.Span.From < t.from || s.Span.To > t.to {
		return false
	}
	sum, known := t.span(s.Span)
	return known && sum.Equal(s.Snippet.Sum)
}

func (t *file) add(f finding.Finding) { t.findings = append(t.findings, f) }

// checkHash compares the file with the hash of its event.
func (t *file) checkHash(r *Reader) bool {
	recorded := t.event.Evidence.SHA256
	if !recorded.Valid {
		return false
	}
	if recorded.Sum.Equal(t.sum) {
		return true
	}
	t.damaged = fmt.Sprintf("%s@%d", rule.HashEvidence, t.event.Line.Number)
	wrong := r.log.Finding(&t.event.Where, rule.HashEvidence, r.log.Path("evidence.sha256"), recorded.At, fmt.Sprintf("evidence file %q has another SHA-256", fault.Preview(t.path)))
	wrong.Expected, wrong.Found = recorded.Sum.Hex(), t.sum.Hex()
	wrong.Notes = explainFile(r.content(t.path), recorded.Sum)
	if s := t.event.Evidence.Span; wrong.Notes == nil && s.Sound() && s.To-s.From != t.size {
		wrong.Notes = []string{fmt.Sprintf("the file has %s, the evidence's span %d", say.Counted(t.size, "byte"), s.To-s.From)}
	}
	t.add(wrong)
	return false
}

// checkChunk compares a chunk id with its bytes: the file, or the span of a whole document.
func (t *file) checkChunk(r *Reader) error {
	chunk, s := t.event.Evidence.ChunkID, t.event.Evidence.Span
	if !chunk.Valid || !s.Sound() {
		return nil
	}
	sum := t.sum
	if s.To-s.From != t.size {
		known := false
		if sum, known = t.span(s); !known {
			read, err := false, error(nil)
			if sum, read, err = r.span(t.path, s); err != nil || !read {
				return err // bytes beyond the file are reported already
			}
		}
	}
	if chunk.Sum.Equal(sum) {
		return nil
	}
	wrong := r.log.Finding(&t.event.Where, rule.HashChunk, r.log.Path("evidence.chunk_id"), chunk.At, "chunk_id is not the SHA-256 of the chunk's bytes")
	wrong.Expected, wrong.Found = sum.Hex(), chunk.Sum.Hex()
	t.add(wrong)
	return nil
}

// checkSpan determines the valid support range: the chunk's span if the file is a whole document, otherwise the
// file.
func (t *file) checkSpan(r *Reader, holds bool) {
	t.from, t.to = 0, t.size
	switch s := t.event.Evidence.Span; {
	case !s.Sound(), s.To-s.From == t.size:
	case s.To <= t.size:
		t.from, t.to = s.From, s.To
	case holds:
		f := r.log.Finding(&t.event.Where, rule.SpanEvidenceMismatch, r.log.Path("evidence.span"), s.At, fmt.Sprintf("span [%d,%d] fits no file of %s", s.From, s.To, say.Counted(t.size, "byte")))
		f.Expected, f.Found = fmt.Sprintf("a span of %s, or one that ends within them", say.Counted(t.size, "byte")), fmt.Sprintf("[%d,%d]", s.From, s.To)
		t.add(f)
	}
}

package evidence

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

const (
	keepBytes = 8 << 20  // file content that is kept for the claims of the same block
	keepFile  = 64 << 10 // of one file
)

// files are the evidence files that the events of a block register, and the way to the
// bytes of all others.
type files struct {
	folder folder.Files
	tasks  []fileTask
	budget atomic.Int64 // bytes of file content that the block may still keep
}

// fileTask is one evidence file to read and hash.
type fileTask struct {
	event  *format.Event
	number uint32
	path   string

	read     bool
	damaged  string // it has another hash than its event says: "rule@line"
	size     int64
	sum      digest.Sum
	data     []byte // the content, when it is small
	from, to int64  // where supports may lie
	findings []finding.Finding
	err      error
}

func (f *files) add(t fileTask) { f.tasks = append(f.tasks, t) }

// open begins the reading of a block.
func (f *files) open() { f.budget.Store(keepBytes) }

func (f *files) clear() {
	clear(f.tasks)
	f.tasks = f.tasks[:0]
}

// task returns what the current block has read of an evidence; nil when it was
// registered in an earlier one.
func (f *files) task(number uint32) *fileTask {
	if len(f.tasks) == 0 || number < f.tasks[0].number {
		return nil
	}
	// Numbers rise along the files; most blocks have no gap.
	for i := min(int(number-f.tasks[0].number), len(f.tasks)-1); i >= 0; i-- {
		if f.tasks[i].number == number {
			return &f.tasks[i]
		}
	}
	return nil
}

// read hashes one file and finds out where supports may lie in it. It runs beside others
// of its block.
func (f *files) read(t *fileTask, sink *fault.Sink) {
	file, size, wrong, err := folder.Open(f.folder, t.path)
	switch {
	case err != nil:
		t.err = fmt.Errorf("cannot read evidence %q: %w", t.path, err)
		return
	case wrong != nil:
		t.add(t.event.Finding(wrong.Rule, sink.Path("evidence.content_path"), t.event.Evidence.Path.At, wrong.Message))
		return
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	if err := f.hash(t, file, size); err != nil {
		t.err = fmt.Errorf("cannot read evidence %q: %w", t.path, err)
		return
	}
	t.read = true
	holds := f.checkHash(t, sink)
	t.checkSpan(sink, holds)
	if holds {
		t.err = f.checkChunk(t, sink)
	}
}

// hash reads a file to its end. Small content is kept as well, as long as the block's
// budget lasts.
func (f *files) hash(t *fileTask, r io.Reader, size int64) (err error) {
	if size > keepFile || f.budget.Add(-size) < 0 {
		t.sum, t.size, err = folder.Hash(r)
		return err
	}
	data := make([]byte, size+1) // one more, to see the end at once
	k, err := io.ReadFull(r, data)
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		t.size, t.sum, t.data = int64(k), digest.Of(data[:k]), data[:k]
		return nil
	case nil: // the file has grown since it was measured
		t.sum, t.size, err = folder.Hash(io.MultiReader(bytes.NewReader(data), r))
	}
	return err
}

// hashSpan hashes a range of an evidence file. read is false when the file does not
// reach that far any more.
func (f *files) hashSpan(number uint32, path string, s format.Span) (sum digest.Sum, read bool, err error) {
	if t := f.task(number); t != nil && t.read {
		if s.From == 0 && s.To == t.size {
			return t.sum, true, nil
		}
		if t.data != nil && s.To <= int64(len(t.data)) {
			return digest.Of(t.data[s.From:s.To]), true, nil
		}
	}
	file, _, wrong, err := folder.Open(f.folder, path)
	if err != nil || wrong != nil {
		return sum, false, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	sum, n, err := folder.Hash(folder.Range(file, s.From, s.To))
	if err != nil {
		return sum, false, fmt.Errorf("cannot read evidence %q: %w", path, err)
	}
	return sum, n == s.To-s.From, nil
}

// content reads a small evidence file again, to explain it; nil when it is not small.
func (f *files) content(path string) []byte {
	file, _, wrong, err := folder.Open(f.folder, path)
	if err != nil || wrong != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	data, err := source.ReadAll(file, maxExplained)
	if err != nil {
		return nil
	}
	return data
}

func (t *fileTask) add(f finding.Finding) { t.findings = append(t.findings, f) }

// checkHash compares a file with the hash of its event, and says whether it holds.
func (f *files) checkHash(t *fileTask, sink *fault.Sink) bool {
	recorded := t.event.Evidence.SHA256
	if !recorded.Valid {
		return false
	}
	if recorded.Sum.Equal(t.sum) {
		return true
	}
	t.damaged = fmt.Sprintf("%s@%d", rule.HashEvidence, t.event.Line.Number)
	wrong := t.event.Finding(rule.HashEvidence, sink.Path("evidence.sha256"), recorded.At, fmt.Sprintf("evidence file %q has another SHA-256", fault.Preview(t.path)))
	wrong.Expected, wrong.Found = recorded.Sum.Hex(), t.sum.Hex()
	wrong.Notes = explainFile(f.content(t.path), recorded.Sum)
	if s := t.event.Evidence.Span; wrong.Notes == nil && s.Sound() && s.To-s.From != t.size {
		wrong.Notes = []string{fmt.Sprintf("the file has %d bytes, the evidence's span %d", t.size, s.To-s.From)}
	}
	t.add(wrong)
	return false
}

// checkChunk compares the id of a chunk with its bytes: those of the file, or of the span
// where the file holds the whole document.
func (f *files) checkChunk(t *fileTask, sink *fault.Sink) error {
	chunk, s := t.event.Evidence.ChunkID, t.event.Evidence.Span
	if !chunk.Valid || !s.Sound() {
		return nil
	}
	sum := t.sum
	if s.To-s.From != t.size {
		var read bool
		var err error
		if sum, read, err = f.hashSpan(t.number, t.path, s); err != nil || !read {
			return err // bytes beyond the file are reported already
		}
	}
	if chunk.Sum.Equal(sum) {
		return nil
	}
	wrong := t.event.Finding(rule.HashChunk, sink.Path("evidence.chunk_id"), chunk.At, "chunk_id is not the SHA-256 of the chunk's bytes")
	wrong.Expected, wrong.Found = sum.Hex(), chunk.Sum.Hex()
	t.add(wrong)
	return nil
}

// checkSpan settles where supports may lie: in a file that holds just the cited chunk,
// anywhere; in one that holds the whole document, within the chunk's span; in a damaged
// one, anywhere.
func (t *fileTask) checkSpan(sink *fault.Sink, holds bool) {
	t.from, t.to = 0, t.size
	switch s := t.event.Evidence.Span; {
	case !s.Sound(), s.To-s.From == t.size:
	case s.To <= t.size:
		t.from, t.to = s.From, s.To
	case holds:
		f := t.event.Finding(rule.SpanEvidenceMismatch, sink.Path("evidence.span"), s.At, fmt.Sprintf("span [%d,%d] fits no file of %d bytes", s.From, s.To, t.size))
		f.Expected, f.Found = fmt.Sprintf("a span of %d bytes, or one that ends within them", t.size), fmt.Sprintf("[%d,%d]", s.From, s.To)
		t.add(f)
	}
}

package evidence

import (
	"sync"
	"sync/atomic"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

const (
	keepBytes = 8 << 20  // file content that is kept for the claims of the same block, by all blocks together
	keepFile  = 64 << 10 // of one file
)

// Reader reads a trace's evidence files. Its methods are safe for concurrent use: workers read the files of their
// blocks before earlier blocks are processed.
type Reader struct {
	folder  folder.Files // nil: no bytes are checked
	log     *fault.Log
	readers *folder.Readers
	room    atomic.Int64 // bytes of file content that may still be kept
	used    sync.Pool    // *Files, for their memory
}

// NewReader returns a reader of the files in a folder, or nil if files are not checked.
func NewReader(files folder.Files, log *fault.Log, readers *folder.Readers) *Reader {
	r := &Reader{folder: files, log: log, readers: readers}
	r.room.Store(keepBytes)
	return r
}

// Read reads a block's evidence files and keeps the findings until its events are processed. Blocks with structural
// faults are not read.
func (r *Reader) Read(b *format.Block) *Files {
	f, ok := r.used.Get().(*Files)
	if !ok {
		f = &Files{reader: r, first: map[uint64]*file{}}
	}
	if b.Faults.Rejected() {
		return f
	}
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Role == format.IsEvent {
			f.list(b.Event(rec))
		}
	}
	if r.folder != nil {
		r.readers.Each(len(f.all), func(i int) {
			if t := &f.all[i]; t.unsafe == "" {
				t.take(r)
			}
		})
		f.compare(b)
	}
	return f
}

// keep reserves memory for the content of a file. It returns false if the budget is used up.
func (r *Reader) keep(size int64) bool {
	if r.room.Add(-size) >= 0 {
		return true
	}
	r.room.Add(size)
	return false
}

// span hashes a range of a file. read is false if the file is shorter.
func (r *Reader) span(path string, s format.Span) (sum digest.Sum, read bool, err error) {
	file, _, wrong, err := folder.Open(r.folder, path)
	if err != nil || wrong != nil {
		return sum, false, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	sum, n, err := r.readers.Hash(folder.Range(file, s.From, s.To))
	if err != nil {
		return sum, false, folder.Unread(path, err)
	}
	return sum, n == s.To-s.From, nil
}

// content rereads a small file for an explanation. It returns nil if the file is not small.
func (r *Reader) content(path string) []byte {
	file, _, wrong, err := folder.Open(r.folder, path)
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

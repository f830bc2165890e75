package evidence

import (
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// Files are what the events of a block register, and what was found out about the files.
type Files struct {
	reader *Reader
	all    []file  // in file order
	next   int     // the place of the next event that is taken
	known  []*file // of new ids that were taken, their numbers rising
}

// list adds an event, when it registers evidence.
func (f *Files) list(e *format.Event) {
	if e.Kind == format.EvidenceRegistered && !e.Broken {
		clean, why := folder.Clean(e.Evidence.Path.String())
		f.all = append(f.all, file{event: e, path: clean, unsafe: why})
	}
}

// of returns what an event registers. Events come in file order.
func (f *Files) of(e *format.Event) *file {
	for f.all[f.next].event != e {
		f.next++
	}
	return &f.all[f.next]
}

// number numbers a file whose id is new.
func (f *Files) number(t *file, number uint32) {
	t.number = number
	f.known = append(f.known, t)
}

// numbered returns what the block has read of an evidence; nil when it was registered in
// an earlier one.
func (f *Files) numbered(number uint32) *file {
	if len(f.known) == 0 || number < f.known[0].number {
		return nil
	}
	// Numbers rise along the files; most blocks have no gap.
	for i := min(int(number-f.known[0].number), len(f.known)-1); i >= 0; i-- {
		if f.known[i].number == number {
			return f.known[i]
		}
	}
	return nil
}

// release gives the memory of the files back.
func (f *Files) release() {
	var kept int64
	for i := range f.all {
		kept += f.all[i].kept
	}
	f.reader.room.Add(kept)
	clear(f.all)
	clear(f.known)
	f.all, f.known, f.next = f.all[:0], f.known[:0], 0
	f.reader.used.Put(f)
}

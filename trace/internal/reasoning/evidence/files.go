package evidence

import (
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// Files are a block's registered evidence files and their results.
type Files struct {
	reader *Reader
	all    []file  // in file order
	next   int     // the place of the next event that is taken
	known  []*file // of new ids that were taken, their numbers rising

	first  map[uint64]*file // of each id, by its key
	quotes []quote          // in file order
	cited  int              // how many of their supports were taken
}

// quote is a support that matched a file registered in its block. Whether the file is the id's current evidence is
// known when events are processed.
type quote struct {
	support *format.Support
	file    *file
}

// list adds an event, when it registers evidence.
func (f *Files) list(e *format.Event) {
	if e.Kind == format.EvidenceRegistered && !e.Broken {
		clean, why := folder.Clean(e.Evidence.Path.String())
		f.all = append(f.all, file{event: e, path: clean, unsafe: why})
	}
}

// compare compares the block's citations with the files read.
func (f *Files) compare(b *format.Block) {
	for i := range f.all {
		t := &f.all[i]
		if _, again := f.first[t.event.ID.Key]; !again {
			f.first[t.event.ID.Key] = t
		}
	}
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Role == format.IsEvent {
			f.quote(b.Event(rec))
		}
	}
}

// quote compares an event's supports with the block's files. It finds the valid ones, nearly all; the others are
// explained later.
func (f *Files) quote(e *format.Event) {
	if e.Kind != format.ClaimEmitted || e.Broken {
		return
	}
	for i := range e.Claim.Cited {
		s := &e.Claim.Cited[i]
		if s.Target != format.CitesEvidence || !s.Span.Sound() || !s.Comparable() {
			continue
		}
		if t := f.first[s.Ref.Key]; t != nil && t.holds(s) {
			f.quotes = append(f.quotes, quote{s, t})
		}
	}
}

// quoted returns the block's file that matched a support, or nil. Call in file order.
func (f *Files) quoted(s *format.Support) *file {
	if f.cited == len(f.quotes) || f.quotes[f.cited].support != s {
		return nil
	}
	f.cited++
	return f.quotes[f.cited-1].file
}

// of returns the file that an event registers. Events come in file order.
func (f *Files) of(e *format.Event) *file {
	for f.all[f.next].event != e {
		f.next++
	}
	return &f.all[f.next]
}

// number assigns a number to a file with a new id.
func (f *Files) number(t *file, number uint32) {
	t.number, t.known = number, true
	f.known = append(f.known, t)
}

// numbered returns the block's file of an evidence number; nil if registered earlier.
func (f *Files) numbered(number uint32) *file {
	if len(f.known) == 0 || number < f.known[0].number {
		return nil
	}
	// Numbers increase with the files; most blocks have no gap.
	for i := min(int(number-f.known[0].number), len(f.known)-1); i >= 0; i-- {
		if f.known[i].number == number {
			return f.known[i]
		}
	}
	return nil
}

// release frees the files' memory.
func (f *Files) release() {
	var kept int64
	for i := range f.all {
		kept += f.all[i].kept
	}
	f.reader.room.Add(kept)
	clear(f.all)
	clear(f.known)
	clear(f.quotes)
	clear(f.first)
	f.all, f.known, f.quotes, f.next, f.cited = f.all[:0], f.known[:0], f.quotes[:0], 0, 0
	f.reader.used.Put(f)
}

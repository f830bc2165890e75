package bundle

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/segments"
)

// Links compares the streams of a run of the recorder with each other: a stream that `cupel record` continues in a new
// file names the run before, its number of events and its run root. The zero value is ready for use.
type Links struct{ files segments.Files }

// Check compares a report with those before it. It adds findings to it if its run continues another one whose stream
// ended differently (segment.broken) or was not checked before (segment.missing). alone means that there is no other
// input: the stream before is then listed in NotCovered, unless an older part of the run is there.
func (l *Links) Check(r *Report, alone bool) (added []finding.Finding) {
	if r.Run.ID == "" {
		return nil
	}
	added, before := l.files.Check(&segments.File{Noun: "run", ID: r.Run.ID, Head: r.RunRoot, Events: r.Events, Before: r.before}, alone)
	if before != "" {
		r.NotCovered = append(r.NotCovered, before)
	}
	for i := range added {
		f := &added[i]
		f.File, f.Path, f.Line, f.Column = r.Input, "/data", 1, 1
		if r.Kind == KindBundle {
			f.Line, f.Column = 0, 0
		}
		r.Follow(*f)
	}
	return added
}

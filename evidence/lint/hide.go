package lint

import (
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// hide removes possible copies of sensitive or unreadable content from a finding: the source line,
// the value's end, and compared values except digests and numbers. A finding about such a value or
// its container keeps only the rule's title.
func (l *linter) hide(f *finding.Finding) {
	f.WithholdSource()
	if l.event.Event == nil {
		return // and what its reader says of it repeats no value
	}
	f.EndLine, f.EndColumn, f.Notes = 0, 0, nil
	f.WithholdCompared()
	if rules.Lookup(f.Rule) != nil {
		return // which repeats nothing
	}
	if l.swept != nil {
		f.Message = titles()[f.Rule] // other places can be incomplete
	}
	for i := range l.changes {
		if at := l.changes[i].Pointer; within(f.Path, at) || within(at, f.Path) {
			f.Message = titles()[f.Rule]
			return
		}
	}
}

// within reports whether a pointer refers to a value or its container.
func within(pointer, value string) bool {
	rest, ok := strings.CutPrefix(value, pointer)
	return ok && (rest == "" || rest[0] == '/')
}

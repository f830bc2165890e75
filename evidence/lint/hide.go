package lint

import (
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

// hide takes out of a finding what it may repeat of its event, which holds values that
// should not be shared, or cannot be read: the source line, where the value ends, and what is
// compared, unless that is a digest or a number. Of a finding that is about such a value, or
// about what holds it, the rule's title stays.
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
		f.Message = titles()[f.Rule] // and all that is known of the others' places may be incomplete
	}
	for i := range l.changes {
		if at := l.changes[i].Pointer; within(f.Path, at) || within(at, f.Path) {
			f.Message = titles()[f.Rule]
			return
		}
	}
}

// within says whether a JSON pointer leads to a value, or to what the value is a part of.
func within(pointer, value string) bool {
	rest, ok := strings.CutPrefix(value, pointer)
	return ok && (rest == "" || rest[0] == '/')
}

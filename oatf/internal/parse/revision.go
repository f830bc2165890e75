package parse

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Documents of later revisions of the format still declare version 0.1. They are
// recognised by keys that this revision does not have, so that one sentence says what
// forty unknown keys and missing surfaces cannot.

// laterKeys are the marks: places of unknown keys, with list indices left out.
var laterKeys = []string{
	"attack.indicators[].target", "attack.indicators[].actor", "attack.indicators[].direction",
	"attack.indicators[].method", "attack.indicators[].tier", "attack.tier",
}

// foldLaterRevision replaces the faults that mark a later revision by one. A single
// mark is more likely a mistake; a missing surface, an operation for a surface or the
// action "send" beside it decide.
func foldLaterRevision(faults *yamltext.Faults, doc *model.Document) {
	var marks []string
	mark := func(m string) {
		if !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	isMark := func(f *model.ParseError) bool {
		shape := withoutIndices(f.Path)
		return f.UnknownKey && slices.Contains(laterKeys, shape) || !f.UnknownKey && shape == "attack.indicators[].surface" && f.Kind == model.ParseTypeMismatch
	}
	unknown := false
	for _, f := range faults.All() {
		if isMark(f) {
			mark(markName(f))
			unknown = unknown || f.UnknownKey
		}
	}
	if !unknown {
		return
	}
	otherMarks(doc, mark)
	if len(marks) < 2 {
		return
	}
	slices.Sort(marks)
	faults.Source.Later = true
	faults.Replace(isMark, &model.ParseError{
		Kind: model.ParseTypeMismatch, Path: "oatf", Position: faults.Source.Position("oatf"),
		Message: "the document follows a later revision of the format: it has " + strings.Join(marks, ", "),
		Help:    `this tool implements the revision of SDK specification 0.1; --unknown-fields warn tolerates keys it does not know`,
	})
}

// otherMarks looks for what is not a fault by itself.
func otherMarks(doc *model.Document, mark func(string)) {
	for i := range doc.Attack.Indicators {
		if strings.Contains(string(doc.Attack.Indicators[i].Surface), "/") {
			mark("operations as surfaces")
		}
	}
	phases := slices.Clone(doc.Attack.Execution.Phases)
	for i := range doc.Attack.Execution.Actors {
		phases = append(phases, doc.Attack.Execution.Actors[i].Phases...)
	}
	for i := range phases {
		for k := range phases[i].OnEnter {
			if slices.Contains(phases[i].OnEnter[k].Keys(), "send") {
				mark("the action send")
			}
		}
	}
}

func markName(f *model.ParseError) string {
	shape := strings.TrimPrefix(withoutIndices(f.Path), "attack.")
	if f.UnknownKey {
		return shape
	}
	return "indicators without surface"
}

// withoutIndices spells a path with empty brackets: attack.indicators[].target.
func withoutIndices(path string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(path, "[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, path, _ = strings.Cut(rest, "]")
		b.WriteString("[]")
	}
}

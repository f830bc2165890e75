package oatf

import (
	"slices"
	"strings"
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
func (p *parser) foldLaterRevision(doc *Document) {
	var marks []string
	mark := func(m string) {
		if !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	isMark := func(f *ParseError) bool {
		shape := withoutIndices(f.Path)
		return f.unknownKey && slices.Contains(laterKeys, shape) || !f.unknownKey && shape == "attack.indicators[].surface" && f.Kind == ParseTypeMismatch
	}
	unknown := false
	for _, f := range p.faults {
		if isMark(f) {
			mark(markName(f))
			unknown = unknown || f.unknownKey
		}
	}
	if !unknown {
		return
	}
	p.otherMarks(doc, mark)
	if len(marks) < 2 {
		return
	}
	slices.Sort(marks)
	p.faults = slices.DeleteFunc(p.faults, isMark)
	p.later = true
	p.faults = append(p.faults, &ParseError{
		Kind: ParseTypeMismatch, Path: "oatf", Position: (&locator{source: p.source}).position("oatf"),
		Message: "the document follows a later revision of the format: it has " + strings.Join(marks, ", "),
		Help:    `this tool implements the revision of SDK specification 0.1; --unknown-fields warn tolerates keys it does not know`,
	})
}

// otherMarks looks for what is not a fault by itself.
func (p *parser) otherMarks(doc *Document, mark func(string)) {
	for i := range doc.Attack.Indicators {
		if isOperation(doc.Attack.Indicators[i].Surface) {
			mark("operations as surfaces")
		}
	}
	views := (&checker{Document: doc}).collectActors()
	for _, a := range views {
		for _, ph := range a.phases {
			for i := range ph.OnEnter {
				if slices.Contains(ph.OnEnter[i].Keys(), "send") {
					mark("the action send")
				}
			}
		}
	}
}

// isOperation says whether a surface is spelled like an operation: "tools/call".
func isOperation(s Surface) bool { return strings.Contains(string(s), "/") }

func markName(f *ParseError) string {
	shape := strings.TrimPrefix(withoutIndices(f.Path), "attack.")
	if f.unknownKey {
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

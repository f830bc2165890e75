package oatf

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/finding"
	snippets "github.com/cupel-dev/cupel/internal/source"
)

// Finding is one fault, violation or warning in the form that all reports share.
type Finding = finding.Finding

// CheckOptions tune Check.
type CheckOptions struct {
	File          string // the document's name in findings
	Limits        Limits
	UnknownFields UnknownFields
	Strict        bool // report what Lint finds, too
}

// Check is everything that can be said about the text of a document: the faults of
// Parse, the violations and warnings of Validate and, on request, what Lint finds. It
// never fails: whatever the text is, the findings say so. They are in the order of the
// source.
//
// A fault that breaks a rule too has two findings, one for each id: the fault's own
// lists the rule in Also, the rule's has Repeats set. The same holds for two rules
// that one field breaks, where one is more exact.
//
// A comment `# cupel:ignore V-018 reason` leaves out the findings of a rule on its
// line, or on the next line when it stands alone. See rules S-001 and S-002.
func Check(input []byte, o CheckOptions) []Finding {
	doc, err := ParseOptions{Limits: o.Limits, UnknownFields: o.UnknownFields}.Parse(input)
	var faults ParseErrors
	errors.As(err, &faults)
	var list []Finding
	for _, f := range faults {
		list = append(list, f.finding())
	}
	var text *lines
	if doc != nil {
		text = doc.source.lines
		list = append(list, doc.findings(o.Strict, len(faults) == 0)...)
		markRepeats(list)
		list = doc.source.suppress(list, o.Strict && len(faults) == 0)
	} else if len(input) <= o.Limits.withDefaults().Bytes {
		text = splitLines(string(input))
	}
	for i := range list {
		list[i].File = o.File
		snip(&list[i], text)
	}
	return finding.Sort(list)
}

// findings are what can be said of a document beyond the faults of Parse. What was not
// understood whole is not linted.
func (d *Document) findings(strict, whole bool) (list []Finding) {
	add := func(diagnostics []Diagnostic, kind string) {
		for _, w := range diagnostics {
			list = append(list, w.finding(kind))
		}
	}
	add(d.Warnings(), kindParse)
	result := Validate(d)
	for _, e := range result.Errors {
		list = append(list, e.finding())
	}
	add(result.Warnings, kindWarning)
	if whole {
		add(lint(d, !strict), kindLint)
	}
	return list
}

// The kinds of findings, as reports name them.
const (
	kindParse      = "parse"
	kindValidation = "validation"
	kindWarning    = "warning"
	kindLint       = "lint"
)

func (e *ParseError) finding() Finding {
	f := Finding{Rule: e.ID(), Severity: finding.Error, Kind: kindParse, ParseKind: string(e.Kind), Message: e.Message, Path: e.Path, Help: e.Help}
	e.Position.point(&f)
	return f
}

func (e *ValidationError) finding() Finding {
	f := Finding{Rule: e.Rule, Severity: finding.Error, Kind: kindValidation, SpecRef: e.SpecRef, Message: e.Message, Path: e.Path, Help: e.Help}
	e.Position.point(&f)
	return f
}

func (d Diagnostic) finding(kind string) Finding {
	f := Finding{Rule: d.Code, Severity: finding.Warning, Kind: kind, SpecRef: specRef(d.Code), Message: d.Message, Path: d.Path, Help: d.Help}
	d.Position.point(&f)
	return f
}

func (p Position) point(f *Finding) {
	f.Line, f.Column, f.EndLine, f.EndColumn = p.Line, p.Column, p.EndLine, p.EndColumn
}

// snipMargin is how much of a line, in bytes, goes into choosing a snippet: more than
// a snippet shows.
const snipMargin = 1024

// snip adds the source line around a finding.
func snip(f *Finding, text *lines) {
	if text == nil || f.Line < 1 || f.Line > text.count() {
		return
	}
	line := text.line(f.Line)
	start := text.offset(f.Line, f.Column)
	end := start
	if f.EndColumn > f.Column {
		end = text.offset(f.Line, f.EndColumn)
	}
	from, to := max(0, start-snipMargin), min(len(line), end+snipMargin, start+2*snipMargin)
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	_, _, f.Source = snippets.Snip([]byte(line[from:to]), start-from, end-from)
}

// moreExact are the pairs of rules that one fault breaks, the more exact one first.
var moreExact = [][2]string{
	{"V-036", "V-005"}, // a mode or protocol that does not match its pattern
	{"V-018", "V-005"}, // a surface that no binding has
	{"V-007", "V-031"}, // an actor without phases
	{"V-011", "V-031"}, // a phase name used twice in an actor
}

// markRepeats finds the findings that say the same of the same place: a parse fault
// and the rule that it breaks, or a pair of moreExact.
func markRepeats(list []Finding) {
	at := map[string][]int{}
	for i := range list {
		at[list[i].Path] = append(at[list[i].Path], i)
	}
	for i := range list {
		main := &list[i]
		for _, j := range at[main.Path] {
			other := &list[j]
			if i != j && other.Repeats == "" && repeats(main, other) {
				main.Also = append(main.Also, other.Rule)
				other.Repeats = main.Rule
			}
		}
	}
}

func repeats(main, other *Finding) bool {
	if main.Kind == kindParse {
		return other.Kind == kindValidation && main.Message == other.Message
	}
	return slices.Contains(moreExact, [2]string{main.Rule, other.Rule})
}

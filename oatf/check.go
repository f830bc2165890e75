package oatf

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	snippets "github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/validate"
	"github.com/cupel-dev/cupel/oatf/lint"
	"github.com/cupel-dev/cupel/oatf/model"
)

// CheckOptions configures Check.
type CheckOptions struct {
	File          string // the document's name in findings
	Limits        Limits
	UnknownFields UnknownFields
	Revision      Revision // "": detected from the document
	Strict        bool     // apply all lint rules, also those that need --strict
}

// Check returns all findings about a document's text in source order: errors of Parse, violations and warnings of
// Validate, and lint findings. It never fails.
//
// A fault that breaks several rules is one finding, whose Detail names the others. Detail.Elements expands it.
//
// A comment `# cupel:ignore V-018,V-019 reason` suppresses findings of these rules on its line or, on a line by
// itself, on the next one. `# cupel:ignore-file V-018 reason` above the first key suppresses them in the whole
// document. See rules S-001 to S-004.
func Check(input []byte, o CheckOptions) []Finding { return o.Check(input).Findings }

type Checked struct {
	Revision Revision // of the document; "" unless it is one
	Findings []Finding
}

// Check is the function [Check] with options. It also returns the document's revision.
func (o CheckOptions) Check(input []byte) Checked {
	doc, err := ParseOptions{Limits: o.Limits, UnknownFields: o.UnknownFields, Revision: o.Revision}.Parse(input)
	var list []Finding
	var text *place.Lines
	if doc != nil {
		source := place.SourceOf(doc)
		text = source.Lines
		linted := o.Strict && err == nil
		comments := suppressor{Source: source, Profile: revision.Of(doc.Revision)}
		list = comments.suppress(findingsOf(doc, linted, err == nil), linted)
	} else {
		var faults ParseErrors
		errors.As(err, &faults)
		for _, e := range faults {
			list = append(list, findings.OfFault(revision.Of(o.Revision).Rules, e))
		}
		if len(input) <= o.Limits.WithDefaults().Bytes {
			text = place.SplitLines(string(input))
		}
	}
	var told Revision
	if doc != nil {
		told = doc.Revision
	}
	for i := range list {
		list[i].File = o.File
		detail := list[i].Detail.(Detail)
		detail.Revision = told
		list[i].Detail = detail
		snip(&list[i], text)
	}
	list = finding.Sort(list)
	preview(list, input)
	return Checked{told, list}
}

// findingsOf returns a document's findings. A document that could be parsed only partly is not linted.
func findingsOf(doc *Document, linted, whole bool) []Finding {
	list := validate.Document(doc).All()
	for _, w := range doc.Warnings() {
		list = append(list, tolerated(doc, w))
	}
	if n := place.SourceOf(doc).Untold; n > 0 {
		list = append(list, summarize(list[len(list)-1], n, "unknown key", place.SourceOf(doc).Limits.Errors))
	}
	switch {
	case linted:
		list = append(list, unsaid(doc, lint.Document(doc), list)...)
	case whole:
		list = append(list, unsaid(doc, lint.Default(doc), list)...)
	default:
		list = append(list, lint.Marks(doc)...)
	}
	return list
}

// unsaid returns the lint findings that no error covers, such as a null key that explains a missing one, or an unknown
// event that never fires.
func unsaid(doc *Document, linted, list []Finding) []Finding {
	set, said := revision.Of(doc.Revision).Rules, map[[2]int]bool{}
	covered := []string{set.ID(rules.NoValue), set.ID(rules.TriggerFires)}
	for _, f := range list {
		if f.Severity == finding.Error {
			said[[2]int{f.Line, f.Column}] = true
		}
	}
	return slices.DeleteFunc(linted, func(f Finding) bool { return said[[2]int{f.Line, f.Column}] && slices.Contains(covered, f.Rule) })
}

// tolerated returns a warning for an unknown key that an option allows.
func tolerated(doc *Document, d Diagnostic) Finding {
	f := revision.Of(doc.Revision).Rules.New(rules.Shape, d.Message)
	f.Severity, f.Path, f.Help, f.Detail = finding.Warning, d.Path, d.Help, Detail{Kind: model.KindParse}
	f.Line, f.Column, f.EndLine, f.EndColumn = d.Line, d.Column, d.EndLine, d.EndColumn
	return f
}

// summarize replaces the last finding of a kind by a summary of those beyond the limit.
func summarize(f Finding, number int, what string, limit int) Finding {
	detail := f.Detail.(Detail)
	detail.Omitted = number
	f.Message, f.Help, f.Detail = say.Omitted(number, what, limit), "", detail
	return f
}

// snipMargin is how many bytes around a finding are searched for a snippet.
const snipMargin = 1024

// snip adds the source line around a finding.
func snip(f *Finding, text *place.Lines) {
	if text == nil || f.Line < 1 || f.Line > text.Count() {
		return
	}
	line := text.Line(f.Line)
	start := text.Offset(f.Line, f.Column)
	end := start
	if f.EndColumn > f.Column {
		end = text.Offset(f.Line, f.EndColumn)
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

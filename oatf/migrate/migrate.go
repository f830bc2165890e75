// Package migrate converts documents to a later revision as changes of their texts: unchanged parts
// keep comments, quotes and layout.
//
//	$ cupel oatf migrate --to 2026-03 attack.yaml
//
// Content that the later revision cannot express is kept in keys with the prefix x-cupel-; nothing is
// guessed. No document is converted to an earlier revision.
package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/oatf/internal/migration"
	"github.com/cupel-dev/cupel/oatf/internal/migration/v202603"
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/patch"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// steps are the conversions of each revision to the next one, oldest first.
var steps = []migration.Step{v202603.Step}

// Options configures Migrate.
type Options struct {
	To     model.Revision // target revision; "": the latest one
	From   model.Revision // source revision; "": detected by its marks
	Limits model.Limits   // of the text, those of oatf.ParseOptions
}

// Result is a migrated document.
type Result struct {
	From, To model.Revision
	Edits    []finding.Edit // of the text, in its order; none when it is of the revision already
	Notes    []Note         // in the order of the text
	Unmarked bool           // nothing in the result shows its new revision: name it to the reader
}

// Note is a remark on a migration.
type Note struct {
	// Loss means that the target revision has no equivalent and the content was kept. Other notes are about
	// different treatment.
	Loss bool

	Path           string // in the document as it was
	model.Position        // there
	Message        string
}

// Lossy reports whether some content has no equivalent.
func (r *Result) Lossy() bool {
	return slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Loss })
}

// Migrate returns the edits that convert a document, for finding.Apply. The document can be invalid: unexpected
// content is unchanged. The error is a model.ParseErrors for invalid YAML or a missing attack. A text that cannot
// be edited safely is also an error.
func (o Options) Migrate(text []byte) (*Result, error) {
	if o.To == "" {
		o.To = steps[len(steps)-1].To
	}
	if revision.Named(string(o.To)) == nil {
		return nil, fmt.Errorf("cannot migrate to %q, which is not a revision", o.To)
	}
	doc, err := parse.Document(text, parse.Options{Limits: o.Limits, Revision: o.From, UnknownFields: model.WarnUnknown})
	if err = unreadable(doc, err); err != nil {
		return nil, err
	}
	r := &Result{From: doc.Revision, To: o.To}
	if r.From == r.To {
		return r, nil
	}
	way := &migration.Document{Tree: patch.New(place.SourceOf(doc)), To: o.To}
	doc = nil // release the model
	if err := walk(way, r.From, r.To); err != nil {
		return nil, err
	}
	for _, n := range way.Notes {
		r.Notes = append(r.Notes, Note{Loss: n.Loss, Path: n.Path, Position: n.At, Message: n.Message})
	}
	slices.SortStableFunc(r.Notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	mark, _ := revision.Recognize(way.After(way.Root))
	r.Unmarked = mark.Revision != r.To
	r.Edits, err = way.Edits()
	return r, err
}

// unreadable selects the faults of a text that prevent a migration.
func unreadable(doc *model.Document, err error) error {
	var faults, serious model.ParseErrors
	if doc == nil || !errors.As(err, &faults) {
		return err
	}
	for _, f := range faults {
		if f.Kind == model.ParseSyntax || f.Path == "attack" {
			serious = append(serious, f)
		}
	}
	if len(serious) > 0 {
		return serious
	}
	return nil
}

// walk converts a document step by step.
func walk(way *migration.Document, from, to model.Revision) error {
	start := slices.IndexFunc(steps, func(s migration.Step) bool { return s.From == from })
	end := slices.IndexFunc(steps, func(s migration.Step) bool { return s.To == to })
	if start < 0 || end < start {
		return fmt.Errorf("cannot migrate from %s to the earlier revision %s, which cannot express all of its constructs",
			from, to)
	}
	for _, s := range steps[start : end+1] {
		s.Up(way)
	}
	return nil
}

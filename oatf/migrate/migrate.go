// Package migrate carries documents from one revision of the format to another, as changes
// of their texts: comments, quotes and layout stay where nothing changes.
//
//	$ cupel oatf migrate --to 2026-03 attack.yaml
//
// There and back is the same document, if both revisions can say it. What the other cannot
// say is kept in keys that begin with x-cupel-, and comes back from them; nothing is ever
// guessed.
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

// steps are the ways between revisions that follow each other, the oldest first.
var steps = []migration.Step{v202603.Step}

// Options say what Migrate does.
type Options struct {
	To     model.Revision // which revision the document shall follow
	From   model.Revision // which it follows; "": told by its marks
	Limits model.Limits   // of the text, those of oatf.ParseOptions
}

// Result is a document on the other side.
type Result struct {
	From, To model.Revision
	Edits    []finding.Edit // of the text, in its order; none when it is of the revision already
	Notes    []Note         // in the order of the text
	Untold   bool           // the marks of the document do not tell that it is of its new revision
}

// Note is one thing to know about a migration.
type Note struct {
	// Loss says that the other revision has no counterpart; what had one is kept. Other
	// notes are on what both revisions have and treat differently.
	Loss bool

	Path           string // in the document as it was
	model.Position        // there
	Message        string
}

// Lossy says whether something has no counterpart.
func (r *Result) Lossy() bool {
	return slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Loss })
}

// Migrate returns the edits that make a document one of another revision, for
// finding.Apply. The document need not be valid: what is not what a revision has in its
// place stays as it is. The error is a model.ParseErrors for a text that is no YAML of the
// format or has no attack; a text that cannot be changed without changing what it means is
// an error, too.
func (o Options) Migrate(text []byte) (*Result, error) {
	if revision.Named(string(o.To)) == nil {
		return nil, fmt.Errorf("cannot migrate to %q, which is no revision", o.To)
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
	doc = nil // the model is not needed beside the nodes
	if err := walk(way, r.From, r.To); err != nil {
		return nil, err
	}
	for _, n := range way.Notes {
		r.Notes = append(r.Notes, Note{Loss: n.Loss, Path: n.Path, Position: n.At, Message: n.Message})
	}
	slices.SortStableFunc(r.Notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	told, _ := revision.Recognize(way.After(way.Root))
	r.Untold = told.Revision != r.To
	r.Edits, err = way.Edits()
	return r, err
}

// unreadable picks the faults of a text that leave nothing to migrate.
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

// walk takes the steps from a revision to another.
func walk(way *migration.Document, from, to model.Revision) error {
	start := slices.IndexFunc(steps, func(s migration.Step) bool { return s.From == from })
	end := slices.IndexFunc(steps, func(s migration.Step) bool { return s.To == to })
	if start >= 0 && end >= start {
		for _, s := range steps[start : end+1] {
			s.Up(way)
		}
		return nil
	}
	start = slices.IndexFunc(steps, func(s migration.Step) bool { return s.To == from })
	end = slices.IndexFunc(steps, func(s migration.Step) bool { return s.From == to })
	if start < 0 || end < 0 || start < end {
		return fmt.Errorf("no way leads from revision %s to %s", from, to)
	}
	for _, s := range slices.Backward(steps[end : start+1]) {
		s.Down(way)
	}
	return nil
}

package lint

import (
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Marks looks for marks of another revision beside those of the document's own: what is
// written for another one means nothing in it, or something else. It can be said of documents,
// too, that Parse has not understood whole.
func Marks(doc *model.Document) (list []finding.Finding) {
	source := place.SourceOf(doc)
	if source == nil {
		return nil
	}
	own := slices.IndexFunc(source.Signs, func(s place.Sign) bool { return s.Revision == doc.Revision })
	if own < 0 {
		return nil
	}
	by, set := source.Signs[own], revision.Of(doc.Revision).Rules
	for _, s := range source.Signs {
		if s.Revision == by.Revision {
			continue
		}
		f := set.New(rules.OneRevision, fmt.Sprintf("marks of two revisions: %s is of %s, %s (line %d) of %s, by which the document is read",
			say.Visible(s.Path), s.Revision, say.Visible(by.Path), source.Position(by.Path).Line, by.Revision))
		at := source.Position(s.Path)
		f.Line, f.Column, f.EndLine, f.EndColumn = at.Line, at.Column, at.EndLine, at.EndColumn
		f.Path, f.Detail = s.Path, model.Detail{Kind: model.KindLint}
		f.Help = "bring it all into one revision; --revision names the one to read it by"
		list = append(list, f)
	}
	return list
}

// withMarks are the findings with those of Marks among them.
func withMarks(doc *model.Document, list []finding.Finding) []finding.Finding {
	if marks := Marks(doc); len(marks) > 0 {
		return finding.Sort(append(list, marks...))
	}
	return list
}

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

// Marks finds marks of another revision, which have no meaning or another one in the document's revision. It
// accepts partially parsed documents. It also reports a specified revision that contradicts all marks, because most
// other findings follow from it.
func Marks(doc *model.Document) (list []finding.Finding) {
	source := place.SourceOf(doc)
	if source == nil {
		return nil
	}
	own := slices.IndexFunc(source.Signs, func(s place.Sign) bool { return s.Revision == doc.Revision })
	for _, s := range source.Signs {
		switch {
		case own < 0:
			list = append(list, mark(doc, s, fmt.Sprintf("%s belongs to revision %s, but cupel reads the document as %s, which nothing in it shows", say.Visible(s.Path), s.Revision, doc.Revision),
				"leave out --revision to detect the revision"))
		case s.Revision != doc.Revision:
			by := source.Signs[own]
			list = append(list, mark(doc, s, fmt.Sprintf("keys of two revisions: %s belongs to %s, %s (line %d) to %s, the document's revision",
				say.Visible(s.Path), s.Revision, say.Visible(by.Path), source.Position(by.Path).Line, by.Revision),
				"write it all in one revision; --revision selects the revision to read it by"))
		}
	}
	return list
}

func mark(doc *model.Document, s place.Sign, message, help string) finding.Finding {
	f := revision.Of(doc.Revision).Rules.New(rules.OneRevision, message)
	at := doc.Position(s.Path)
	f.Line, f.Column, f.EndLine, f.EndColumn = at.Line, at.Column, at.EndLine, at.EndColumn
	f.Path, f.Help, f.Detail = s.Path, help, model.Detail{Kind: model.KindLint}
	return f
}

func withMarks(doc *model.Document, list []finding.Finding) []finding.Finding {
	if marks := Marks(doc); len(marks) > 0 {
		return finding.Sort(append(list, marks...))
	}
	return list
}

package place

import "github.com/cupel-dev/cupel/oatf/model"

// Sign is a mark of a revision that a document has.
type Sign struct {
	Revision model.Revision
	Path     string // of the marked key, or of an element of a list
}

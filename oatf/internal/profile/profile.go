// Package profile is in what revisions of the format differ: what is data, as data, and what
// is not, as named strategies. A revision is one Profile, in a folder of its own below
// package revision; nothing else asks which revision a document has.
package profile

import (
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Profile is a revision of the format.
type Profile struct {
	Revision model.Revision
	Rules    *rules.Set
	Vocabulary
	Keys       Keys
	Evaluation Evaluation
	Normalization
	Marks []Mark // by which its documents are recognised

	Suite Suite // its conformance suites

	Responses []ResponsePlace // where the conformance rules look for responses in a state
	Loose     []ResponsePlace // where they do not, though the same could be said

	Enumerations []Enumeration // the closed ones inside state
	Lint         Lint

	Simulation Simulation
}

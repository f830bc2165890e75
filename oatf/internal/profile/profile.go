// Package profile describes the differences between revisions as data and functions. Each revision is a Profile in
// a folder of package revision; the rest of the code works for every revision.
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
	Marks []Mark // identify its documents

	Suite Suite // its conformance suites

	Responses []ResponsePlace // where the conformance rules look for responses in a state
	Loose     []ResponsePlace // where they do not, though the same could be said

	Enumerations []Enumeration // the closed ones inside state
	Lint         Lint

	Simulation Simulation
}

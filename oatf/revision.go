package oatf

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Revision is a public revision of the format. All declare version 0.1; Parse detects it, unless it is specified.
type Revision = model.Revision

// The revisions.
const (
	SDK01   Revision = "sdk-0.1" // of SDK specification 0.1; that of a document without marks
	V202603 Revision = "2026-03" // of March 2026
)

// Revisions returns the revisions that the package knows, the oldest first.
func Revisions() []Revision {
	list := make([]Revision, len(revision.All))
	for i, p := range revision.All {
		list[i] = p.Revision
	}
	return list
}

// Profile is a revision's registries and primitives. The package's functions with the same names use SDK01.
type Profile struct{ profile *profile.Profile }

// Under returns the profile of a revision; that of SDK01 for "" and for unknown ones.
func Under(r Revision) Profile { return Profile{revision.Of(r)} }

// Revision returns the profile's revision.
func (p Profile) Revision() Revision { return p.profile.Revision }

// sdk01 is the profile of the functions of the package.
var sdk01 = Under(SDK01)

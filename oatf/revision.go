package oatf

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Revision is a public revision of the format. All declare version 0.1, so Parse detects the revision unless it is
// given.
type Revision = model.Revision

// The revisions.
const (
	SDK01   Revision = "sdk-0.1" // of SDK specification 0.1; that of a document without marks
	V202603 Revision = "2026-03" // of March 2026
)

// Revisions returns all known revisions, oldest first.
func Revisions() []Revision {
	list := make([]Revision, len(revision.All))
	for i, p := range revision.All {
		list[i] = p.Revision
	}
	return list
}

// Profile applies the registries and primitives of a revision. The package's functions with the same names use
// SDK01.
type Profile struct{ profile *profile.Profile }

// Under returns the profile of a revision, SDK01 for "" and unknown ones.
func Under(r Revision) Profile { return Profile{revision.Of(r)} }

// Revision returns the profile's revision.
func (p Profile) Revision() Revision { return p.profile.Revision }

var sdk01 = Under(SDK01)

// Package revision is the registry of the format's revisions. Each has a folder with its profile and a line here.
package revision

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision/sdk01"
	v202603 "github.com/cupel-dev/cupel/oatf/internal/revision/v202603"
	"github.com/cupel-dev/cupel/oatf/model"
)

// All are the revisions, the oldest first.
var All = []*profile.Profile{sdk01.Profile, v202603.Profile}

// Of returns the profile of a revision, or of the oldest one if the revision is empty or unknown.
func Of(r model.Revision) *profile.Profile {
	if p := Named(string(r)); p != nil {
		return p
	}
	return All[0]
}

// Named returns the profile with a name, or nil.
func Named(name string) *profile.Profile {
	i := slices.IndexFunc(All, func(p *profile.Profile) bool { return string(p.Revision) == name })
	if i < 0 {
		return nil
	}
	return All[i]
}

// Package v202603 is the public revision of March 2026.
package v202603

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

// Profile is the revision.
var Profile = &profile.Profile{
	Suite: suite,

	Revision:   "2026-03",
	Rules:      own.Full(sdk, "target: name"),
	Vocabulary: profile.Vocabulary{Surfaces: operations(), Events: events, Renamed: renamed, Matches: matches},
	Keys: profile.Keys{
		ActionLacks:    []string{"send_notification", "send_elicitation"},
		IndicatorNeeds: "target",
	},
	Marks:         marks,
	Normalization: profile.Normalization{PlainTags: true},
	Evaluation:    evaluation,
	Responses:     responses,
	Loose:         loose,
	Enumerations:  enumerations,
	Lint:          lint,
	Simulation:    simulation,
}

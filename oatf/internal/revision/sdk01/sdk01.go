// Package sdk01 is the revision of the SDK specification 0.1: that of documents without marks of another revision.
package sdk01

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// Profile is the revision.
var Profile = &profile.Profile{
	Suite: suite,

	Revision: "sdk-0.1",
	Rules:    own.Full(sdk, "surface: tool_name"),
	Vocabulary: profile.Vocabulary{
		Surfaces: surfaces, MessageKinds: messageKinds, Events: events, Renamed: vocabulary.OlderNames, Qualifiers: qualifiers,
	},
	Keys: profile.Keys{
		IndicatorLacks: []string{"target", "actor", "direction", "method", "tier"},
		ActionLacks:    []string{"send"},
		IndicatorNeeds: "surface",
	},
	Marks:         marks,
	Normalization: profile.Normalization{SurfaceTargets: true, ToolDefaults: true},
	Responses:     responses,
	Loose:         loose,
	Lint:          profile.Lint{Senders: senders},
	Enumerations:  enumerations,
	Simulation:    simulation,
}

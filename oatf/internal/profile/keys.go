package profile

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// Keys defines the keys of the model's objects that a revision has.
type Keys struct {
	// IndicatorLacks and ActionLacks are model keys that the revision lacks. They are unknown keys in indicators
	// and binding-specific in actions.
	IndicatorLacks []string
	ActionLacks    []string

	// IndicatorNeeds is the required key of indicators: surface, or target.
	IndicatorNeeds string
}

// Actions returns the actions of a revision for all protocols.
func (p *Profile) Actions() []string {
	return slices.DeleteFunc(slices.Clone(vocabulary.Actions), func(key string) bool { return slices.Contains(p.Keys.ActionLacks, key) })
}

// HasDirections reports whether an indicator can select one direction of an operation.
func (p *Profile) HasDirections() bool { return !slices.Contains(p.Keys.IndicatorLacks, "direction") }

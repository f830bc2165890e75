package profile

import (
	"slices"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// Keys says which keys of the model's objects a revision has.
type Keys struct {
	// IndicatorLacks and ActionLacks are model keys missing in the revision: unknown keys in
	// indicators, binding-specific actions otherwise.
	IndicatorLacks []string
	ActionLacks    []string

	// IndicatorNeeds is the required key of indicators: surface, or target.
	IndicatorNeeds string
}

// Actions returns the actions that a revision knows, whatever the protocol.
func (p *Profile) Actions() []string {
	return slices.DeleteFunc(slices.Clone(vocabulary.Actions), func(key string) bool { return slices.Contains(p.Keys.ActionLacks, key) })
}

// HasDirections reports whether an indicator may look at one direction of an operation.
func (p *Profile) HasDirections() bool { return !slices.Contains(p.Keys.IndicatorLacks, "direction") }

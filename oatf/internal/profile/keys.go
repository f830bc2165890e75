package profile

// Keys says which keys of the model's objects a revision has.
type Keys struct {
	// IndicatorLacks and ActionLacks are keys of the model that the revision does not have:
	// in an indicator they are unknown keys, among actions those of a protocol binding.
	IndicatorLacks []string
	ActionLacks    []string

	// IndicatorNeeds is the required key of indicators: surface, or target.
	IndicatorNeeds string
}

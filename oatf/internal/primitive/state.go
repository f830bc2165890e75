package primitive

import "github.com/cupel-dev/cupel/oatf/model"

// EffectiveState returns the state of a phase (§5.11): its state, or that of the last earlier phase with a state,
// or null.
func EffectiveState(phases []model.Phase, index int) model.Value {
	if index >= len(phases) {
		return nil
	}
	for ; index >= 0; index-- {
		if phases[index].State != nil {
			return phases[index].State
		}
	}
	return nil
}

package primitive

import "github.com/cupel-dev/cupel/oatf/model"

// EffectiveState returns a phase's state (§5.11): its own, or that of the last earlier phase with one, or null.
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

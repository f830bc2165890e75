package primitive

import "github.com/cupel-dev/cupel/oatf/model"

// EffectiveState returns the state of the phase at an index (§5.11): its own, else that of
// the last phase before it that has one, whole. It is null when there is none, or no such
// phase.
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

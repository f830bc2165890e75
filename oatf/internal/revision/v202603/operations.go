package v202603

import (
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/model"
)

// operations returns the possible surfaces: each event of the registry, for each protocol whose modes have it. They
// have no default targets.
func operations() (rows []model.SurfaceInfo) {
	for _, p := range []struct {
		protocol model.Protocol
		modes    profile.ModeSet
	}{{"mcp", mcp}, {"a2a", a2a}, {"ag_ui", agui}} {
		for _, e := range events {
			if e.Modes&p.modes != 0 {
				rows = append(rows, model.SurfaceInfo{Surface: model.Surface(e.Name), Protocol: p.protocol})
			}
		}
	}
	return rows
}

package simulate

import (
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/oatf"
)

func isServer(mode oatf.Mode) bool { return strings.HasSuffix(string(mode), "_server") }
func isClient(mode oatf.Mode) bool { return strings.HasSuffix(string(mode), "_client") }

// eventSets are the events of each known mode.
var eventSets = sync.OnceValue(func() map[oatf.Mode]map[string]bool {
	sets := map[oatf.Mode]map[string]bool{}
	for _, mode := range oatf.KnownModes() {
		sets[mode] = map[string]bool{}
		for _, event := range oatf.Events(mode) {
			sets[mode][event] = true
		}
	}
	return sets
})

// modeEvents are the events of a mode; nil for one that the registry does not know.
func modeEvents(mode oatf.Mode) map[string]bool { return eventSets()[mode] }

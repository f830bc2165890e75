package simulate

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
)

func isServer(mode oatf.Mode) bool { return strings.HasSuffix(string(mode), "_server") }
func isClient(mode oatf.Mode) bool { return strings.HasSuffix(string(mode), "_client") }

// registry knows the events of each mode.
type registry struct {
	as    *profile.Profile
	modes map[oatf.Mode]map[string]bool // as far as actors have them; nil for one that is not known
}

// has reports whether a mode has an event: according to the registry, or for an unknown mode, or for an unknown
// event in a revision with open events.
func (r *registry) has(mode oatf.Mode, event string) bool {
	events, read := r.modes[mode]
	if !read {
		if list := r.as.EventsOf(mode); list != nil {
			events = make(map[string]bool, len(list))
			for _, name := range list {
				events[name] = true
			}
		}
		r.modes[mode] = events
	}
	return events == nil || events[event] || r.as.Simulation.Open && r.as.ModesOf(event) == nil
}

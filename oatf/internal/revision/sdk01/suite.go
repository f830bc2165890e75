package sdk01

import "github.com/cupel-dev/cupel/oatf/internal/profile"

// suite is the public suite: no later one has fixtures for the qualifiers of events.
var suite = profile.Suite{Only: []string{"primitives/resolve-event-qualifier", "primitives/parse-event-qualifier"}}

package sdk01

import "github.com/cupel-dev/cupel/oatf/internal/profile"

// suite is the public suite. Later suites have no fixtures for event qualifiers.
var suite = profile.Suite{Only: []string{"primitives/resolve-event-qualifier", "primitives/parse-event-qualifier"}}

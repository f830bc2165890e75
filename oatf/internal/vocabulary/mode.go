package vocabulary

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"
)

// The modes and protocols of the included protocol bindings (§3.2).
var (
	KnownModes     = [...]model.Mode{"mcp_server", "mcp_client", "a2a_server", "a2a_client", "ag_ui_client"}
	KnownProtocols = [...]model.Protocol{"mcp", "a2a", "ag_ui"}
)

// ExtractProtocol returns the protocol of a mode: the text before the last "_server" or "_client" (§5.10), or the
// whole mode.
func ExtractProtocol(mode model.Mode) model.Protocol {
	for _, role := range []string{"_server", "_client"} {
		if p, ok := strings.CutSuffix(string(mode), role); ok {
			return model.Protocol(p)
		}
	}
	return model.Protocol(mode)
}

// IsKnownMode reports whether a mode belongs to an included protocol binding.
func IsKnownMode(mode model.Mode) bool { return slices.Contains(KnownModes[:], mode) }

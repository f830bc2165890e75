package v202603

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// textOperators compare texts. In 2026-03 they apply to the JSON of other values.
var textOperators = []string{"contains", "starts_with", "ends_with", "regex"}

// differ notes why an indicator's verdict can differ between revisions in spite of equal content.
// The surface is nil if unknown.
func (in indicator) differ(s *surface) {
	var why []string
	pattern := in.Child("pattern")
	condition := pattern
	if pattern.Has("condition") {
		condition = pattern.Child("condition")
	}
	if condition.HasAny(textOperators...) {
		why = append(why, "a text operator can meet a value other than text, which "+string(later)+" compares as JSON")
	}
	if condition.Has("exists") {
		why = append(why, "exists: false holds for a target that resolves to nothing in "+string(later)+" alone")
	}
	if in.Child("expression").Node != nil {
		why = append(why, "a field that a message does not have is an error in "+string(later))
	}
	if s != nil && slices.Contains(serverRequests, s.operation) {
		why = append(why, "where a log records only the sender of a message, "+string(later)+" takes a server's request for an answer")
	}
	if in.sees(s) {
		why = append(why, string(later)+" looks at messages that the tool itself sent, too")
	}
	if len(why) > 0 {
		in.Differ("the verdict may differ: %s", strings.Join(why, "; "))
	}
}

// sees reports whether messages that the indicator examines can come from the tool: servers' responses, clients'
// requests, or without direction.
func (in indicator) sees(s *surface) bool {
	if s == nil || s.operation == "" {
		return true
	}
	own := map[string]string{request: "_client", response: "_server"}[s.direction]
	if slices.Contains(serverRequests, s.operation) {
		own = map[string]string{request: "_server", response: "_client"}[s.direction]
	}
	for mode := range in.modes {
		if vocabulary.ExtractProtocol(mode) == in.protocol && strings.HasSuffix(string(mode), own) {
			return true
		}
	}
	return false
}

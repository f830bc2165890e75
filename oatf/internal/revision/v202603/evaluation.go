package v202603

import "github.com/cupel-dev/cupel/oatf/internal/profile"

// evaluation is that of §4 and §5.3 of the SDK specification and §6 and §7 of the format.
var evaluation = profile.Evaluation{
	Texts:         profile.CompactJSON,
	Absence:       true,
	StrictMissing: true,
	Operations:    true,
	Failures:      true,
	AsTriggers:    true,
	Streams:       []string{"message/stream", "tasks/resubscribe"},
	Items:         map[string]string{"status-update": "task/status", "artifact-update": "task/artifact"},
}

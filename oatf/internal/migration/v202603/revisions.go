package v202603

import "github.com/cupel-dev/cupel/oatf/model"

// The revisions from which and to which the step converts.
const (
	earlier model.Revision = "sdk-0.1"
	later   model.Revision = "2026-03"
)

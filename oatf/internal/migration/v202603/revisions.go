package v202603

import "github.com/cupel-dev/cupel/oatf/model"

// The revisions that the step lies between.
const (
	earlier model.Revision = "sdk-0.1"
	later   model.Revision = "2026-03"
)

package reference

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/reference/payloads"
	"github.com/cupel-dev/cupel/trace/internal/schemas"
)

// ValidatePayload validates a JSON payload with the embedded schema of its event type. It returns the library's
// complaints, sorted. A type without a schema is an error.
func (Engine) ValidatePayload(eventType string, payload []byte) (complaints []string, err error) {
	result, err := compiled.Validate(eventType, payload)
	if err != nil {
		return nil, err
	}
	for _, complaint := range result.Errors() {
		complaints = append(complaints, complaint.String())
	}
	slices.Sort(complaints)
	return complaints, nil
}

var compiled = payloads.New(schemas.Names(), schemas.Payload)

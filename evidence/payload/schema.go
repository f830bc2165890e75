package payload

import (
	"slices"

	"github.com/cupel-dev/cupel/evidence/payload/internal/registry"
	"github.com/cupel-dev/cupel/evidence/payload/internal/schemas"
)

// Types returns the sorted event types with a schema: those of ADR-006 §3 and of the contract's
// registry. "assay.receipt._" means all types with prefix "assay.receipt.".
func Types() []string {
	list := append(schemas.Names(), registry.Names()...)
	slices.Sort(list)
	return list
}

// Schema returns the draft-07 JSON Schema of a type's data; ok is false without one. It does not cover the equality
// of policy_snapshot_digest and policy_digest, which [Checker] checks, or warnings: a filter's counters that differ
// from its lists, and policy snapshot members without digest.
func Schema(eventType string) (text []byte, ok bool) {
	if text, ok = schemas.Payload(eventType); !ok {
		text, ok = registry.Text(eventType)
	}
	return text, ok
}

package payload

import (
	"slices"

	"github.com/cupel-dev/cupel/evidence/payload/internal/registry"
	"github.com/cupel-dev/cupel/evidence/payload/internal/schemas"
)

// Types returns the event types whose data have a schema, sorted: those of ADR-006 §3, and those
// of the contract's registry. "assay.receipt._" stands for all types that begin with
// "assay.receipt.".
func Types() []string {
	list := append(schemas.Names(), registry.Names()...)
	slices.Sort(list)
	return list
}

// Schema returns the shape of an event type's data as a draft-07 JSON Schema; ok is false for
// a type without one. What the schema cannot say, and [Checker] checks, is that
// policy_snapshot_digest is the same digest as policy_digest; nor does it hold what is no
// error: the counters of a filter that differ from its lists, and members of the policy's
// snapshot without its digest.
func Schema(eventType string) (text []byte, ok bool) {
	if text, ok = schemas.Payload(eventType); !ok {
		text, ok = registry.Text(eventType)
	}
	return text, ok
}

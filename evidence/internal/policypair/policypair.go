// Package policypair compares the two policy digests of a decision event.
package policypair

import (
	"bytes"

	"github.com/cupel-dev/cupel/evidence"
)

// Outcome is the result of a comparison.
type Outcome uint8

// The outcomes.
const (
	Absent    Outcome = iota // the event has no snapshot digest
	Unpaired                 // the event has a snapshot digest and no policy digest
	Same                     // both members are the same text
	Different                // both members exist; they are two texts, or one is not a text
)

// Compare compares data.policy_snapshot_digest with data.policy_digest: ADR-006 §3 B requires the same value in both.
func Compare(snapshot, policy evidence.Value) Outcome {
	switch {
	case snapshot.Missing():
		return Absent
	case policy.Missing():
		return Unpaired
	case snapshot.Kind() == evidence.KindString && policy.Kind() == evidence.KindString &&
		bytes.Equal(snapshot.TextBytes(nil), policy.TextBytes(nil)):
		return Same
	}
	return Different
}

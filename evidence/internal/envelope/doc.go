// Package envelope checks the envelope of a single event against the evidence contract: members and the relation of
// id, run id and sequence number. Callers check properties of several events and hashes.
//
// The reference implementation stops at an event's first fault. Faults have the step of that order,
// to merge callers' faults.
package envelope

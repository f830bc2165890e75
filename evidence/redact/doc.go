// Package redact creates a copy of evidence that can be shared: values are generalized or removed according to a
// policy, and everything else is unchanged.
//
// In a stream or single event, only changed members are rewritten, with their content hashes. A bundle gets a new
// id, so that earlier attestations do not apply to it. A [Report] lists changes and rules without values. Package
// privacy defines the policies.
package redact

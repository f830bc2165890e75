// Package redact makes a shareable copy of evidence: a policy's sensitive values are generalized
// and forbidden ones removed; everything else is unchanged.
//
// In a stream or single event only changed members are rewritten, with their content hashes. A
// bundle becomes a bundle with a new id, to which earlier attestations do not apply. A [Report]
// lists changes and rules without values. Package privacy defines classes and changes.
package redact

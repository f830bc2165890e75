// Package lint checks events: envelopes, payloads and runs by package payload's rules, and
// sensitive content by package privacy. It reads bundles, streams and single events and verifies
// them in the same pass; unverifiable inputs are reported and linted nevertheless.
//
// Findings about privacy contain place, class and rule, never the value; other findings of such an
// event do not repeat its content.
package lint

// Package envelope reads the envelope of one event and holds it against the evidence
// contract, as far as one event alone decides: what the members are, and how id, run id and
// sequence number belong together. What takes more than one event (gaps, another run,
// another source), and the comparison of hashes, is its caller's.
//
// The contract's reference implementation stops at the first fault of an event. Each fault
// here carries the step of that order, so that a caller can merge its own between them.
package envelope

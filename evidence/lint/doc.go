// Package lint judges what evidence says: the envelopes, payloads and runs of events by the
// rules of package payload, and by package privacy what in them should not be shared. It
// reads bundles, streams and single events, and verifies them in the same pass: an input that
// does not verify is reported as such and linted all the same.
//
// A finding about privacy names the place, the class and the rule, never the value: nor does
// any other finding of an event that holds such a value repeat what stands in it.
package lint

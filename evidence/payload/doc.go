// Package payload checks events beyond their hashes: the form of the envelope (EV-1xx), the data of the types in
// ADR-006 §3 (EV-2xx), related members (EV-3xx), and the whole run (EV-5xx). [Rules] lists them.
//
// A [Checker] checks single events, so several can work concurrently. A [Run] processes the checkers' facts in
// event order.
//
//	{"type":"assay.tool.decision","data":{"tool":"read_file","decision":"maybe"},…}
//
// violates EV-233: a decision is "allow", "deny" or "requires_approval".
//
// Payloads can be extended: unknown members are accepted, unknown types accepted and reported. null means absent.
// Only the hashed content matters, not its notation.
//
// The shapes are also available as JSON Schemas (see [Schema]), for other tools and the second engine in package
// reference.
package payload

// Package payload checks events beyond their hashes: the envelope's form (EV-1xx), the data of the
// types in ADR-006 §3 (EV-2xx), related members (EV-3xx), and the whole run (EV-5xx). [Rules] lists
// them.
//
// A [Checker] judges events independently and concurrently. A [Run] processes the checkers' facts
// in event order.
//
//	{"type":"assay.tool.decision","data":{"tool":"read_file","decision":"maybe"},…}
//
// violates EV-233: a decision is "allow", "deny" or "requires_approval".
//
// Payloads are extensible: unknown members are accepted, unknown types accepted and reported. null
// means absent. Spelling does not matter, only the hashed content.
//
// The data's shapes are also available as JSON Schemas (see [Schema]), for other tools and the
// second engine in package reference.
package payload

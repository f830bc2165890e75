// Package payload checks what events say, beyond their hashes: the form of the envelope
// (EV-1xx), the data of the types that ADR-006 §3 describes (EV-2xx), members that belong
// together (EV-3xx), and the run as a whole (EV-5xx). [Rules] lists them.
//
// A [Checker] judges each event by itself, so that many can be judged at once. What it says
// of an event depends on nothing but the event. A [Run] takes what the checkers gathered, in
// the order of the events.
//
//	{"type":"assay.tool.decision","data":{"tool":"read_file","decision":"maybe"},…}
//
// breaks EV-233: a decision is "allow", "deny" or "requires_approval".
//
// Payloads grow by addition: a member that no rule names is accepted, and so is a type that
// no rule knows, which is told. Null stands for absent. How a value is spelled never matters:
// what is judged is what the content hash covers.
//
// The shapes of the data are also JSON Schemas, see [Schema]: they are read by other tools,
// and by the second engine in package reference.
package payload

// Package attest evaluates assertions over traces of AI agents: the engine of the
// Attest protocol, version 1.
//
// A trace is one JSON object: what an agent was given, the steps it took, what it
// answered. An assertion names one thing that must hold:
//
//	{"assertion_id":"a1","type":"content",
//	 "spec":{"target":"output.message","check":"contains","value":"refund"}}
//
// The engine validates the trace (§7, seven steps in their order) and evaluates the
// assertions by layer: JSON Schemas (1), numeric constraints (2), the order and
// number of tool calls (3), text (4). Every assertion gets one result, in the order
// of the request. A trace or an assertion that cannot be evaluated is an Error, never
// a pass.
package attest

// ProtocolVersion is the version of the protocol that this engine speaks; the
// version before it is accepted too (§6).
const ProtocolVersion = 1

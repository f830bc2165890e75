// Package attest evaluates assertions on traces of AI agents. It implements version 1 of the Attest protocol.
//
// A trace is a JSON object with an agent's input, steps and output. An assertion is a condition on it:
//
//	{"assertion_id":"a1","type":"content",
//	 "spec":{"target":"output.message","check":"contains","value":"refund"}}
//
// The engine validates the trace (§7, seven ordered steps) and evaluates the assertions by layer: JSON Schemas (1),
// numeric constraints (2), order and number of tool calls (3), text (4). Each assertion gets one result, in request
// order. A trace or assertion that cannot be evaluated is an Error, never a pass.
package attest

// ProtocolVersion is the implemented protocol version; the previous one is also accepted (§6).
const ProtocolVersion = 1

// Package projection computes evidence's other digests: of tool definitions and lists, of policies,
// and of event semantics.
//
// Each is the SHA-256 of the canonical JSON (RFC 8785) of a projection, an object of selected,
// renamed members. The definition of the tool
//
//	{"name":"read_file","description":" Read a file ","inputSchema":{"type":"object"},"title":"Read"}
//
// listed by server "server-a" has the digest (ADR-006 §3, tool_definition_digest)
//
//	printf '{"description":"Read a file","input_schema":{"type":"object"},"name":"read_file","server_id":"server-a"}' | sha256sum
//
// Inputs are untrusted: they must be strict JSON within limits; otherwise findings report why.
package projection

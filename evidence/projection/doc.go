// Package projection computes the digests that evidence has of other things than events:
// of the definition of a tool and of a list of tools, of a policy, and of what an event
// means.
//
// Each is the SHA-256 of the canonical JSON (RFC 8785) of a projection: of some members of
// what is digested, which the package picks and names anew. The definition of the tool
//
//	{"name":"read_file","description":" Read a file ","inputSchema":{"type":"object"},"title":"Read"}
//
// as the server "server-a" lists it has the digest (ADR-006 §3, tool_definition_digest) that
// the shell computes as
//
//	printf '{"description":"Read a file","input_schema":{"type":"object"},"name":"read_file","server_id":"server-a"}' | sha256sum
//
// Texts to be read are untrusted: they are strict JSON within limits, or a finding says why
// not.
package projection

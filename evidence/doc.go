// Package evidence implements the evidence contract of agent runtimes: events in a CloudEvents 1.0 envelope with a
// content hash.
//
// # The content hash
//
// The hash covers exactly five members: data, datacontenttype, specversion, subject and type. An object of these
// members is written in canonical JSON (RFC 8785) and hashed with SHA-256. The text form is "sha256:" and 64
// lower-case hexadecimal digits. For the event
//
//	{"specversion":"1.0","type":"assay.env.filtered","datacontenttype":"application/json",
//	 "id":"run_a:0","source":"urn:runner:1","subject":null,"data":{"mode":"strict"}}
//
// it can be computed in a shell:
//
//	printf '%s' '{"data":{"mode":"strict"},"datacontenttype":"application/json","specversion":"1.0","type":"assay.env.filtered"}' | sha256sum
//
// A missing or null subject is omitted, an empty one kept. A missing datacontenttype is hashed as application/json,
// the default of CloudEvents' JSON format, and reported. All other members (id, source, time, run, producer, trace
// context, privacy flags, the recorded hash and extensions) can change without affecting the hash. The envelope
// digest of [Options] covers the whole event and is not part of version 1.
//
// # The run root
//
// The run root of a stream binds the content hashes in order: SHA-256 over each hash's text followed by a line
// feed.
//
//	printf '%s\n' sha256:… sha256:… | sha256sum
//
// # Signatures and untrusted input
//
// Hashes alone detect damage, but not a rewritten run. [Signer] and [Verifier] protect a digest by a key; package
// seal implements them. An event must be strict JSON (RFC 8259 and I-JSON): duplicate member names, invalid UTF-8,
// unpaired surrogates and numbers outside of a double's range are findings. [Limits] limits events and streams.
// Findings are results; an error means that there is no result.
package evidence

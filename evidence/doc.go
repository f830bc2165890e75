// Package evidence reads the evidence contract of agent runtimes: events in a
// CloudEvents 1.0 envelope whose content is bound by a hash.
//
// # The content hash
//
// The hash of an event covers exactly five of its members: data, datacontenttype,
// specversion, subject and type. They make an object of their own, which is written
// in the JSON Canonicalization Scheme (RFC 8785) and hashed with SHA-256; the text
// form is "sha256:" and 64 lower-case hexadecimal digits. For the event
//
//	{"specversion":"1.0","type":"assay.env.filtered","datacontenttype":"application/json",
//	 "id":"run_a:0","source":"urn:runner:1","subject":null,"data":{"mode":"strict"}}
//
// anyone can compute it with a shell:
//
//	printf '%s' '{"data":{"mode":"strict"},"datacontenttype":"application/json","specversion":"1.0","type":"assay.env.filtered"}' | sha256sum
//
// A subject that is absent or null is left out, an empty one is kept. An event
// without datacontenttype is hashed as application/json, the default of CloudEvents'
// JSON format, and the answer says so. Everything else in the envelope (id, source,
// time, the run and the producer, trace context, privacy flags, the recorded hash
// itself and all extensions) can change without changing the hash; the envelope
// digest of [Options] covers the whole event, and is no part of version 1.
//
// # The run root
//
// The run root of a stream binds the content hashes in their order: SHA-256 over
// each hash's text followed by one line feed.
//
//	printf '%s\n' sha256:… sha256:… | sha256sum
//
// # What others build on
//
// An [Event] is a read-only view of what was read for the hash: attributes by name,
// values of any depth, and their places in the text. A [Signer] and a [Verifier] put a
// key behind a digest: the hashes alone tell a damaged run, not a rewritten one. Package
// seal has the first of them.
//
// # Untrusted input
//
// An event must be strict JSON (RFC 8259 and I-JSON): duplicate member names at any
// depth, bytes that are not UTF-8, lone surrogates and numbers beyond a double are
// findings, not hashes. [Limits] bound what one event and one stream may ask for. A
// finding is an answer; an error means that there is none.
package evidence

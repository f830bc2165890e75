// Package seal puts keys behind evidence. Hashes alone tell a damaged run from a whole
// one, but not a rewritten one: whoever changes an event can hash it again. A signature
// over the run root ties it to whoever holds a key.
//
// # Attestations
//
// An attestation is an in-toto Statement (version 1) about one bundle, signed with Ed25519
// (RFC 8032) or ECDSA P-256 in a DSSE envelope (version 1). Its subject is the bundle's bytes by their
// SHA-256, named by the bundle id; its predicate is the run root and the facts of the run.
// The payload is the statement in canonical form (RFC 8785); pretty-printed it is
//
//	{
//	  "_type": "https://in-toto.io/Statement/v1",
//	  "predicate": {
//	    "extent": {"observed": {"basis": "not_stated"}, "retained_events_by_type": {"assay.fs.access": 2}},
//	    "run": {
//	      "event_count": 2, "producer": {"git": "", "name": "p", "version": "1"}, "run_id": "r",
//	      "time_window": {"end": "2026-01-01T00:00:01Z", "start": "2026-01-01T00:00:00Z"}
//	    },
//	    "schema_version": 1,
//	    "semantic_equivalence": {"algorithm": "assay-run-root-v1", "value": "sha256:…"}
//	  },
//	  "predicateType": "https://docs.getassay.dev/attestation/evidence-bundle/v1",
//	  "subject": [{"digest": {"sha256": "…"}, "name": "sha256:…"}]
//	}
//
// What is signed is never the bare payload but its pre-authentication encoding, which
// binds the payload's type:
//
//	DSSEv1 10 text/plain 5 hello
//
// [Attest] makes one. [Read] reads a file of them, also one per line or in a Sigstore bundle.
// [Envelope.Open] checks one up to the shape of its statement, and
// [Attestation.Compare] what it says against a bundle that was read and verified: neither
// reads the bundle.
//
// # Keys
//
// Keys are in memory, and in files as PKCS#8, encrypted or not, as SubjectPublicKeyInfo, and in
// the forms of OpenSSH. Keys elsewhere are other implementations of [evidence.Signer] and
// [evidence.Verifier].
//
// The package links net, though it opens no connection: the standard library's reader of
// keys does, and so does that of DSSE.
package seal

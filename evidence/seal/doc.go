// Package seal signs evidence. Hashes detect damage, but not a rewritten run: anyone can rehash a
// changed event. A signature over the run root ties it to a key.
//
// # Attestations
//
// An attestation is an in-toto Statement (version 1) about a bundle, signed with Ed25519 (RFC 8032) or ECDSA P-256 in
// a DSSE envelope (version 1). Its subject is the bundle's bytes by SHA-256, named by the bundle id; its predicate is
// the run root and the facts of the run. The payload is the canonical statement (RFC 8785); pretty-printed:
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
// The signature covers the pre-authentication encoding, which binds the payload's type:
//
//	DSSEv1 10 text/plain 5 hello
//
// [Attest] makes an attestation. [Read] reads a file of them, also one per line or in a Sigstore
// bundle. [Envelope.Open] checks one up to its statement's shape, and [Attestation.Compare]
// compares it with a read and verified bundle.
//
// # Keys
//
// Keys are in memory or in files, as PKCS#8 (encrypted or not), SubjectPublicKeyInfo, and OpenSSH
// formats. Other keys implement [evidence.Signer] and [evidence.Verifier].
//
// The package imports net through the libraries for keys and DSSE, but opens no connection.
package seal

// Package seal puts keys behind evidence. Hashes alone tell a damaged run from a whole
// one, but not a rewritten one: whoever changes an event can hash it again. A signature
// over the run root ties it to whoever holds a key.
//
// What is signed is never a bare payload but its pre-authentication encoding (DSSE,
// version 1), which binds the payload's type:
//
//	DSSEv1 10 text/plain 5 hello
//
// The package has the contract's signature algorithm, Ed25519 (RFC 8032), with keys in
// memory. Keys elsewhere are other implementations of [evidence.Signer] and
// [evidence.Verifier].
package seal

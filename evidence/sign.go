package evidence

import (
	"context"
	"errors"
)

// Signer signs with a key in memory, in a hardware module or at a service. Signing can fail, and can block until
// ctx ends.
type Signer interface {
	// KeyID returns the id of the key for signatures.
	KeyID() string

	// Sign returns the signature over message, which encodes a payload and its type (see package seal). It must not
	// keep message.
	Sign(ctx context.Context, message []byte) (signature []byte, err error)
}

// Verifier checks signatures with one trusted key.
type Verifier interface {
	// KeyID returns the id of the key. Verifiers with the same id have the same key.
	KeyID() string

	// Verify returns nil for a valid signature and [ErrBadSignature] for an invalid one. Other errors mean that the
	// signature could not be checked.
	Verify(ctx context.Context, message, signature []byte) error
}

// ErrBadSignature is returned by a Verifier for an invalid signature.
var ErrBadSignature = errors.New("bad signature")

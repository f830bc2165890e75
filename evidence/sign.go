package evidence

import (
	"context"
	"errors"
)

// Signer signs with a key in memory, in a hardware module or at a service. Signing can block, until
// ctx ends, and fail.
type Signer interface {
	// KeyID names the key, as signatures carry it.
	KeyID() string

	// Sign returns the signature over message, which encodes a payload and its type, as in package
	// seal. It must not keep message.
	Sign(ctx context.Context, message []byte) (signature []byte, err error)
}

// Verifier checks signatures with one key that is trusted.
type Verifier interface {
	// KeyID names the key. Two verifiers with one id are one key.
	KeyID() string

	// Verify returns nil for a valid signature and [ErrBadSignature] for an invalid one. Any other error means that
	// the signature could not be checked.
	Verify(ctx context.Context, message, signature []byte) error
}

// ErrBadSignature is the answer of a Verifier that does not vouch for a message, for errors.Is.
var ErrBadSignature = errors.New("bad signature")

package evidence

import (
	"context"
	"errors"
)

// Signer signs with one key. The key may be in memory, in a hardware module or with a
// service, so that a signature can take time and can fail; ctx ends the waiting.
type Signer interface {
	// KeyID names the key, as signatures carry it.
	KeyID() string

	// Sign returns the signature over message: an encoding that binds a payload and its
	// type, as package seal makes it. It does not keep message.
	Sign(ctx context.Context, message []byte) (signature []byte, err error)
}

// Verifier checks signatures with one key that is trusted.
type Verifier interface {
	// KeyID names the key. Two verifiers with one id are one key.
	KeyID() string

	// Verify returns nil when signature is the key's over message, and [ErrBadSignature] when
	// it is not. Any other error says that there is no answer.
	Verify(ctx context.Context, message, signature []byte) error
}

// ErrBadSignature is the answer of a Verifier that does not vouch for a message, for errors.Is.
var ErrBadSignature = errors.New("bad signature")

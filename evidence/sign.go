package evidence

import (
	"context"
	"errors"
)

// Signer signs with one key. The key may be in memory, in a hardware module or with a
// service, so that a signature can take time and can fail; ctx ends the waiting.
type Signer interface {
	// KeyID names the key, as signatures carry it and a Verifier finds it.
	KeyID() string

	// Sign returns the signature over message: an encoding that binds a payload and its
	// type, as package seal makes it. It does not keep message.
	Sign(ctx context.Context, message []byte) (signature []byte, err error)
}

// Verifier checks signatures with the keys that it trusts.
type Verifier interface {
	// Verify returns nil when signature is the key's over message. Signatures may come
	// without the id of a key: keyID is "" then. An error that is
	// [ErrUnknownKey] or [ErrBadSignature] is an answer: the message is not to be
	// trusted. Any other says that there is no answer.
	Verify(ctx context.Context, keyID string, message, signature []byte) error
}

// The answers of a Verifier that does not vouch for a message, for errors.Is.
var (
	ErrUnknownKey   = errors.New("unknown key")
	ErrBadSignature = errors.New("bad signature")
)

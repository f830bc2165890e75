package seal

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/cupel-dev/cupel/evidence"
)

// Attest signs a statement with a bundle's facts and returns the envelope as a JSON line. The type is
// TreePredicateType with Facts.Tree, RedactionPredicateType with Facts.Redaction, else PredicateType; both together
// are an error. The error is the signer's, or reports an oversized attestation.
func Attest(ctx context.Context, signer evidence.Signer, facts Facts) ([]byte, error) {
	payload, err := facts.payload()
	if err != nil {
		return nil, fmt.Errorf("cannot make a statement: %w", err)
	}
	return Sign(ctx, signer, PayloadType, payload)
}

// Sign returns a payload in a signed envelope, as a JSON line. It returns an error if signing fails or the envelope
// would be too large for [Read].
func Sign(ctx context.Context, signer evidence.Signer, payloadType string, payload []byte) ([]byte, error) {
	sealer, err := dsse.NewEnvelopeSigner(dsseSigner{signer})
	if err != nil {
		return nil, err
	}
	envelope, err := sealer.SignPayload(ctx, payloadType, payload)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(envelope)
	if err == nil && len(text) >= MaxBytes {
		err = fmt.Errorf("attestation of %d bytes, the limit is %d", len(text), MaxBytes-1)
	}
	return append(text, '\n'), err
}

type dsseSigner struct{ evidence.Signer }

func (s dsseSigner) KeyID() (string, error) { return s.Signer.KeyID(), nil }

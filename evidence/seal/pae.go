package seal

import "github.com/secure-systems-lab/go-securesystemslib/dsse"

// PreAuthEncoding returns the signed bytes of a payload in DSSE version 1. They include the
// payload's media type, so a signature does not apply to the same bytes of another type.
//
//	DSSEv1 <length of the type> <type> <length of the payload> <payload>
//
// Lengths are decimal bytes.
func PreAuthEncoding(payloadType string, payload []byte) []byte {
	return dsse.PAE(payloadType, payload)
}

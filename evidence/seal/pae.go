package seal

import "github.com/secure-systems-lab/go-securesystemslib/dsse"

// PreAuthEncoding returns the bytes that are signed for a payload: those of the DSSE
// protocol, version 1. They bind the payload's type, a media type, so that a signature
// over one kind of document is none over another of the same bytes.
//
//	DSSEv1 <length of the type> <type> <length of the payload> <payload>
//
// Both lengths are decimal numbers of bytes.
func PreAuthEncoding(payloadType string, payload []byte) []byte {
	return dsse.PAE(payloadType, payload)
}

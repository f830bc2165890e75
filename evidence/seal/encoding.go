package seal

import "strconv"

// PreAuthEncoding returns the bytes that are signed for a payload: those of the DSSE
// protocol, version 1. They bind the payload's type, a media type, so that a signature
// over one kind of document is none over another of the same bytes.
//
//	DSSEv1 <length of the type> <type> <length of the payload> <payload>
//
// Both lengths are decimal numbers of bytes.
func PreAuthEncoding(payloadType string, payload []byte) []byte {
	const version = "DSSEv1"
	dst := make([]byte, 0, len(version)+len(payloadType)+len(payload)+len("  20    20 "))
	dst = strconv.AppendInt(append(dst, version+" "...), int64(len(payloadType)), 10)
	dst = append(append(dst, ' '), payloadType...)
	dst = strconv.AppendInt(append(dst, ' '), int64(len(payload)), 10)
	return append(append(dst, ' '), payload...)
}

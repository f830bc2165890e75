package session

import "github.com/cupel-dev/cupel/trace/internal/stream"

// sigState is the result of a signature check. Its values are part of the state between runs.
type sigState uint8

const (
	sigAbsent sigState = iota
	sigValid
	sigInvalid
	sigUnchecked // no key to try
	sigMissing   // the event must have one
	sigStates
)

var sigNames = [...]stream.SignatureState{stream.SignatureAbsent, stream.SignatureValid, stream.SignatureInvalid, stream.SignatureUnchecked, stream.SignatureInvalid}

func (s sigState) public() stream.SignatureState { return sigNames[s] }

package session

import "github.com/cupel-dev/cupel/trace/internal/stream"

// sigState is the result for a signature, as counted in the state between runs.
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

// public returns the state as a report names it.
func (s sigState) public() stream.SignatureState { return sigNames[s] }

package session

import "github.com/cupel-dev/cupel/trace/internal/stream"

// sigState is what became of a signature, as the state between runs counts it.
type sigState uint8

const (
	sigAbsent sigState = iota
	sigValid
	sigInvalid
	sigUnchecked
)

var sigNames = [...]stream.SignatureState{stream.SignatureAbsent, stream.SignatureValid, stream.SignatureInvalid, stream.SignatureUnchecked}

// public is the state as a report names it.
func (s sigState) public() stream.SignatureState { return sigNames[s] }

package container

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// The contract's codes that this package finds.
const (
	limitBundleBytes = "LimitBundleBytes"
	limitDecodeBytes = "LimitDecodeBytes"
	limitFileSize    = "LimitFileSize"
	limitPathLength  = "LimitPathLength"

	integrityTar  = "IntegrityTar"
	integrityIo   = "IntegrityIo"
	integrityGzip = "IntegrityGzip"

	securityPathTraversal = "SecurityPathTraversal"

	contractUnexpectedFile = "ContractUnexpectedFile"
	contractDuplicateFile  = "ContractDuplicateFile"
	contractFileOrder      = "ContractFileOrder"
)

// Fault is what is wrong with the bytes of a container. Message, Expected and Found repeat
// at most a preview of the input, quoted.
type Fault struct {
	Code  string // the contract's, such as IntegrityTar
	Class string // Integrity, Contract, Limits or Security
	Limit string // the limit that was passed, as --limits names it; else ""

	Offset int64 // in the decompressed tar stream; -1 when the fault is outside of it

	Message         string
	Expected, Found string // "" when the message says it all

	// Ambiguous says that programs read the bytes in different ways.
	Ambiguous bool

	// Final says that nothing more can be read: Next and Read return the fault again. After
	// another one, which is about one member alone, Next goes on with the next member.
	Final bool
}

func (f *Fault) Error() string {
	text := f.Message
	if f.Expected != "" {
		text += ", expected " + f.Expected
	}
	if f.Found != "" {
		text += ", found " + f.Found
	}
	return text + " [" + f.Code + "]"
}

// newFault returns a fault; its class follows from its code.
func newFault(code string, offset int64, format string, args ...any) *Fault {
	f := &Fault{Code: code, Offset: offset, Message: fmt.Sprintf(format, args...)}
	for _, class := range []string{"Integrity", "Contract", "Security"} {
		if strings.HasPrefix(code, class) {
			f.Class = class
			return f
		}
	}
	f.Class = "Limits"
	return f
}

// newLimit returns the fault of a limit of bytes that was passed.
func newLimit(code, limit string, most, offset int64, what string) *Fault {
	f := newFault(code, offset, "%s of more than %d bytes", what, most)
	f.Limit, f.Expected = limit, fmt.Sprintf("at most %d bytes", most)
	return f
}

// damage is what is wrong with the compressed data. Where it surfaces decides its code.
type damage struct{ message, expected, found string }

func (d *damage) Error() string { return d.message }

// fault is the damage under the code of the place where it surfaced.
func (d *damage) fault(code string, offset int64) *Fault {
	f := newFault(code, offset, "%s", d.message)
	f.Expected, f.Found = d.expected, d.found
	return f
}

func quoted(name []byte) string { return say.Quoted(string(name)) }

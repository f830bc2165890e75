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

// Fault is damage of a container. Message, Expected and Found contain at most a quoted preview of the input.
type Fault struct {
	Code  string // the contract's, such as IntegrityTar
	Class string // Integrity, Contract, Limits or Security
	Limit string // the limit that was passed, as --limits names it; else ""

	Offset int64 // in the decompressed tar stream; -1 when the fault is outside of it

	Message         string
	Expected, Found string // "" when the message says it all

	// Ambiguous means that programs read the bytes differently.
	Ambiguous bool

	// Final means that Next and Read return the fault again. After other faults, which concern one member, Next
	// continues.
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

// newLimit returns the fault for an exceeded size limit.
func newLimit(code, limit string, most, offset int64, what string) *Fault {
	f := newFault(code, offset, "%s of more than %d bytes", what, most)
	f.Limit, f.Expected = limit, fmt.Sprintf("at most %d bytes", most)
	return f
}

// damage is damage of compressed data. Its code depends on where it is detected.
type damage struct{ message, expected, found string }

func (d *damage) Error() string { return d.message }

// fault returns the damage with the code of the position where it was detected.
func (d *damage) fault(code string, offset int64) *Fault {
	f := newFault(code, offset, "%s", d.message)
	f.Expected, f.Found = d.expected, d.found
	return f
}

func quoted(name []byte) string { return say.Quoted(string(name)) }

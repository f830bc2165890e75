package bundle

import (
	"strconv"

	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

func missing(events uint64) string { return counted(events, "event") + " missing before this one" }

func counted(n uint64, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return strconv.FormatUint(n, 10) + " " + what + "s are"
}

// hashMissing reports whether a fault is a missing hash, which sealing adds.
func hashMissing(f envelope.Fault) bool { return f.Detail == "hash.missing" }

package bundle

import "strconv"

// missing says how many events a gap in the order is.
func missing(events uint64) string { return counted(events, "event") + " missing before this one" }

// counted is a number of things.
func counted(n uint64, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return strconv.FormatUint(n, 10) + " " + what + "s are"
}

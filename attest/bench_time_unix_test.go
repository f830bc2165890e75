//go:build unix

package attest_test

import (
	"syscall"
	"time"
)

// processTime returns the processor time that the process has taken so far: unlike the
// clock it does not count what else runs on the machine.
func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

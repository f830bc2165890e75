//go:build unix

package app

import (
	"os"
	"syscall"
)

// WriteSignals are the signals for failed writes: a closed pipe, or a file at its size limit.
var WriteSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

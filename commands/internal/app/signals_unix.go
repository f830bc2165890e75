//go:build unix

package app

import (
	"os"
	"syscall"
)

// WriteSignals are the signals sent on failed writes: a closed pipe, or the file size limit.
var WriteSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

//go:build !unix

package app

import (
	"os"
	"syscall"
)

// WriteSignals are the signals sent on failed writes.
var WriteSignals = []os.Signal{syscall.SIGPIPE}

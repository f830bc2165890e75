//go:build !unix

package app

import (
	"os"
	"syscall"
)

// WriteSignals are what the system sends to a program whose output cannot be written.
var WriteSignals = []os.Signal{syscall.SIGPIPE}

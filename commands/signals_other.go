//go:build !unix

package commands

import (
	"os"
	"syscall"
)

// writeSignals are what the system sends to a program whose output cannot be written.
var writeSignals = []os.Signal{syscall.SIGPIPE}

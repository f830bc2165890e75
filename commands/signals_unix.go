//go:build unix

package commands

import (
	"os"
	"syscall"
)

// writeSignals are what the system sends to a program whose output cannot be written: the
// other end of its pipe is closed, or its file has reached the limit on its size.
var writeSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

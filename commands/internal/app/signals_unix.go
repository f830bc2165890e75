//go:build unix

package app

import (
	"os"
	"syscall"
)

// WriteSignals are what the system sends to a program whose output cannot be written: the
// other end of its pipe is closed, or its file has reached the limit on its size.
var WriteSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

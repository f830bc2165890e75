//go:build !unix

package app

import (
	"os"
	"syscall"
)

// WriteSignals are the signals sent on failed writes: SIGPIPE, which a browser (js) has no name for.
var WriteSignals = []os.Signal{syscall.Signal(13)}

//go:build !unix && !js

package app

import (
	"os"
	"syscall"
)

// WriteSignals are the signals sent on failed writes.
var WriteSignals = []os.Signal{syscall.SIGPIPE}

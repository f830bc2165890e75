package app

import "os"

// WriteSignals are none: a browser sends no signals.
var WriteSignals []os.Signal

package door

import "syscall"

// A browser has neither pipes that block nor a terminal that hangs up.
const (
	nonBlock = 0
	hangUp   = syscall.SIGTERM
)

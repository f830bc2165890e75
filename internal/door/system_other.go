//go:build !js

package door

import "syscall"

const (
	nonBlock = syscall.O_NONBLOCK
	hangUp   = syscall.SIGHUP
)

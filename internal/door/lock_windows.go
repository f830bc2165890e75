package door

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// tryLock locks an open file until it is closed. The error is syscall.EWOULDBLOCK if another process holds the lock.
// Locked bytes cannot be read on Windows, so it locks the last possible byte.
func tryLock(f File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	last := windows.Overlapped{Offset: ^uint32(0), OffsetHigh: ^uint32(0) >> 1}
	var locked error
	err = raw.Control(func(fd uintptr) {
		locked = windows.LockFileEx(windows.Handle(fd), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &last)
	})
	switch {
	case err != nil:
		return err
	case errors.Is(locked, windows.ERROR_LOCK_VIOLATION):
		return syscall.EWOULDBLOCK
	}
	return locked
}

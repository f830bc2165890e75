//go:build unix

package door

import "syscall"

// tryLock locks an open file until it is closed. The error is syscall.EWOULDBLOCK if another process holds the lock.
func tryLock(f File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = raw.Control(func(fd uintptr) { locked = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) })
	if err != nil {
		return err
	}
	return locked
}

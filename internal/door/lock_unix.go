//go:build unix

package door

import "syscall"

// tryLock locks an open file for this process. The error is syscall.EWOULDBLOCK while another
// one holds it. The lock ends when the file is closed.
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

//go:build unix

package door

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner copies owner and group from old, if the system permits it.
func keepOwner(f File, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok && f.Chown(int(s.Uid), int(s.Gid)) != nil {
		_ = f.Chown(-1, int(s.Gid)) // only root can change owners; others can set their own groups
	}
}

func raise(s os.Signal) {
	if s, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), s)
	}
}

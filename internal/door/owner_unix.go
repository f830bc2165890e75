//go:build unix

package door

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and the group of the old one, as far as the system
// permits it.
func keepOwner(f File, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok && f.Chown(int(s.Uid), int(s.Gid)) != nil {
		_ = f.Chown(-1, int(s.Gid)) // only the superuser gives files away; a group one may be in
	}
}

// raise sends this process a signal.
func raise(s os.Signal) {
	if s, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(syscall.Getpid(), s)
	}
}

//go:build unix && !js

package door

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A process that is killed leaves its temporary files. While an Output exists, its temporary file is locked; the system
// releases the lock with the process. So a later process can tell such files from those that are in use.

// maxListed limits the names of a folder among which clean looks for temporary files.
const maxListed = 10_000

// temporaryName matches the names that createBeside gives.
var temporaryName = regexp.MustCompile(`^\.cupel-[A-Z2-7]{26}$`)

// cleaned holds the folders that this process has cleaned.
var cleaned sync.Map

// cleanOnce removes temporary files of dead processes of this user from a folder, the first time it is called for it.
// It ignores errors: such files do not matter to the caller.
func cleanOnce(folder string) {
	if _, done := cleaned.LoadOrStore(folder, nil); !done {
		clean(folder)
	}
}

func clean(folder string) {
	list, err := system.Open(folder)
	if err != nil {
		return
	}
	defer func() { _ = list.Close() }() // opened for reading: nothing can be lost
	for left := maxListed; left > 0; {
		entries, err := list.ReadDir(min(left, 1000))
		for _, e := range entries {
			if temporaryName.MatchString(e.Name()) && e.Type().IsRegular() {
				removeDead(filepath.Join(folder, e.Name()))
			}
		}
		if left -= len(entries); err == io.EOF || err != nil || len(entries) == 0 {
			return
		}
	}
}

// removeDead removes a temporary file that no process has locked.
func removeDead(name string) {
	there, err := system.Lstat(name)
	if err != nil {
		return
	}
	if s, ok := there.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Geteuid() {
		return
	}
	f, err := (&Ledger{name: name, target: name}).Read(nil)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	if isFile(f, there) && tryLock(f) == nil {
		_ = system.Remove(name) // nothing to do about an error
	}
}

// claim locks a new temporary file until free is called, even if f is closed before. free is nil if another process has
// taken the file for one that is left. Where files cannot be locked, nothing removes them either.
func claim(f File, name string) (free func(), err error) {
	if err := tryLock(f); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, nil //nolint:nilnil // the caller tries another name
		}
		return func() {}, nil
	}
	there, err := system.Lstat(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil //nolint:nilnil // the caller tries another name
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, there) {
		return nil, nil //nolint:nilnil // the caller tries another name
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	held := -1
	if failed := raw.Control(func(fd uintptr) { held, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); failed != nil || err != nil {
		return func() {}, nil // the lock ends when f is closed
	}
	return sync.OnceFunc(func() { _ = syscall.Close(held) }), nil // nothing was written through it
}

package door

import (
	"os"
	"sync"
	"syscall"
)

// realRoot is the operating system's folder.
type realRoot struct {
	*os.Root
	self *self
}

// self is the folder opened as a file, on first use.
type self struct {
	once sync.Once
	conn syscall.RawConn // nil if not available
	file *os.File
}

func newRealRoot(r *os.Root) realRoot { return realRoot{r, &self{}} }

func (r realRoot) Close() error {
	r.self.once.Do(func() {})
	if r.self.file != nil {
		_ = r.self.file.Close() // opened for reading: nothing can be lost
	}
	return r.Root.Close()
}

func (s *self) open(r *os.Root) {
	file, err := r.Open(".")
	if err != nil {
		return
	}
	s.file = file
	if conn, err := file.SyscallConn(); err == nil {
		s.conn = conn
	}
}

// small implements Folder.Small for a file directly in the folder.
func (r realRoot) small(base string, room func(size int64) []byte) (data []byte, ok bool) {
	r.self.once.Do(func() { r.self.open(r.Root) })
	if r.self.conn == nil {
		return nil, false
	}
	fd := -1
	err := r.self.conn.Control(func(dir uintptr) {
		// Like os.Root: do not block, do not follow links.
		const flags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
		if opened, err := syscall.Openat(int(dir), base, flags, 0); err == nil {
			fd = opened
		}
	})
	if fd < 0 {
		return nil, false
	}
	defer func() { _ = syscall.Close(fd) }() // opened for reading: nothing can be lost
	var stat syscall.Stat_t
	if err != nil || syscall.Fstat(fd, &stat) != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, false
	}
	if data = room(stat.Size); data == nil {
		return nil, false
	}
	n, err := syscall.Read(fd, data)
	if err != nil || int64(n) != stat.Size {
		return nil, false
	}
	return data[:n], true
}

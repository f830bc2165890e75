package commands

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// inputPipe is how many bytes the pipe on standard input is to hold. A trace of some
// megabytes stops its writer four times less often than with the usual 64 KiB, and takes
// a quarter less time. More would save more, but the system counts what the pipes of a
// user may hold together, 64 MiB, and gives short ones from then on.
const inputPipe = 256 << 10

// widenPipe lets the pipe that input reads from hold inputPipe bytes. It is a help and
// no need: other inputs, wider pipes and those that the system refuses to widen stay.
func widenPipe(input any) {
	file, ok := input.(syscall.Conn)
	if !ok {
		return
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) {
		if size, err := unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0); err == nil && size < inputPipe {
			_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, inputPipe)
		}
	})
}

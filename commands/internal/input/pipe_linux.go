package input

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// inputPipe is how many bytes the pipe on standard input should hold. With it, the writer
// of a trace of some megabytes has to wait a quarter as often as with the usual 64 KiB, and
// the trace takes a quarter less time. More would save more, but the system limits what all
// pipes of a user hold together to 64 MiB, and gives short ones beyond that.
const inputPipe = 256 << 10

// WidenPipe lets the pipe that input reads from hold inputPipe bytes. Nothing
// depends on it: other inputs, wider pipes and those that the system refuses to widen stay
// as they are.
func WidenPipe(input any) {
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

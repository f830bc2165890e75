// Package stdout knows whether the program was started with standard output closed (`>&-`).
//
// The Go runtime opens /dev/null in the place of a closed descriptor before it runs any code of a program, and that
// file looks like the /dev/null of a caller that wants no output. The package therefore looks first: its assembly
// defines the entry point of a program, asks the kernel, and goes on with the runtime's. The linker takes the first
// of two definitions if it may be a duplicate (DUPOK), and it reads the packages of a program before the runtime. If
// the linker's order changes, and on other platforms, a closed output looks like /dev/null.
package stdout

// atStart is the result of fcntl(1, F_GETFD) when the program started.
var atStart int64

// Closed reports whether the program was started with standard output closed.
func Closed() bool { return atStart == -badDescriptor }

// badDescriptor is EBADF of Linux.
const badDescriptor = 9

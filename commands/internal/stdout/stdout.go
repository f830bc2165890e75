// Package stdout detects whether the program was started with standard output closed (`>&-`).
//
// The Go runtime opens /dev/null in place of a closed descriptor before any code of a program runs, so that it
// looks like an intended /dev/null. Therefore this package's assembly defines the entry point of the program,
// checks the descriptor, and continues with the runtime's entry point. The linker takes the first of two
// definitions if duplicates are allowed (DUPOK), and it reads the packages of a program before the runtime. If the
// linker's order changes, and on other platforms, a closed output looks like /dev/null.
package stdout

// atStart is the result of fcntl(1, F_GETFD) when the program started.
var atStart int64

// Closed reports whether the program was started with standard output closed.
func Closed() bool { return atStart == -badDescriptor }

// badDescriptor is EBADF of Linux.
const badDescriptor = 9

#include "textflag.h"

// The entry point of the program: fcntl(1, F_GETFD), then the runtime's start.
TEXT _rt0_amd64_linux(SB),NOSPLIT|NOFRAME|DUPOK,$0
	MOVQ $72, AX
	MOVQ $1, DI
	MOVQ $1, SI
	SYSCALL
	MOVQ AX, ·atStart(SB)
	JMP  _rt0_amd64(SB)

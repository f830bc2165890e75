#include "textflag.h"

// The entry point of the program: fcntl(1, F_GETFD), then the runtime's start.
TEXT _rt0_arm64_linux(SB),NOSPLIT|NOFRAME|DUPOK,$0
	MOVD $25, R8
	MOVD $1, R0
	MOVD $1, R1
	SVC
	MOVD R0, ·atStart(SB)
	JMP  _rt0_arm64(SB)

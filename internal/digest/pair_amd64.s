//go:build !purego

#include "textflag.h"

// The constants of FIPS 180-4 §4.2.2, two in a word.
DATA ·constants+0(SB)/8, $0x71374491428a2f98
DATA ·constants+8(SB)/8, $0xe9b5dba5b5c0fbcf
DATA ·constants+16(SB)/8, $0x59f111f13956c25b
DATA ·constants+24(SB)/8, $0xab1c5ed5923f82a4
DATA ·constants+32(SB)/8, $0x12835b01d807aa98
DATA ·constants+40(SB)/8, $0x550c7dc3243185be
DATA ·constants+48(SB)/8, $0x80deb1fe72be5d74
DATA ·constants+56(SB)/8, $0xc19bf1749bdc06a7
DATA ·constants+64(SB)/8, $0xefbe4786e49b69c1
DATA ·constants+72(SB)/8, $0x240ca1cc0fc19dc6
DATA ·constants+80(SB)/8, $0x4a7484aa2de92c6f
DATA ·constants+88(SB)/8, $0x76f988da5cb0a9dc
DATA ·constants+96(SB)/8, $0xa831c66d983e5152
DATA ·constants+104(SB)/8, $0xbf597fc7b00327c8
DATA ·constants+112(SB)/8, $0xd5a79147c6e00bf3
DATA ·constants+120(SB)/8, $0x1429296706ca6351
DATA ·constants+128(SB)/8, $0x2e1b213827b70a85
DATA ·constants+136(SB)/8, $0x53380d134d2c6dfc
DATA ·constants+144(SB)/8, $0x766a0abb650a7354
DATA ·constants+152(SB)/8, $0x92722c8581c2c92e
DATA ·constants+160(SB)/8, $0xa81a664ba2bfe8a1
DATA ·constants+168(SB)/8, $0xc76c51a3c24b8b70
DATA ·constants+176(SB)/8, $0xd6990624d192e819
DATA ·constants+184(SB)/8, $0x106aa070f40e3585
DATA ·constants+192(SB)/8, $0x1e376c0819a4c116
DATA ·constants+200(SB)/8, $0x34b0bcb52748774c
DATA ·constants+208(SB)/8, $0x4ed8aa4a391c0cb3
DATA ·constants+216(SB)/8, $0x682e6ff35b9cca4f
DATA ·constants+224(SB)/8, $0x78a5636f748f82ee
DATA ·constants+232(SB)/8, $0x8cc7020884c87814
DATA ·constants+240(SB)/8, $0xa4506ceb90befffa
DATA ·constants+248(SB)/8, $0xc67178f2bef9a3f7
GLOBL ·constants(SB), RODATA|NOPTR, $256

// The bytes of four words of a message in the order of the processor.
DATA ·swapped+0(SB)/8, $0x0405060700010203
DATA ·swapped+8(SB)/8, $0x0c0d0e0f08090a0b
GLOBL ·swapped(SB), RODATA|NOPTR, $16

// A lane has its state in two registers, S and T, as SHA256RNDS2 wants it: the words A, B, E and F,
// and C, D, G and H. Four more, M0 to M3, hold sixteen words of the message schedule, four in each,
// and take turns: while four words are used up, the four that follow sixteen words later are made.
// The lanes are
//
//	the first   S T X1 X2    M0 to M3 X3 X4 X5 X6       message AX   state DI
//	the second  S T X7 X8    M0 to M3 X9 X10 X11 X12    message BX   state SI
//
// X0 is what SHA256RNDS2 reads the next words from, X13 and X14 are for values on their way,
// X15 has ·swapped, DX leads to ·constants, and CX counts blocks.

// LOAD reads words of the message.
#define LOAD(AT, FROM, M) \
	MOVOU  AT(FROM), M \
	PSHUFB X15, M

// ROUNDS does four rounds, t to t+3, with the words W(t) to W(t+3) in M; AT is four times t.
#define ROUNDS(AT, M, S, T) \
	MOVO         M, X0      \
	PADDL        AT(DX), X0 \
	SHA256RNDS2  X0, S, T   \
	PSHUFD       $0x0e, X0, X0 \
	SHA256RNDS2  X0, T, S

// BEGIN adds to M the σ0 of the words behind its own, the first of which M1 has: the first part of
// W(t+16) to W(t+19).
#define BEGIN(M, M1) \
	SHA256MSG1 M1, M

// COMPLETE adds to M what W(t+16) to W(t+19) lack: W(t+9) to W(t+12), which M2 and M3 have, and the σ1
// of the words before, of M3 and of those that are made.
#define COMPLETE(M, M2, M3) \
	MOVO       M3, X14     \
	PALIGNR    $4, M2, X14 \
	PADDL      X14, M      \
	SHA256MSG2 M3, M

// FIRST, NEXT, MIDDLE and LAST are four rounds of a lane and what they do for the schedule: the first
// words have nothing before them, the last ones have no words to make.
#define FIRST(AT, FROM, M, S, T) \
	LOAD(AT, FROM, M) \
	ROUNDS(AT, M, S, T)

#define NEXT(AT, FROM, M, M3, S, T) \
	LOAD(AT, FROM, M)   \
	ROUNDS(AT, M, S, T) \
	BEGIN(M3, M)

#define MIDDLE(AT, M, M1, M3, S, T) \
	ROUNDS(AT, M, S, T) \
	COMPLETE(M1, M3, M) \
	BEGIN(M3, M)

#define LAST(AT, M, M1, M3, S, T) \
	ROUNDS(AT, M, S, T) \
	COMPLETE(M1, M3, M)

// UNPACK makes S and T of a state of eight words, A to H, and PACK the state of them.
#define UNPACK(STATE, S, T) \
	MOVOU   0(STATE), X13  \
	MOVOU   16(STATE), T   \
	PSHUFD  $0xb1, X13, X13 \
	PSHUFD  $0x1b, T, T    \
	MOVO    X13, S         \
	PALIGNR $8, T, S       \
	PBLENDW $0xf0, X13, T

#define PACK(STATE, S, T) \
	PSHUFD  $0x1b, S, S    \
	PSHUFD  $0xb1, T, T    \
	MOVO    S, X13         \
	PBLENDW $0xf0, T, S    \
	PALIGNR $8, X13, T     \
	MOVOU   S, 0(STATE)    \
	MOVOU   T, 16(STATE)

#define FIRST2(AT, MA, MB) \
	FIRST(AT, AX, MA, X1, X2) \
	FIRST(AT, BX, MB, X7, X8)

#define NEXT2(AT, MA, MA3, MB, MB3) \
	NEXT(AT, AX, MA, MA3, X1, X2) \
	NEXT(AT, BX, MB, MB3, X7, X8)

#define MIDDLE2(AT, MA, MA1, MA3, MB, MB1, MB3) \
	MIDDLE(AT, MA, MA1, MA3, X1, X2) \
	MIDDLE(AT, MB, MB1, MB3, X7, X8)

#define LAST2(AT, MA, MA1, MA3, MB, MB1, MB3) \
	LAST(AT, MA, MA1, MA3, X1, X2) \
	LAST(AT, MB, MB1, MB3, X7, X8)

// func compress(a, b *[8]uint32, x, y *byte, blocks int)
TEXT ·compress(SB), NOSPLIT, $64-40
	MOVQ  a+0(FP), DI
	MOVQ  b+8(FP), SI
	MOVQ  x+16(FP), AX
	MOVQ  y+24(FP), BX
	MOVQ  blocks+32(FP), CX
	LEAQ  ·constants(SB), DX
	MOVOU ·swapped(SB), X15
	UNPACK(DI, X1, X2)
	UNPACK(SI, X7, X8)

block:
	MOVOU X1, before-64(SP)
	MOVOU X2, before-48(SP)
	MOVOU X7, before-32(SP)
	MOVOU X8, before-16(SP)

	FIRST2(0, X3, X9)
	NEXT2(16, X4, X3, X10, X9)
	NEXT2(32, X5, X4, X11, X10)
	LOAD(48, AX, X6)
	LOAD(48, BX, X12)
	MIDDLE2(48, X6, X3, X5, X12, X9, X11)
	MIDDLE2(64, X3, X4, X6, X9, X10, X12)
	MIDDLE2(80, X4, X5, X3, X10, X11, X9)
	MIDDLE2(96, X5, X6, X4, X11, X12, X10)
	MIDDLE2(112, X6, X3, X5, X12, X9, X11)
	MIDDLE2(128, X3, X4, X6, X9, X10, X12)
	MIDDLE2(144, X4, X5, X3, X10, X11, X9)
	MIDDLE2(160, X5, X6, X4, X11, X12, X10)
	MIDDLE2(176, X6, X3, X5, X12, X9, X11)
	MIDDLE2(192, X3, X4, X6, X9, X10, X12)
	LAST2(208, X4, X5, X3, X10, X11, X9)
	LAST2(224, X5, X6, X4, X11, X12, X10)
	ROUNDS(240, X6, X1, X2)
	ROUNDS(240, X12, X7, X8)

	MOVOU before-64(SP), X13
	PADDL X13, X1
	MOVOU before-48(SP), X13
	PADDL X13, X2
	MOVOU before-32(SP), X13
	PADDL X13, X7
	MOVOU before-16(SP), X13
	PADDL X13, X8

	ADDQ $64, AX
	ADDQ $64, BX
	DECQ CX
	JNZ  block

	PACK(DI, X1, X2)
	PACK(SI, X7, X8)
	RET

// func hasExtensions() bool
TEXT ·hasExtensions(SB), NOSPLIT, $0-1
	MOVB  $0, ret+0(FP)
	XORL  AX, AX
	CPUID
	CMPL  AX, $7
	JLT   done
	MOVL  $1, AX
	CPUID
	ANDL  $0x00080200, CX // SSE4.1, SSSE3
	CMPL  CX, $0x00080200
	JNE   done
	MOVL  $7, AX
	XORL  CX, CX
	CPUID
	SHRL  $29, BX         // SHA
	ANDL  $1, BX
	MOVB  BX, ret+0(FP)

done:
	RET

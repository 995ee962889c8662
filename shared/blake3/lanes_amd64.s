#include "textflag.h"

// A vector holds one word of each of sixteen lanes, which hash a chunk or a
// parent each. Z0 to Z15 are the state, v0 to v15 in the specification, and Z16
// to Z31 the words of the lanes' blocks. Between blocks the state's first half is
// the chaining value.

DATA initial<>+0(SB)/4, $0x6a09e667
DATA initial<>+4(SB)/4, $0xbb67ae85
DATA initial<>+8(SB)/4, $0x3c6ef372
DATA initial<>+12(SB)/4, $0xa54ff53a
DATA initial<>+16(SB)/4, $0x510e527f
DATA initial<>+20(SB)/4, $0x9b05688c
DATA initial<>+24(SB)/4, $0x1f83d9ab
DATA initial<>+28(SB)/4, $0x5be0cd19
GLOBL initial<>(SB), RODATA|NOPTR, $32

// The counters of parents.
GLOBL zeros<>(SB), RODATA|NOPTR, $128

// HALF is one half of the function G, for four columns or diagonals.
#define HALF(a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, m0, m1, m2, m3, r0, r1) \
	VPADDD m0, a0, a0; VPADDD m1, a1, a1; VPADDD m2, a2, a2; VPADDD m3, a3, a3 \
	VPADDD b0, a0, a0; VPADDD b1, a1, a1; VPADDD b2, a2, a2; VPADDD b3, a3, a3 \
	VPXORD a0, d0, d0; VPXORD a1, d1, d1; VPXORD a2, d2, d2; VPXORD a3, d3, d3 \
	VPRORD r0, d0, d0; VPRORD r0, d1, d1; VPRORD r0, d2, d2; VPRORD r0, d3, d3 \
	VPADDD d0, c0, c0; VPADDD d1, c1, c1; VPADDD d2, c2, c2; VPADDD d3, c3, c3 \
	VPXORD c0, b0, b0; VPXORD c1, b1, b1; VPXORD c2, b2, b2; VPXORD c3, b3, b3 \
	VPRORD r1, b0, b0; VPRORD r1, b1, b1; VPRORD r1, b2, b2; VPRORD r1, b3, b3

#define COLUMNS(m0, m1, m2, m3, r0, r1) \
	HALF(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15, m0, m1, m2, m3, r0, r1)

#define DIAGONALS(m0, m1, m2, m3, r0, r1) \
	HALF(Z0, Z1, Z2, Z3, Z5, Z6, Z7, Z4, Z10, Z11, Z8, Z9, Z15, Z12, Z13, Z14, m0, m1, m2, m3, r0, r1)

#define ROUND(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15) \
	COLUMNS(m0, m2, m4, m6, $16, $12)      \
	COLUMNS(m1, m3, m5, m7, $8, $7)        \
	DIAGONALS(m8, m10, m12, m14, $16, $12) \
	DIAGONALS(m9, m11, m13, m15, $8, $7)

// TURN makes vectors of four lanes' words, 0, 4, 8 and 12 in the first, of four
// lanes with a word after the other. It uses Z12 to Z15.
#define TURN(r0, r1, r2, r3, w0, w1, w2, w3) \
	VPUNPCKLDQ  r1, r0, Z12  \
	VPUNPCKHDQ  r1, r0, Z13  \
	VPUNPCKLDQ  r3, r2, Z14  \
	VPUNPCKHDQ  r3, r2, Z15  \
	VPUNPCKLQDQ Z14, Z12, w0 \
	VPUNPCKHQDQ Z14, Z12, w1 \
	VPUNPCKLQDQ Z15, Z13, w2 \
	VPUNPCKHQDQ Z15, Z13, w3

// LOAD loads the blocks of the next four lanes, and turns them.
#define LOAD(w0, w1, w2, w3) \
	VMOVDQU32 (R10), Z8        \
	VMOVDQU32 (R10)(R8*1), Z9  \
	VMOVDQU32 (R10)(R8*2), Z10 \
	VMOVDQU32 (R10)(R9*1), Z11 \
	LEAQ      (R10)(R8*4), R10 \
	TURN(Z8, Z9, Z10, Z11, w0, w1, w2, w3)

// GATHER makes vectors with one word of all lanes each of four that TURN made of
// four lanes each. It uses Z8 to Z11.
#define GATHER(w0, w1, w2, w3) \
	VSHUFI32X4 $0x88, w1, w0, Z8  \
	VSHUFI32X4 $0xdd, w1, w0, Z9  \
	VSHUFI32X4 $0x88, w3, w2, Z10 \
	VSHUFI32X4 $0xdd, w3, w2, Z11 \
	VSHUFI32X4 $0x88, Z10, Z8, w0 \
	VSHUFI32X4 $0x88, Z11, Z9, w1 \
	VSHUFI32X4 $0xdd, Z10, Z8, w2 \
	VSHUFI32X4 $0xdd, Z11, Z9, w3

// STORE stores the chaining values of four lanes.
#define STORE(n, to) \
	VEXTRACTI32X4 n, Z16, (to+0)(DI)  \
	VEXTRACTI32X4 n, Z20, (to+16)(DI) \
	VEXTRACTI32X4 n, Z17, (to+32)(DI) \
	VEXTRACTI32X4 n, Z21, (to+48)(DI) \
	VEXTRACTI32X4 n, Z18, (to+64)(DI) \
	VEXTRACTI32X4 n, Z22, (to+80)(DI) \
	VEXTRACTI32X4 n, Z19, (to+96)(DI) \
	VEXTRACTI32X4 n, Z23, (to+112)(DI)

// func hashChunks(values *[lanes]value, chunks *[lanes * ChunkBytes]byte, counters *[2][lanes]uint32)
TEXT ·hashChunks(SB), NOSPLIT, $0-24
	MOVQ values+0(FP), DI
	MOVQ chunks+8(FP), SI
	MOVQ counters+16(FP), DX
	MOVQ $1024, R8
	MOVQ $16, CX
	MOVL $1, AX              // the first block is the chunk's start
	MOVL $2, BX              // and the last its end
	JMP  hash<>(SB)

// func hashParents(values *[lanes]value, children *[2 * lanes]value)
TEXT ·hashParents(SB), NOSPLIT, $0-16
	MOVQ values+0(FP), DI
	MOVQ children+8(FP), SI
	LEAQ zeros<>(SB), DX
	MOVQ $64, R8
	MOVQ $1, CX
	MOVL $4, AX              // a parent
	XORL BX, BX
	JMP  hash<>(SB)

// hash hashes at SI, for each lane R8 bytes behind the one before, CX blocks
// with the counters at DX. The first block has the flags AX, the last also BX.
// The chaining values go to DI.
TEXT hash<>(SB), NOSPLIT, $0-0
	LEAQ (R8)(R8*2), R9
	MOVL $64, R11            // bytes in a block
	VPBROADCASTD initial<>+0(SB), Z0
	VPBROADCASTD initial<>+4(SB), Z1
	VPBROADCASTD initial<>+8(SB), Z2
	VPBROADCASTD initial<>+12(SB), Z3
	VPBROADCASTD initial<>+16(SB), Z4
	VPBROADCASTD initial<>+20(SB), Z5
	VPBROADCASTD initial<>+24(SB), Z6
	VPBROADCASTD initial<>+28(SB), Z7

block:
	MOVQ SI, R10
	ADDQ $64, SI
	LOAD(Z16, Z17, Z18, Z19)
	LOAD(Z20, Z21, Z22, Z23)
	LOAD(Z24, Z25, Z26, Z27)
	LOAD(Z28, Z29, Z30, Z31)
	GATHER(Z16, Z20, Z24, Z28)
	GATHER(Z17, Z21, Z25, Z29)
	GATHER(Z18, Z22, Z26, Z30)
	GATHER(Z19, Z23, Z27, Z31)

	CMPQ CX, $1
	JNE  state
	ORL  BX, AX

state:
	VPBROADCASTD initial<>+0(SB), Z8
	VPBROADCASTD initial<>+4(SB), Z9
	VPBROADCASTD initial<>+8(SB), Z10
	VPBROADCASTD initial<>+12(SB), Z11
	VMOVDQU32    (DX), Z12
	VMOVDQU32    64(DX), Z13
	VPBROADCASTD R11, Z14
	VPBROADCASTD AX, Z15
	XORL         AX, AX

	// The words change places from round to round as the specification's table 2 says.
	ROUND(Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31)
	ROUND(Z18, Z22, Z19, Z26, Z23, Z16, Z20, Z29, Z17, Z27, Z28, Z21, Z25, Z30, Z31, Z24)
	ROUND(Z19, Z20, Z26, Z28, Z29, Z18, Z23, Z30, Z22, Z21, Z25, Z16, Z27, Z31, Z24, Z17)
	ROUND(Z26, Z23, Z28, Z25, Z30, Z19, Z29, Z31, Z20, Z16, Z27, Z18, Z21, Z24, Z17, Z22)
	ROUND(Z28, Z29, Z25, Z27, Z31, Z26, Z30, Z24, Z23, Z18, Z21, Z19, Z16, Z17, Z22, Z20)
	ROUND(Z25, Z30, Z27, Z21, Z24, Z28, Z31, Z17, Z29, Z19, Z16, Z26, Z18, Z22, Z20, Z23)
	ROUND(Z27, Z31, Z21, Z16, Z17, Z25, Z24, Z22, Z30, Z26, Z18, Z28, Z19, Z20, Z23, Z29)

	VPXORD Z8, Z0, Z0
	VPXORD Z9, Z1, Z1
	VPXORD Z10, Z2, Z2
	VPXORD Z11, Z3, Z3
	VPXORD Z12, Z4, Z4
	VPXORD Z13, Z5, Z5
	VPXORD Z14, Z6, Z6
	VPXORD Z15, Z7, Z7
	DECQ   CX
	JNZ    block

	TURN(Z0, Z1, Z2, Z3, Z16, Z17, Z18, Z19)
	TURN(Z4, Z5, Z6, Z7, Z20, Z21, Z22, Z23)
	STORE($0, 0)
	STORE($1, 128)
	STORE($2, 256)
	STORE($3, 384)
	VZEROUPPER
	RET

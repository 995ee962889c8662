#include "textflag.h"
#include "go_asm.h"

// Both functions keep in AX, BX, CX and DX the delimiters, line ends, carriage
// returns and quotes of a stride, a bit for each byte, and end with its
// delimiters that are not quoted in AX. R8 is the place behind the stride's
// first byte, R9 the faults, and from R10 to R13 are inside, start, closed and
// returned: the names are those of quoting.delimiters. SI is where the stride
// begins, DI where its starts go.

// BEGIN loads what the arguments say. It leaves q in AX.
#define BEGIN \
	MOVQ text_base+0(FP), SI       \
	MOVQ text_len+8(FP), BX        \
	ADDQ SI, BX                    \
	MOVQ BX, end-8(SP)             \
	MOVQ starts_base+24(FP), DI    \
	MOVQ base+48(FP), R8           \
	INCQ R8                        \
	MOVQ q+56(FP), AX              \
	MOVQ quoting_inside(AX), R10   \
	MOVQ quoting_start(AX), R11    \
	MOVQ quoting_closed(AX), R12   \
	MOVQ quoting_returned(AX), R13 \
	MOVQ quoting_faults(AX), R9    \
	MOVQ quoting_records(AX), BX   \
	MOVQ BX, records-16(SP)

// END stores what BEGIN has loaded, and what BX has of faults.
#define END \
	ORQ  R9, BX                    \
	MOVQ q+56(FP), AX              \
	MOVQ BX, quoting_faults(AX)    \
	MOVQ records-16(SP), BX        \
	MOVQ BX, quoting_records(AX)   \
	MOVQ R10, quoting_inside(AX)   \
	MOVQ R11, quoting_start(AX)    \
	MOVQ R12, quoting_closed(AX)   \
	MOVQ R13, quoting_returned(AX) \
	SUBQ starts_base+24(FP), DI    \
	SHRQ $2, DI                    \
	MOVQ DI, found+64(FP)          \
	VZEROUPPER                     \
	RET

// ANYQUOTED is not zero where quotes mean something for a stride: most text has
// none.
#define ANYQUOTED \
	MOVQ DX, R15  \
	ORQ  R10, R15 \
	ORQ  R12, R15

// QUOTED takes the quotes for what they mean. A product without carries by all
// ones, which X13 has, is the prefix xor.
#define QUOTED \
	VMOVQ      DX, X2           \
	VPCLMULQDQ $0, X13, X2, X2  \
	VMOVQ      X2, R15          \
	XORQ       R10, R15         \
	MOVQ       R15, R10         \
	SARQ       $63, R10         \
	ORQ        BX, AX           \
	ANDNQ      AX, R15, AX      \
	ANDNQ      CX, R15, CX      \
	ANDNQ      DX, R15, R14     \
	ANDQ       R15, DX          \
	ANDQ       AX, BX           \
	LEAQ       (R12)(R14*2), R15 \
	ANDNQ      R15, AX, R15     \
	ANDNQ      R15, CX, R15     \
	ANDNQ      R15, DX, R15     \
	ORQ        R15, R9          \
	MOVQ       R14, R12         \
	SHRQ       $63, R12         \
	ORQ        AX, R14          \
	LEAQ       (R11)(R14*2), R15 \
	ANDNQ      DX, R15, R15     \
	ORQ        R15, R9          \
	MOVQ       R14, R11         \
	SHRQ       $63, R11

// UNQUOTED is QUOTED for a stride without any.
#define UNQUOTED \
	ORQ  BX, AX  \
	MOVQ AX, R11 \
	SHRQ $63, R11

// LINES notes what follows a carriage return that is no line end, and counts
// the records. It makes BX the number of delimiters.
#define LINES \
	LEAQ    (R13)(CX*2), R15    \
	ANDNQ   R15, BX, R15        \
	ORQ     R15, R9             \
	MOVQ    CX, R13             \
	SHRQ    $63, R13            \
	POPCNTQ BX, BX              \
	ADDQ    BX, records-16(SP)  \
	POPCNTQ AX, BX

// DELIMITERS makes AX the delimiters that are not quoted, and BX their number.
#define DELIMITERS \
	ANYQUOTED \
	JZ  unquoted \
	QUOTED \
	JMP lines \
unquoted: \
	UNQUOTED \
lines: \
	LINES

// MARK sets a bit of to for each byte of the stride in Y0 and Y1 that is the
// one that fills b. It uses R14.
#define MARK(b, to) \
	VPCMPEQB  b, Y0, Y2   \
	VPCMPEQB  b, Y1, Y3   \
	VPMOVMSKB Y2, to      \
	VPMOVMSKB Y3, R14     \
	SHLQ      $32, R14    \
	ORQ       R14, to

// START writes where the field begins behind the first delimiter of AX, and
// takes that delimiter away.
#define START(i) \
	TZCNTQ AX, DX        \
	BLSRQ  AX, AX        \
	ADDL   R8, DX        \
	MOVL   DX, (4*i)(CX)

// func scanAVX2(text []byte, starts []uint32, base int, q *quoting) (found int)
TEXT ·scanAVX2(SB), NOSPLIT, $16-72
	BEGIN
	VPBROADCASTB (quoting_marked+marked_delimiter)(AX), Y8
	VPBROADCASTB (quoting_marked+marked_lineEnd)(AX), Y9
	VPBROADCASTB (quoting_marked+marked_before)(AX), Y10
	VPBROADCASTB (quoting_marked+marked_quote)(AX), Y11
	VPXOR        Y12, Y12, Y12
	VPCMPEQB     Y13, Y13, Y13 // all ones
	VMOVDQA      Y13, Y14      // the least of each byte that was read
	VPXOR        Y15, Y15, Y15 // the bits that were set in each
	JMP          check

stride:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPMINUB Y0, Y14, Y14
	VPMINUB Y1, Y14, Y14
	VPOR    Y0, Y15, Y15
	VPOR    Y1, Y15, Y15
	MARK(Y8, AX)
	MARK(Y9, BX)
	MARK(Y10, CX)
	MARK(Y11, DX)
	DELIMITERS

	// The starts go on in steps of five, whose number is more regular than
	// theirs; what is written too much is overwritten.
	MOVQ    DI, CX
	LEAQ    (DI)(BX*4), DI
	TESTQ   AX, AX
	JZ      next

five:
	START(0)
	START(1)
	START(2)
	START(3)
	START(4)
	ADDQ  $20, CX
	TESTQ AX, AX
	JNZ   five

next:
	ADDQ $64, R8
	ADDQ $64, SI

check:
	CMPQ SI, end-8(SP)
	JB   stride

	VPMOVMSKB Y15, BX
	MOVQ      q+56(FP), AX
	ORQ       BX, quoting_beyond(AX)
	VPCMPEQB  Y12, Y14, Y14 // NULs
	VPMOVMSKB Y14, BX
	END

// The numbers of a stride's bytes.
DATA numbers<>+0(SB)/8, $0x0706050403020100
DATA numbers<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA numbers<>+16(SB)/8, $0x1716151413121110
DATA numbers<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA numbers<>+32(SB)/8, $0x2726252423222120
DATA numbers<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA numbers<>+48(SB)/8, $0x3736353433323130
DATA numbers<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL numbers<>(SB), RODATA|NOPTR, $64

// STARTS writes sixteen starts at to, of the delimiters whose numbers X has.
#define STARTS(X, to) \
	VPMOVZXBD X, Z3          \
	VPADDD    Z2, Z3, Z3     \
	VMOVDQU32 Z3, to

// func scanAVX512(text []byte, starts []uint32, base int, q *quoting) (found int)
TEXT ·scanAVX512(SB), NOSPLIT, $16-72
	BEGIN
	VPBROADCASTB (quoting_marked+marked_delimiter)(AX), Z8
	VPBROADCASTB (quoting_marked+marked_lineEnd)(AX), Z9
	VPBROADCASTB (quoting_marked+marked_before)(AX), Z10
	VPBROADCASTB (quoting_marked+marked_quote)(AX), Z11
	VMOVDQU64    numbers<>(SB), Z12
	VPTERNLOGD   $0xff, Z13, Z13, Z13 // all ones
	VMOVDQA64    Z13, Z14             // the least of each byte that was read
	VPXORQ       Z15, Z15, Z15        // the bits that were set in each
	JMP          check

stride:
	VMOVDQU64 (SI), Z0
	VPMINUB   Z0, Z14, Z14
	VPORQ     Z0, Z15, Z15
	VPCMPEQB  Z8, Z0, K1
	VPCMPEQB  Z9, Z0, K2
	VPCMPEQB  Z10, Z0, K3
	VPCMPEQB  Z11, Z0, K4
	KMOVQ     K1, AX
	KMOVQ     K2, BX
	KMOVQ     K3, CX
	KMOVQ     K4, DX
	DELIMITERS

	// Sixteen starts at once, and few strides have more; what is written too
	// much is overwritten.
	KMOVQ         AX, K1
	VPCOMPRESSB.Z Z12, K1, Z1 // the delimiters' numbers
	VPBROADCASTD  R8, Z2
	STARTS(X1, (DI))
	CMPQ          BX, $16
	JHI           more

next:
	LEAQ (DI)(BX*4), DI
	ADDQ $64, R8
	ADDQ $64, SI

check:
	CMPQ SI, end-8(SP)
	JB   stride

	VPMOVB2M  Z15, K1
	KMOVQ     K1, BX
	MOVQ      q+56(FP), AX
	ORQ       BX, quoting_beyond(AX)
	VPTESTNMB Z14, Z14, K1 // NULs
	KMOVQ     K1, BX
	END

more:
	VEXTRACTI32X4 $1, Z1, X3
	STARTS(X3, 64(DI))
	VEXTRACTI32X4 $2, Z1, X3
	STARTS(X3, 128(DI))
	VEXTRACTI32X4 $3, Z1, X3
	STARTS(X3, 192(DI))
	JMP next

#include "textflag.h"
#include "go_asm.h"

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
//
// The names in the comments are those of quoting.delimiters.
TEXT ·scanAVX2(SB), NOSPLIT, $16-72
	MOVQ         text_base+0(FP), SI
	MOVQ         text_len+8(FP), BX
	ADDQ         SI, BX
	MOVQ         BX, end-8(SP)
	MOVQ         starts_base+24(FP), DI
	MOVQ         base+48(FP), R8
	MOVQ         q+56(FP), AX
	MOVQ         quoting_inside(AX), R10
	MOVQ         quoting_start(AX), R11
	MOVQ         quoting_closed(AX), R12
	MOVQ         quoting_returned(AX), R13
	MOVQ         quoting_faults(AX), R9
	MOVQ         quoting_records(AX), BX
	MOVQ         BX, records-16(SP)
	INCQ         R8
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
	MARK(Y8, AX)           // delimiters
	MARK(Y9, BX)           // line ends
	MARK(Y10, CX)          // returns
	MARK(Y11, DX)          // quotes
	MOVQ DX, R15
	ORQ  R10, R15
	ORQ  R12, R15
	JZ   unquoted          // and most text is
	// A product without carries by all ones is the prefix xor.
	VMOVQ      DX, X2
	VPCLMULQDQ $0, X13, X2, X2
	VMOVQ      X2, R15
	XORQ       R10, R15      // inside
	MOVQ       R15, R10
	SARQ       $63, R10
	ORQ        BX, AX
	ANDNQ      AX, R15, AX   // delimiters
	ANDNQ      CX, R15, CX   // returns
	ANDNQ      DX, R15, R14  // closes
	ANDQ       R15, DX       // opens
	ANDQ       AX, BX        // the line ends of delimiters

	LEAQ  (R12)(R14*2), R15  // what follows a quote that closes
	ANDNQ R15, AX, R15
	ANDNQ R15, CX, R15
	ANDNQ R15, DX, R15
	ORQ   R15, R9
	MOVQ  R14, R12
	SHRQ  $63, R12
	ORQ   AX, R14            // starts
	LEAQ  (R11)(R14*2), R15  // where a quote may open
	ANDNQ DX, R15, R15
	ORQ   R15, R9
	MOVQ  R14, R11
	SHRQ  $63, R11
	JMP   returns

unquoted:
	ORQ  BX, AX              // delimiters
	MOVQ AX, R11
	SHRQ $63, R11

returns:
	LEAQ  (R13)(CX*2), R15   // what follows a carriage return
	ANDNQ R15, BX, R15
	ORQ   R15, R9
	MOVQ  CX, R13
	SHRQ  $63, R13
	POPCNTQ BX, BX
	ADDQ  BX, records-16(SP)

	// The starts go on in steps of five, whose number is more regular than
	// theirs; what is written too much is overwritten.
	POPCNTQ AX, BX
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

	VPCMPEQB  Y12, Y14, Y14 // NULs
	VPMOVMSKB Y14, BX
	ORQ       R9, BX
	MOVQ      q+56(FP), AX
	MOVQ      BX, quoting_faults(AX)
	VPMOVMSKB Y15, BX
	ORQ       BX, quoting_beyond(AX)
	MOVQ      records-16(SP), BX
	MOVQ      BX, quoting_records(AX)
	MOVQ      R10, quoting_inside(AX)
	MOVQ      R11, quoting_start(AX)
	MOVQ      R12, quoting_closed(AX)
	MOVQ      R13, quoting_returned(AX)
	SUBQ      starts_base+24(FP), DI
	SHRQ      $2, DI
	MOVQ      DI, found+64(FP)
	VZEROUPPER
	RET

#include "textflag.h"
#include "go_asm.h"

DATA comma<>+0(SB)/1, $','
GLOBL comma<>(SB), RODATA|NOPTR, $1
DATA newline<>+0(SB)/1, $'\n'
GLOBL newline<>(SB), RODATA|NOPTR, $1
DATA return<>+0(SB)/1, $'\r'
GLOBL return<>(SB), RODATA|NOPTR, $1
DATA quote<>+0(SB)/1, $'"'
GLOBL quote<>(SB), RODATA|NOPTR, $1

// MARK stores a bit for each byte of Y0 and Y1 that equals those of Y2.
#define MARK(to) \
	VPCMPEQB  Y2, Y0, Y3 \
	VPCMPEQB  Y2, Y1, Y4 \
	VPMOVMSKB Y3, AX     \
	VPMOVMSKB Y4, BX     \
	SHLQ      $32, BX    \
	ORQ       BX, AX     \
	MOVQ      AX, to

// func classifyAVX2(text *[stride]byte, m *marks)
TEXT ·classifyAVX2(SB), NOSPLIT, $0-16
	MOVQ         text+0(FP), SI
	MOVQ         m+8(FP), DI
	VMOVDQU      (SI), Y0
	VMOVDQU      32(SI), Y1
	VPBROADCASTB comma<>(SB), Y2
	MARK(marks_commas(DI))
	VPBROADCASTB newline<>(SB), Y2
	MARK(marks_newlines(DI))
	VPBROADCASTB return<>(SB), Y2
	MARK(marks_returns(DI))
	VPBROADCASTB quote<>(SB), Y2
	MARK(marks_quotes(DI))
	VPXOR        Y2, Y2, Y2
	MARK(marks_nuls(DI))
	VZEROUPPER
	RET

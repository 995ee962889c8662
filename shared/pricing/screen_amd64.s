#include "textflag.h"
#include "go_asm.h"

// FIELD finds the field of a needed column: where it begins in CX, its size in
// R11. It uses AX.
#define FIELD(column) \
	MOVQ (column+needed_start)(R8), AX   \
	MOVL (SI)(AX*1), CX                  \
	MOVL 4(SI)(AX*1), R11                \
	SUBQ (column+needed_behind)(R8), R11 \
	SUBQ CX, R11

// LOW makes AX the number of bits that a field of R11 bytes takes of a word.
#define LOW \
	MOVL    $8, AX  \
	CMPQ    R11, AX \
	CMOVQLT R11, AX \
	SHLL    $3, AX

// NAME looks at the beginning of a name and at its size. It uses AX.
#define NAME \
	MOVBLZX (BX)(CX*1), AX      \
	MOVBLZX (R14)(AX*1), AX     \
	ORQ     AX, R15             \
	MOVQ    screen_longest(R8), AX \
	SUBQ    R11, AX             \
	SARQ    $63, AX             \
	ORQ     AX, R15

// ENDS finds the ends of a name in CX and DX, and looks whether they are of the
// bytes allowed. It uses AX.
#define ENDS \
	LOW                         \
	XORL    DX, DX              \
	SUBQ    $8, R11             \
	CMOVQGT R11, DX             \
	ADDQ    $8, R11             \
	ADDQ    CX, DX              \
	MOVQ    (BX)(CX*1), CX      \
	MOVQ    (BX)(DX*1), DX      \
	BZHIQ   AX, CX, CX          \
	BZHIQ   AX, DX, DX          \
	MOVQ    CX, AX              \
	ORQ     DX, AX              \
	ANDQ    screen_beyond(R8), AX \
	ORQ     AX, R15

// HELD looks up in the Bloom filter that R12 points to the sketch of a name of
// R11 bytes whose ends are in CX and DX. It uses AX.
#define HELD \
	XORQ  R11, CX               \
	IMULQ R13, CX               \
	XORQ  DX, CX                \
	MOVQ  CX, AX                \
	SHRQ  $32, AX               \
	XORQ  AX, CX                \
	IMULQ R13, CX               \
	MOVQ  CX, AX                \
	SHRQ  $32, AX               \
	ANDQ  bloom_mask(R12), AX   \
	MOVQ  bloom_words(R12), DX  \
	MOVQ  (DX)(AX*8), AX        \
	BTQ   CX, AX                \
	SBBQ  AX, AX                \
	ORQ   AX, R15

// func screenBMI2(s *screen, block []byte, starts, notable []uint32) (found int)
//
// R15 is not zero once a row needs a closer look.
TEXT ·screenBMI2(SB), NOSPLIT, $8-88
	MOVQ s+0(FP), R8
	MOVQ block_base+8(FP), BX
	MOVQ starts_base+32(FP), SI
	MOVQ starts_len+40(FP), DX
	LEAQ (SI)(DX*4), DX
	SUBQ screen_record(R8), DX
	MOVQ DX, end-8(SP)         // the last record's starts are before
	MOVQ notable_base+56(FP), DI
	XORL R9, R9                // the row
	LEAQ ·oddStarts(SB), R14
	MOVQ $const_hashFactor, R13
	JMP  check

row:
	MOVQ    screen_record(R8), AX
	MOVL    (SI)(AX*1), CX
	MOVWLZX -2(BX)(CX*1), R15
	XORL    $0x0a0d, R15
	SUBQ    screen_ending(R8), R15
	CMPQ    R15, screen_endings(R8)
	SBBQ    R15, R15
	INCQ    R15

	FIELD(screen_sku)
	NAME
	MOVQ  screen_skus(R8), R12
	MOVQ  screen_beyond(R8), AX
	ORQ   R12, AX
	JZ    category
	ENDS
	TESTQ R12, R12
	JZ    category
	HELD

category:
	FIELD(screen_category)
	NAME
	MOVQ screen_categories(R8), R12
	ENDS
	HELD

	FIELD(screen_stock) // as parseStock
	MOVQ  (BX)(CX*1), CX
	LOW
	BZHIQ AX, CX, CX
	MOVQ  $(0x40*const_everyByte), AX
	ANDQ  CX, AX
	SHRQ  $1, AX
	ORQ   AX, CX
	MOVQ  $const_stockHash, AX
	IMULQ CX, AX
	SHRQ  $61, AX
	SHLQ  $4, AX
	LEAQ  ·stockTable(SB), DX
	XORQ  (DX)(AX*1), CX
	ORQ   CX, R15

	FIELD(screen_price) // as parseShort
	LEAQ  -1(R11), DX
	CMPQ  DX, $8
	SBBQ  DX, DX
	INCQ  DX
	ORQ   DX, R15
	MOVQ  (BX)(CX*1), AX
	MOVQ  $(0x30*const_everyByte), DX
	XORQ  DX, AX
	NEGQ  R11
	SHLL  $3, R11
	ANDL  $63, R11
	SHLXQ R11, AX, AX
	MOVQ  $(0x76*const_everyByte), DX
	ADDQ  AX, DX
	ORQ   AX, DX
	MOVQ  $const_highBits, CX
	ANDQ  CX, DX
	JZ    note               // digits and nothing else
	BLSRQ DX, CX
	ORQ   CX, R15            // more than one that is none
	TZCNTQ DX, CX
	SUBQ  $7, CX
	SHRXQ CX, AX, AX
	XORL  $('.'^'0'), AX
	MOVBLZX AX, AX
	ORQ   AX, R15            // and no point
	CMPQ  CX, R11
	SETEQ AX
	ORQ   AX, R15            // in front
	CMPQ  CX, $56
	SETEQ AX
	ORQ   AX, R15            // at the end

note:
	MOVL  R9, (DI)
	XORL  AX, AX
	TESTQ R15, R15
	SETNE AX
	LEAQ  (DI)(AX*4), DI
	ADDQ  screen_record(R8), SI
	INCQ  R9

check:
	CMPQ SI, end-8(SP)
	JB   row

	SUBQ notable_base+56(FP), DI
	SHRQ $2, DI
	MOVQ DI, found+80(FP)
	RET

#include "textflag.h"
#include "go_asm.h"

DATA rows<>+0(SB)/8, $0x0000000100000000
DATA rows<>+8(SB)/8, $0x0000000300000002
DATA rows<>+16(SB)/8, $0x0000000500000004
DATA rows<>+24(SB)/8, $0x0000000700000006
GLOBL rows<>(SB), RODATA|NOPTR, $32

// Eight rows are screened at a time, one in each lane of a vector. R14 points to
// what is said of a column, R15 is how many are left of its kind. AX points to
// where the first row's field begins and R12 to where the fifth's does; R9 is
// how far it is from there to the next row's, and R10 is three times R9.
#define COLUMN \
	MOVQ needed_start(R14), AX \
	ADDQ SI, AX                \
	LEAQ (AX)(R9*4), R12

// PAIRS makes Y where the fields of four rows begin and where what follows them
// does. It uses X5.
#define PAIRS(from, X, Y) \
	VMOVQ       (from), X                 \
	VPINSRQ     $1, (from)(R9*1), X, X    \
	VMOVQ       (from)(R9*2), X5          \
	VPINSRQ     $1, (from)(R10*1), X5, X5 \
	VINSERTI128 $1, X5, Y, Y

// SIZES makes Z0 the sizes of a column's fields, and Z1 the number of bits that
// eight bytes have more than the field.
#define SIZES \
	PAIRS(AX, X0, Y0)                        \
	PAIRS(R12, X1, Y1)                       \
	VINSERTI64X4 $1, Y1, Z0, Z0              \
	VPSRLQ       $32, Z0, Z1                 \
	VPSUBD       Z0, Z1, Z0                  \
	VPSUBD.BCST  needed_behind(R14), Z0, Z0  \
	VPANDQ       Z23, Z0, Z0                 \
	BITS

#define BITS \
	VPMINUQ Z29, Z0, Z1 \
	VPSLLQ  $3, Z1, Z1  \
	VPSUBQ  Z1, Z30, Z1

// FOURWORDS makes Y the eight bytes from each of four starts on, where offset
// is that of the starts from rows, and at that of the bytes from base. It uses
// CX, DX and X5.
#define FOURWORDS(offset, rows, at, base, X, Y) \
	MOVL        offset(rows), CX           \
	MOVL        offset(rows)(R9*1), DX     \
	VMOVQ       at(base)(CX*1), X          \
	VPINSRQ     $1, at(base)(DX*1), X, X   \
	MOVL        offset(rows)(R9*2), CX     \
	MOVL        offset(rows)(R10*1), DX    \
	VMOVQ       at(base)(CX*1), X5         \
	VPINSRQ     $1, at(base)(DX*1), X5, X5 \
	VINSERTI128 $1, X5, Y, Y

// WORDS is FOURWORDS of all eight rows. It uses X6 too.
#define WORDS(offset, at, base, X, Y, Z) \
	FOURWORDS(offset, AX, at, base, X, Y)    \
	FOURWORDS(offset, R12, at, base, X6, Y6) \
	VINSERTI64X4 $1, Y6, Z, Z

// FIRST makes Z3 the first eight bytes of a column's fields and of what follows
// them.
#define FIRST WORDS(0, 0, BX, X3, Y3, Z3)

// LAST makes Z4 the last eight bytes of a column's fields and of what is
// before them.
#define LAST \
	MOVQ BX, R11                 \
	SUBQ needed_behind(R14), R11 \
	WORDS(4, -8, R11, X4, Y4, Z4)

// NOTE adds what is not zero in a lane to what makes its row notable, as K7
// does with what it has.
#define NOTE(Z) VPORQ Z, Z15, Z15

// CONSTANT fills Z with a word.
#define CONSTANT(word, Z) \
	MOVQ         word, DX \
	VPBROADCASTQ DX, Z

// func screenAVX512(s *Screen, block []byte, starts []uint32, first int, notable []uint32) (found int)
//
// Y7 has the numbers of the eight rows; Z13 and those from Z16 on are constants. A lane of Z15
// is not zero, or a bit of K7 is set, once its row needs a closer look; one of
// Z14, where only its names say so.
TEXT ·screenAVX512(SB), NOSPLIT, $0-96
	MOVQ s+0(FP), R8
	MOVQ block_base+8(FP), BX
	MOVQ starts_base+32(FP), SI
	MOVQ starts_len+40(FP), DX
	LEAQ -4(SI)(DX*4), R13
	MOVQ notable_base+64(FP), DI
	MOVQ Screen_record(R8), R9
	LEAQ (R9)(R9*2), R10
	VPBROADCASTD first+56(FP), Y7
	VPADDD       rows<>(SB), Y7, Y7
	MOVL         $8, DX
	VPBROADCASTD DX, Y8
	CONSTANT($const_sketch0, Z16)
	CONSTANT($const_sketch1, Z17)
	CONSTANT($const_sketch2, Z18)
	CONSTANT($const_sketch3, Z19)
	VBROADCASTI64X4 ·oddNibbles+0(SB), Z20
	VBROADCASTI64X4 ·oddNibbles+32(SB), Z21
	VPTERNLOGD   $0xff, Z31, Z31, Z31 // all ones
	VPSRLQ       $32, Z31, Z23
	CONSTANT($0x4040404040404040, Z24) // what small letters have and digits have not
	CONSTANT($0x0f0f0f0f0f0f0f0f, Z25)
	CONSTANT($0x7676767676767676, Z26) // what takes all above nine beyond 127
	CONSTANT($0x8080808080808080, Z27)
	CONSTANT($0x3030303030303030, Z28) // the digit 0
	CONSTANT($8, Z29)
	CONSTANT($64, Z30)
	CONSTANT($const_smallLetters, Z22)
	CONSTANT($0x20ffffffffffffff, Z13) // the largest word that ends with a blank
	JMP          check

rows:
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15
	KXORB  K7, K7, K7

	MOVQ  Screen_names(R8), R14
	MOVQ  (Screen_names+8)(R8), R15
	TESTQ R15, R15
	JZ    numbers

name:
	COLUMN
	SIZES
	FIRST
	VPSRLQ       $4, Z3, Z2           // the first byte's halves
	VPANDQ       Z25, Z2, Z2
	VPANDQ       Z25, Z3, Z6
	VPSHUFB      Z6, Z20, Z6
	VPSHUFB      Z2, Z21, Z2
	VPANDQ       Z6, Z2, Z2
	VPSLLQ       $56, Z2, Z2
	NOTE(Z2)                          // one of oddStarts
	VPCMPUQ.BCST $6, Screen_longest(R8), Z0, K1
	KORB         K1, K7, K7           // too long
	MOVQ         name_held(R14), DX
	MOVQ         Screen_beyond(R8), CX
	ORQ          DX, CX
	JZ           nextName
	LAST
	VPTESTMQ     Z0, Z0, K1
	VPCMPUQ      $2, Z13, Z4, K1, K1  // one that is not empty ends with a blank
	VPSRLVQ      Z1, Z31, Z5
	VPANDQ       Z5, Z3, Z3
	VPSRLVQ      Z1, Z4, Z4
	VPORQ        Z3, Z4, Z5
	VPANDQ.BCST  Screen_beyond(R8), Z5, Z5
	NOTE(Z5)                          // its ends have bytes beyond those allowed
	MOVQ         name_held(R14), DX
	TESTQ        DX, DX
	JZ           nextName
	KORB         K1, K7, K7
	VPORQ        Z22, Z3, Z3          // as sketch
	VPORQ        Z22, Z4, Z4
	VPXORQ       Z0, Z3, Z3
	VPSRLQ       $32, Z3, Z5
	VPSRLQ       $32, Z4, Z6
	VPMULUDQ     Z16, Z3, Z3
	VPMULUDQ     Z17, Z5, Z5
	VPMULUDQ     Z18, Z4, Z4
	VPMULUDQ     Z19, Z6, Z6
	VPTERNLOGQ   $0x96, Z3, Z4, Z5
	VPXORQ       Z5, Z6, Z6
	VPSRLQ       $32, Z6, Z3
	VPXORQ       Z3, Z6, Z6
	VPMULUDQ     Z16, Z6, Z6
	VPSRLQ       $32, Z6, Z3          // as Bloom.word
	VPXORQ       Z6, Z3, Z3
	MOVQ         Bloom_mask(DX), CX
	VPANDQ.BCST  Bloom_mask(DX), Z3, Z3
	MOVQ         Bloom_words(DX), DX
	CMPQ         CX, $const_leastWords
	JAE          gather
	VPERMQ       (DX), Z3, Z4

bit:
	VPSRLQ  $58, Z6, Z6
	VPSRLVQ Z6, Z4, Z4
	VPSLLQ  $63, Z4, Z4
	VPORQ   Z4, Z14, Z14              // the filter may hold it

nextName:
	ADDQ $name__size, R14
	DECQ R15
	JNZ  name

numbers:
	MOVQ  Screen_numbers(R8), R14
	MOVQ  (Screen_numbers+8)(R8), R15
	TESTQ R15, R15
	JZ    words

number:
	COLUMN // as amount.Short
	SIZES
	LAST
	CMPQ number_dress(R14), $0
	JNE  dressed

digits:
	VPADDQ       Z31, Z0, Z2
	VPCMPUQ      $5, Z29, Z2, K1
	KORB         K1, K7, K7           // not one to eight bytes
	VPSLLVQ      Z1, Z31, Z2
	VPTERNLOGQ   $0x28, Z2, Z28, Z4   // (Z4 ^ Z28) & Z2
	VPBROADCASTQ number_points(R14), Z5
	VPCMPEQB     Z5, Z4, K1
	VPADDB       Z26, Z4, Z2
	VPTERNLOGQ   $0xa8, Z27, Z4, Z2   // (Z2 | Z4) & Z27: those that are no digits
	VMOVDQU8.Z   Z27, K1, Z4          // points
	VPXORQ       Z4, Z2, Z2
	VPADDQ       Z31, Z4, Z5
	VPTERNLOGQ   $0xf8, Z5, Z4, Z2    // Z2 | Z4 & Z5: more than one point
	NOTE(Z2)
	VPSRLQ       $63, Z4, Z2
	VPSRLVQ      Z1, Z4, Z3
	VPSLLQ       $56, Z3, Z3
	VPTERNLOGQ   $0xfe, Z2, Z3, Z15   // Z15 | Z2 | Z3: one at the end, or in front
	ADDQ         $number__size, R14
	DECQ         R15
	JNZ          number

words:
	MOVQ  Screen_words(R8), R14
	MOVQ  (Screen_words+8)(R8), R15
	TESTQ R15, R15
	JZ    ending

word:
	COLUMN // as cell.StockWord
	SIZES
	LAST
	VPSRLVQ       Z1, Z4, Z4
	VPANDQ        Z24, Z4, Z5
	VPSRLQ        $1, Z5, Z5
	VPORQ         Z5, Z4, Z4
	VPCMPEQQ.BCST ·stockList+0(SB), Z4, K1
	VPCMPEQQ.BCST ·stockList+8(SB), Z4, K2
	VPCMPEQQ.BCST ·stockList+16(SB), Z4, K3
	VPCMPEQQ.BCST ·stockList+24(SB), Z4, K4
	VPCMPEQQ.BCST ·stockList+32(SB), Z4, K5
	VPCMPEQQ.BCST ·stockList+40(SB), Z4, K6
	KORB          K1, K2, K1
	KORB          K1, K3, K1          // in stock
	KORB          K4, K5, K4
	KORB          K4, K6, K4          // out of stock
	KMOVB         Screen_skipsIn(R8), K2
	KMOVB         Screen_skipsOut(R8), K3
	KANDB         K1, K2, K2
	KANDB         K4, K3, K3
	KORB          K2, K3, K2
	VPXORQ        Z14, Z14, K2, Z14   // names are nothing to those
	KORB          K1, K4, K1
	KNOTB         K1, K1
	KORB          K1, K7, K7
	ADDQ          $needed__size, R14
	DECQ          R15
	JNZ           word

ending:
	LEAQ          (SI)(R9*1), AX      // how records end
	LEAQ          (AX)(R9*4), R12
	WORDS(0, -8, BX, X4, Y4, Z4)
	VPSRLQ        $48, Z4, Z4
	VPXORQ.BCST   Screen_lineEnd(R8), Z4, Z4
	VPCMPUQ.BCST  $1, Screen_endingFrom(R8), Z4, K1
	VPCMPUQ.BCST  $6, Screen_endingTo(R8), Z4, K2
	NOTE(Z14)
	VPTESTMQ      Z15, Z15, K3
	KORB          K1, K2, K1          // less than the one or more than the other
	KORB          K3, K7, K3
	KORB          K1, K3, K1
	KMOVB         K1, DX
	POPCNTL       DX, DX
	VPCOMPRESSD.Z Y7, K1, Y0
	VMOVDQU       Y0, (DI)
	LEAQ          (DI)(DX*4), DI
	VPADDD        Y8, Y7, Y7
	LEAQ          (SI)(R9*8), SI

check:
	CMPQ SI, R13
	JB   rows

	SUBQ notable_base+64(FP), DI
	SHRQ $2, DI
	MOVQ DI, found+88(FP)
	VZEROUPPER
	RET

gather:
	KXNORB     K1, K1, K1
	VPGATHERQQ (DX)(Z3*8), K1, Z4
	JMP        bit

dressed: // as number.undress
	VPBROADCASTQ number_suffixShift(R14), Z5
	VPSRLVQ      Z5, Z4, Z4
	VPXORQ.BCST  number_suffix(R14), Z4, Z4
	NOTE(Z4)                          // another suffix
	FIRST
	VPANDQ.BCST  number_prefixMask(R14), Z3, Z3
	VPXORQ.BCST  number_prefix(R14), Z3, Z3
	NOTE(Z3)                          // another prefix
	VPSUBQ.BCST  number_dress(R14), Z0, Z0
	BITS
	SUBQ         number_suffixSize(R14), R11
	WORDS(4, -8, R11, X4, Y4, Z4)
	JMP          digits

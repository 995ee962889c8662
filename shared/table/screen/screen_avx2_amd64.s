#include "textflag.h"
#include "go_asm.h"

DATA eight<>+0(SB)/8, $8
GLOBL eight<>(SB), RODATA|NOPTR, $8
DATA one<>+0(SB)/8, $1
GLOBL one<>(SB), RODATA|NOPTR, $8
DATA sixtyFour<>+0(SB)/8, $64
GLOBL sixtyFour<>(SB), RODATA|NOPTR, $8
DATA lowByte<>+0(SB)/8, $0xff
GLOBL lowByte<>(SB), RODATA|NOPTR, $8
DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $8
DATA letters<>+0(SB)/8, $0x4040404040404040
GLOBL letters<>(SB), RODATA|NOPTR, $8
DATA zeros<>+0(SB)/8, $0x3030303030303030 // the digit
GLOBL zeros<>(SB), RODATA|NOPTR, $8
DATA aboveNine<>+0(SB)/8, $0x7676767676767676
GLOBL aboveNine<>(SB), RODATA|NOPTR, $8
DATA high<>+0(SB)/8, $0x8080808080808080
GLOBL high<>(SB), RODATA|NOPTR, $8
DATA sketch0<>+0(SB)/8, $const_sketch0
GLOBL sketch0<>(SB), RODATA|NOPTR, $8
DATA sketch1<>+0(SB)/8, $const_sketch1
GLOBL sketch1<>(SB), RODATA|NOPTR, $8
DATA sketch2<>+0(SB)/8, $const_sketch2
GLOBL sketch2<>(SB), RODATA|NOPTR, $8
DATA sketch3<>+0(SB)/8, $const_sketch3
GLOBL sketch3<>(SB), RODATA|NOPTR, $8

// What tells small letters from others, and the largest word that ends with a blank.
DATA smallLetters<>+0(SB)/8, $const_smallLetters
DATA smallLetters<>+8(SB)/8, $const_smallLetters
DATA smallLetters<>+16(SB)/8, $const_smallLetters
DATA smallLetters<>+24(SB)/8, $const_smallLetters
GLOBL smallLetters<>(SB), RODATA|NOPTR, $32
DATA blank<>+0(SB)/8, $0x20ffffffffffffff
DATA blank<>+8(SB)/8, $0x20ffffffffffffff
DATA blank<>+16(SB)/8, $0x20ffffffffffffff
DATA blank<>+24(SB)/8, $0x20ffffffffffffff
GLOBL blank<>(SB), RODATA|NOPTR, $32

DATA counting<>+0(SB)/8, $0x0000000100000000
DATA counting<>+8(SB)/8, $0x0000000300000002
GLOBL counting<>(SB), RODATA|NOPTR, $16
DATA fours<>+0(SB)/8, $0x0000000400000004
DATA fours<>+8(SB)/8, $0x0000000400000004
GLOBL fours<>(SB), RODATA|NOPTR, $16

// Four rows are screened at a time, one in each lane of a vector. R14 points to
// what is said of a column, R15 is how many are left of its kind. AX points to
// where the column's fields begin: AX itself for the first row, R9 bytes
// further on for the next, and R10 is three times R9.
#define COLUMN \
	MOVQ needed_start(R14), AX \
	ADDQ SI, AX

// SIZES makes Y0 the sizes of a column's fields, and Y1 the number of bits that
// eight bytes have more than the field. It uses Y2.
#define SIZES \
	VMOVQ        (AX), X0                         \
	VPINSRQ      $1, (AX)(R9*1), X0, X0           \
	VMOVQ        (AX)(R9*2), X1                   \
	VPINSRQ      $1, (AX)(R10*1), X1, X1          \
	VINSERTI128  $1, X1, Y0, Y0                   \
	VPSRLQ       $32, Y0, Y1                      \
	VPSUBD       Y0, Y1, Y0                       \
	VPBROADCASTQ needed_behind(R14), Y2   \
	VPSUBD       Y2, Y0, Y0                       \
	VPBLENDD     $0xaa, Y14, Y0, Y0               \
	VPMINUD      Y12, Y0, Y1                      \
	VPSLLQ       $3, Y1, Y1                       \
	VPSUBQ       Y1, Y13, Y1

// WORDS makes Y the eight bytes from each of four starts on, where offset is
// that of the starts from AX, and at that of the bytes from base. It uses CX,
// DX and X5.
#define WORDS(offset, at, base, X, Y) \
	MOVL        offset(AX), CX                \
	MOVL        offset(AX)(R9*1), DX          \
	VMOVQ       at(base)(CX*1), X             \
	VPINSRQ     $1, at(base)(DX*1), X, X      \
	MOVL        offset(AX)(R9*2), CX          \
	MOVL        offset(AX)(R10*1), DX         \
	VMOVQ       at(base)(CX*1), X5            \
	VPINSRQ     $1, at(base)(DX*1), X5, X5    \
	VINSERTI128 $1, X5, Y, Y

// FIRST makes Y3 the first eight bytes of a column's fields and of what follows
// them.
#define FIRST WORDS(0, 0, BX, X3, Y3)

// LAST makes Y4 the last eight bytes of a column's fields and of what is
// before them.
#define LAST \
	MOVQ BX, R11                          \
	SUBQ needed_behind(R14), R11  \
	WORDS(4, -8, R11, X4, Y4)

// NOTE adds what is not zero in a lane to what makes its row notable.
#define NOTE(Y) VPOR Y, Y15, Y15

// NAME notes names that begin with one of oddStarts, and those that are too
// long.
#define NAME \
	VPBROADCASTQ nibbles<>(SB), Y5          \
	VPAND        Y5, Y3, Y6                 \
	VPSRLQ       $4, Y3, Y2                 \
	VPAND        Y5, Y2, Y2                 \
	VMOVDQU      ·oddNibbles+0(SB), Y5      \
	VPSHUFB      Y6, Y5, Y6                 \
	VMOVDQU      ·oddNibbles+32(SB), Y5     \
	VPSHUFB      Y2, Y5, Y2                 \
	VPAND        Y6, Y2, Y2                 \
	VPBROADCASTQ lowByte<>(SB), Y5          \
	VPAND        Y5, Y2, Y2                 \
	NOTE(Y2)                                \
	VPBROADCASTQ Screen_longest(R8), Y5     \
	VPCMPGTQ     Y5, Y0, Y5                 \
	NOTE(Y5)

// BLANK notes names that are not empty and end with a blank, or with a byte that is
// not ASCII: where there is any in the block, ENDS notes it too.
#define BLANK \
	VPCMPGTQ blank<>(SB), Y4, Y5 \
	VPCMPGTQ Y14, Y0, Y6         \
	VPANDN   Y6, Y5, Y5          \
	NOTE(Y5)

// ENDS makes Y3 and Y4 the ends of names and notes those that have bytes beyond
// those allowed.
#define ENDS \
	VPCMPEQD     Y5, Y5, Y5             \
	VPSRLVQ      Y1, Y5, Y5             \
	VPAND        Y5, Y3, Y3             \
	VPSRLVQ      Y1, Y4, Y4             \
	VPOR         Y3, Y4, Y5             \
	VPBROADCASTQ Screen_beyond(R8), Y6  \
	VPAND        Y5, Y6, Y6             \
	NOTE(Y6)

// HELD notes the names that the Bloom filter R12 points to may hold.
#define HELD \
	VPOR         smallLetters<>(SB), Y3, Y3 \
	VPOR         smallLetters<>(SB), Y4, Y4 \
	VPXOR        Y0, Y3, Y3             \
	VPBROADCASTQ sketch0<>(SB), Y5      \
	VPMULUDQ     Y5, Y3, Y6             \
	VPSRLQ       $32, Y3, Y3            \
	VPBROADCASTQ sketch1<>(SB), Y5      \
	VPMULUDQ     Y5, Y3, Y3             \
	VPXOR        Y3, Y6, Y6             \
	VPBROADCASTQ sketch2<>(SB), Y5      \
	VPMULUDQ     Y5, Y4, Y3             \
	VPXOR        Y3, Y6, Y6             \
	VPSRLQ       $32, Y4, Y4            \
	VPBROADCASTQ sketch3<>(SB), Y5      \
	VPMULUDQ     Y5, Y4, Y4             \
	VPXOR        Y4, Y6, Y6             \
	VPSRLQ       $32, Y6, Y3            \
	VPXOR        Y3, Y6, Y6             \
	VPBROADCASTQ sketch0<>(SB), Y5      \
	VPMULUDQ     Y5, Y6, Y6             \
	VPSRLQ       $32, Y6, Y3            \
	VPXOR        Y6, Y3, Y3             \
	VPBROADCASTQ Bloom_mask(R12), Y5    \
	VPAND        Y5, Y3, Y3             \
	VPCMPEQD     Y5, Y5, Y5             \
	MOVQ         Bloom_words(R12), DX   \
	VPGATHERQQ   Y5, (DX)(Y3*8), Y4     \
	VPSRLQ       $58, Y6, Y6            \
	VPSRLVQ      Y6, Y4, Y4             \
	VPBROADCASTQ one<>(SB), Y5          \
	VPAND        Y5, Y4, Y4             \
	VPOR         Y4, Y8, Y8

// SAYS makes Y the lanes of Y4 that are one of three words of in_stock, and
// takes from Y8 those that are skipped.
#define SAYS(words, skips, Y) \
	VPBROADCASTQ words+0(SB), Y6  \
	VPCMPEQQ     Y6, Y4, Y        \
	VPBROADCASTQ words+8(SB), Y6  \
	VPCMPEQQ     Y6, Y4, Y6       \
	VPOR         Y6, Y, Y         \
	VPBROADCASTQ words+16(SB), Y6 \
	VPCMPEQQ     Y6, Y4, Y6       \
	VPOR         Y6, Y, Y         \
	VPBROADCASTQ skips(R8), Y6    \
	VPAND        Y6, Y, Y6        \
	VPANDN       Y8, Y6, Y8

// func screenAVX2(s *Screen, block []byte, starts []uint32, first int, notable []uint32) (found int)
//
// X7 has the numbers of the four rows; from Y9 to Y14 are constants; a lane of
// Y15 is not zero once its row needs a closer look, one of Y8 where only its
// names say so.
TEXT ·screenAVX2(SB), NOSPLIT, $0-96
	MOVQ s+0(FP), R8
	MOVQ block_base+8(FP), BX
	MOVQ starts_base+32(FP), SI
	MOVQ starts_len+40(FP), DX
	LEAQ -4(SI)(DX*4), R13
	MOVQ notable_base+64(FP), DI
	MOVQ Screen_record(R8), R9
	LEAQ (R9)(R9*2), R10
	VPBROADCASTD first+56(FP), X7
	VPADDD       counting<>(SB), X7, X7  // the rows
	VPXOR        Y14, Y14, Y14
	VPBROADCASTQ sixtyFour<>(SB), Y13
	VPBROADCASTQ eight<>(SB), Y12
	VPBROADCASTQ zeros<>(SB), Y11
	VPBROADCASTQ high<>(SB), Y10
	VPBROADCASTQ aboveNine<>(SB), Y9
	JMP  check

rows:
	VPXOR Y8, Y8, Y8
	VPXOR Y15, Y15, Y15

	MOVQ  Screen_names(R8), R14
	MOVQ  (Screen_names+8)(R8), R15
	TESTQ R15, R15
	JZ    numbers

name:
	COLUMN
	SIZES
	FIRST
	NAME
	MOVQ  name_held(R14), R12
	MOVQ  Screen_beyond(R8), CX
	ORQ   R12, CX
	JZ    nextName
	LAST
	TESTQ R12, R12
	JZ    ends
	BLANK

ends:
	ENDS
	TESTQ R12, R12
	JZ    nextName
	HELD

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
	VPCMPEQD Y5, Y5, Y5
	VPADDQ   Y5, Y0, Y2
	VPSUBQ   Y0, Y12, Y3
	VPOR     Y2, Y3, Y3
	VPSRLQ   $63, Y3, Y3
	NOTE(Y3)                 // one to eight bytes
	VPSLLVQ  Y1, Y5, Y2
	VPXOR    Y11, Y4, Y4
	VPAND    Y2, Y4, Y4
	VPADDB   Y9, Y4, Y2
	VPOR     Y2, Y4, Y2
	VPAND    Y10, Y2, Y2     // those that are no digits
	VPBROADCASTQ number_points(R14), Y6
	VPCMPEQB Y6, Y4, Y4
	VPAND    Y10, Y4, Y4     // points
	VPXOR    Y4, Y2, Y2
	NOTE(Y2)
	VPADDQ   Y5, Y4, Y2
	VPAND    Y2, Y4, Y2
	NOTE(Y2)                 // more than one point
	VPSRLQ   $63, Y4, Y2
	NOTE(Y2)                 // at the end
	VPSRLVQ  Y1, Y4, Y2
	VPSLLQ   $56, Y2, Y2
	NOTE(Y2)                 // in front
	ADDQ $number__size, R14
	DECQ R15
	JNZ  number

words:
	MOVQ  Screen_words(R8), R14
	MOVQ  (Screen_words+8)(R8), R15
	TESTQ R15, R15
	JZ    ending

word:
	COLUMN // as cell.StockWord
	SIZES
	LAST
	VPSRLVQ      Y1, Y4, Y4
	VPBROADCASTQ letters<>(SB), Y5
	VPAND        Y5, Y4, Y5
	VPSRLQ       $1, Y5, Y5
	VPOR         Y5, Y4, Y4
	SAYS(·stockList+0, Screen_skipsIn, Y5)
	SAYS(·stockList+24, Screen_skipsOut, Y3)
	VPOR         Y3, Y5, Y5
	VPCMPEQQ     Y14, Y5, Y5
	NOTE(Y5)
	ADDQ $needed__size, R14
	DECQ R15
	JNZ  word

ending:
	LEAQ         (SI)(R9*1), AX           // how records end
	WORDS(0, -8, BX, X4, Y4)
	VPSRLQ       $48, Y4, Y4
	VPBROADCASTQ Screen_lineEnd(R8), Y5
	VPXOR        Y5, Y4, Y4
	VPBROADCASTQ Screen_endingFrom(R8), Y5
	VPSUBQ       Y5, Y4, Y5
	VPBROADCASTQ Screen_endingTo(R8), Y6
	VPSUBQ       Y4, Y6, Y6
	VPOR         Y5, Y6, Y5
	VPSRLQ       $63, Y5, Y5
	NOTE(Y5)            // less than the one or more than the other
	NOTE(Y8)

	VPCMPEQQ  Y14, Y15, Y15
	VMOVMSKPD Y15, CX
	XORL      $15, CX
	POPCNTL   CX, DX
	SHLL      $4, CX
	LEAQ      ·together(SB), R11
	VPSHUFB   (R11)(CX*1), X7, X0
	VMOVDQU   X0, (DI)
	LEAQ      (DI)(DX*4), DI
	VPADDD    fours<>(SB), X7, X7
	LEAQ      (SI)(R9*4), SI

check:
	CMPQ SI, R13
	JB   rows

	SUBQ notable_base+64(FP), DI
	SHRQ $2, DI
	MOVQ DI, found+88(FP)
	VZEROUPPER
	RET

dressed: // as number.undress
	VPBROADCASTQ number_suffixShift(R14), Y5
	VPSRLVQ      Y5, Y4, Y4
	VPBROADCASTQ number_suffix(R14), Y5
	VPXOR        Y5, Y4, Y4
	NOTE(Y4)                 // another suffix
	FIRST
	VPBROADCASTQ number_prefixMask(R14), Y5
	VPAND        Y5, Y3, Y3
	VPBROADCASTQ number_prefix(R14), Y5
	VPXOR        Y5, Y3, Y3
	NOTE(Y3)                 // another prefix
	VPBROADCASTQ number_dress(R14), Y5
	VPSUBQ       Y5, Y0, Y0
	VPMINUD      Y12, Y0, Y1
	VPSLLQ       $3, Y1, Y1
	VPSUBQ       Y1, Y13, Y1
	SUBQ         number_suffixSize(R14), R11
	WORDS(4, -8, R11, X4, Y4)
	JMP          digits

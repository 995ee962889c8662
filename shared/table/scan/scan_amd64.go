package scan

import "golang.org/x/sys/cpu"

// hasAVX2 and hasAVX512 say that the processor has all that the assembly uses.
var (
	hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPCLMULQDQ &&
		cpu.X86.HasPOPCNT
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ &&
		cpu.X86.HasAVX512VBMI2
)

func scan(text []byte, starts []uint32, base int, q *quoting) (found int) {
	switch {
	case hasAVX512:
		return scanAVX512(text, starts, base, q)
	case hasAVX2:
		return scanAVX2(text, starts, base, q)
	default:
		return scanWords(text, starts, base, q)
	}
}

// scanAVX2 is scanWords, 32 bytes at a time. It takes on trust that there is
// room for the starts.
//
//go:noescape
func scanAVX2(text []byte, starts []uint32, base int, q *quoting) (found int)

// scanAVX512 is scanAVX2 with a stride in a vector and up to sixteen starts
// written at once.
//
//go:noescape
func scanAVX512(text []byte, starts []uint32, base int, q *quoting) (found int)

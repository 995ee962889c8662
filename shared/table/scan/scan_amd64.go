package scan

import "golang.org/x/sys/cpu"

// hasVectors says that the processor has all that the assembly uses.
var hasVectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPCLMULQDQ && cpu.X86.HasPOPCNT

func scan(text []byte, starts []uint32, base int, q *quoting) (found int) {
	if hasVectors {
		return scanAVX2(text, starts, base, q)
	}
	return scanWords(text, starts, base, q)
}

// scanAVX2 is scanWords, 32 bytes at a time. It takes on trust that there is
// room for the starts.
//
//go:noescape
func scanAVX2(text []byte, starts []uint32, base int, q *quoting) (found int)

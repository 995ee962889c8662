package blake3

import "golang.org/x/sys/cpu"

var hasVectors = cpu.X86.HasAVX512F

// hashChunks hashes chunks, of which the counters say which they are: the low
// halves of their numbers, then the high ones.
//
//go:noescape
func hashChunks(values *[lanes]value, chunks *[lanes * ChunkBytes]byte, counters *[2][lanes]uint32)

// hashParents hashes the parents of children that stand in pairs.
//
//go:noescape
func hashParents(values *[lanes]value, children *[2 * lanes]value)

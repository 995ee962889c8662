//go:build !amd64

package blake3

var hasVectors = false

func hashChunks(*[lanes]value, *[lanes * ChunkBytes]byte, *[2][lanes]uint32) { panic("no vectors") }

func hashParents(*[lanes]value, *[2 * lanes]value) { panic("no vectors") }

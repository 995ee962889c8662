// Package blake3 hashes a text as it passes, or separate stretches of it, and joins the
// hashes of the stretches.
//
// BLAKE3 is the root of a binary tree over chunks of 1 KiB. The left subtree of every node
// has as many chunks as a power of two. So a stretch of chunks from anywhere is a few whole
// subtrees, which are hashed without the others. Source:
// https://github.com/BLAKE3-team/BLAKE3-specs, section 2.
package blake3

import (
	"math/bits"
	"slices"

	"lukechampine.com/blake3/guts"
)

const (
	lanes      = 16 // chunks, or parents, that are hashed beside each other
	laneHeight = 4  // of the subtree over as many chunks
)

// Hasher hashes a text, or a stretch of it, that is written to it.
type Hasher struct {
	tree   Tree
	at     uint64 // the first chunk that is not hashed
	buffer [lanes * ChunkBytes]byte
	size   int // of what is in the buffer

	// Where the processor has the vectors for it, values wait in the level of
	// their height until there are as many as are hashed to parents at once.
	levels   [levels]level
	vectored bool // the levels take what comes: they began with the first child of a parent each
}

// levels are so many that few values are left to be hashed one after the other.
const levels = 7

type level struct {
	values [2 * lanes]value
	size   int
}

// New returns a hasher of a text.
func New() *Hasher { return NewAt(0) }

// NewAt returns a hasher of the stretch that begins at a byte of a text, where a chunk does.
func NewAt(from int64) *Hasher {
	chunk := uint64(from) / ChunkBytes
	return &Hasher{tree: Tree{at: chunk}, at: chunk}
}

// Write hashes p. It never fails.
func (h *Hasher) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 { // what stands last is kept, as it may be the root
		height := min(bits.TrailingZeros64(h.at), laneHeight)
		size := ChunkBytes << height
		if h.size == 0 && len(p) > size {
			h.hash(p[:size], height)
			p = p[size:]
			continue
		}
		n := copy(h.buffer[h.size:size], p)
		h.size += n
		if p = p[n:]; len(p) > 0 {
			h.hash(h.buffer[:size], height)
			h.size = 0
		}
	}
	return written, nil
}

// hash hashes a subtree that something follows.
func (h *Hasher) hash(text []byte, height int) {
	h.vectored = h.vectored || hasVectors && h.at%(1<<levels) == 0
	if h.vectored {
		var counters [2][lanes]uint32
		for i := range uint64(lanes) {
			counters[0][i], counters[1][i] = uint32(h.at+i), uint32((h.at+i)>>32)
		}
		hashChunks(h.room(0), (*[lanes * ChunkBytes]byte)(text), &counters)
		h.filled(0)
	} else {
		h.tree.push(subtree{height, guts.ChainingValue(guts.CompressEigentree(text, &guts.IV, h.at, 0))})
	}
	h.at += 1 << height
}

// room is where the next values of a level go.
func (h *Hasher) room(height int) *[lanes]value {
	l := &h.levels[height]
	return (*[lanes]value)(l.values[l.size:])
}

// filled notes that the room of a level is filled.
func (h *Hasher) filled(height int) {
	l := &h.levels[height]
	if l.size += lanes; l.size < len(l.values) {
		return
	}
	if height == levels-1 {
		l.moveTo(&h.tree, height)
		return
	}
	hashParents(h.room(height+1), &l.values)
	l.size = 0
	h.filled(height + 1)
}

// moveTo moves the values to a tree, which ends where they begin.
func (l *level) moveTo(t *Tree, height int) {
	for _, v := range l.values[:l.size] {
		t.push(subtree{height, v})
	}
	l.size = 0
}

// Stretch returns the subtrees of all that was written. Only the end of a text
// may stand within a chunk.
func (h *Hasher) Stretch() Hashed {
	end := *h
	t := &end.tree
	t.Before = slices.Clone(t.Before)
	for height := levels - 1; height >= 0; height-- {
		end.levels[height].moveTo(t, height)
	}
	for _, height := range guts.Eigentrees(t.at, max(uint64(end.size+ChunkBytes-1)/ChunkBytes, 1)) {
		t.close()
		size := min(end.size, ChunkBytes<<height)
		t.Height, t.Last = height, guts.CompressBuffer(&end.buffer, size, &guts.IV, t.at, 0)
		end.size = copy(end.buffer[:], end.buffer[size:end.size])
	}
	return t.Hashed
}

// Sum returns the hash of all that was written to a hasher of a text, in hex.
func (h *Hasher) Sum() string {
	whole := Tree{Hashed: h.Stretch()}
	return whole.Sum()
}

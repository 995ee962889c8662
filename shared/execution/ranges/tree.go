package ranges

import (
	"encoding/hex"
	"math/bits"

	"lukechampine.com/blake3/guts"
)

// BLAKE3 is the root of a binary tree over chunks. The left subtree of every node
// has as many chunks as a power of two, so a stretch of chunks from anywhere
// consists of few whole subtrees, which are hashed without a look at the others.

const (
	chunkBytes = guts.ChunkSize
	laneHeight = 4 // of the subtrees that are hashed at once
)

// subtree is a subtree over 2^Height whole chunks.
type subtree struct {
	Height int
	Value  [8]uint32 // BLAKE3's chaining value
}

// Hashed is what a stretch adds to the hash of a table: the largest subtrees that
// it has, in their order. The last is not closed, as it may be the root.
type Hashed struct {
	Before []subtree
	Height int // of Last
	Last   guts.Node
}

// tree is the tree of a table, or from a chunk of it on, as far as it is known.
type tree struct {
	Hashed
	at uint64 // the chunk at which Last begins, or, where there is none, what follows
}

// join adds the stretch that follows.
func (t *tree) join(next Hashed) {
	t.close()
	for _, s := range next.Before {
		t.push(s)
	}
	t.Height, t.Last = next.Height, next.Last
}

// close closes the last subtree, because something follows it.
func (t *tree) close() {
	if t.Last.Flags != 0 { // a node has flags
		t.push(subtree{t.Height, guts.ChainingValue(t.Last)})
		t.Last = guts.Node{}
	}
}

// push adds a subtree. Two of the same height are one where both have the same parent.
func (t *tree) push(s subtree) {
	from := t.at
	t.at += 1 << s.Height
	for i := len(t.Before) - 1; i >= 0 && t.Before[i].Height == s.Height && from>>s.Height&1 == 1; i-- {
		parent := guts.ParentNode(t.Before[i].Value, s.Value, &guts.IV, 0)
		s = subtree{s.Height + 1, guts.ChainingValue(parent)}
		t.Before = t.Before[:i]
	}
	t.Before = append(t.Before, s)
}

// sum returns the hash of a whole table in hex.
func (t *tree) sum() string {
	root := t.Last
	for i := len(t.Before) - 1; i >= 0; i-- {
		root = guts.ParentNode(t.Before[i].Value, guts.ChainingValue(root), &guts.IV, 0)
	}
	root.Flags |= guts.FlagRoot
	sum := guts.WordsToBytes(guts.CompressNode(root))
	return hex.EncodeToString(sum[:32])
}

// hasher hashes a stretch that is written to it.
type hasher struct {
	tree
	buffer [chunkBytes << laneHeight]byte
	size   int // of what is in the buffer
}

// newHasher returns a hasher of what begins at a place in a table.
func newHasher(from int64) *hasher { return &hasher{tree: tree{at: uint64(from) / chunkBytes}} }

// Write hashes p. It never fails.
func (h *hasher) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		h.close()
		height := min(bits.TrailingZeros64(h.at), laneHeight)
		n := copy(h.buffer[h.size:chunkBytes<<height], p)
		p = p[n:]
		if h.size += n; h.size == chunkBytes<<height {
			h.hash(height)
		}
	}
	return written, nil
}

// hash makes a subtree of what stands first in the buffer.
func (h *hasher) hash(height int) {
	h.close()
	size := min(h.size, chunkBytes<<height)
	h.Height, h.Last = height, guts.CompressBuffer(&h.buffer, size, &guts.IV, h.at, 0)
	h.size = copy(h.buffer[:], h.buffer[size:h.size])
}

// end returns the subtrees of all that was written. Only the end of a table may
// stand within a chunk.
func (h *hasher) end() Hashed {
	for _, height := range guts.Eigentrees(h.at, uint64(h.size+chunkBytes-1)/chunkBytes) {
		h.hash(height)
	}
	if h.Last.Flags == 0 {
		h.hash(0) // of no bytes
	}
	return h.Hashed
}

package blake3

import (
	"encoding/hex"

	"lukechampine.com/blake3/guts"
)

// ChunkBytes is the size of the chunks at the leaves of the tree.
const ChunkBytes = guts.ChunkSize

// subtree is a subtree over 2^Height whole chunks.
type subtree struct {
	Height int
	Value  value
}

// value is BLAKE3's chaining value: what stands for a subtree in the one above.
type value = [8]uint32

// Hashed is what a stretch adds to the hash of a text: the largest subtrees that
// it has, in their order. The last is not closed, as it may be the root.
type Hashed struct {
	Before []subtree
	Height int // of Last
	Last   guts.Node
}

// Tree is the tree of a text, or from a chunk of it on, as far as it is known.
type Tree struct {
	Hashed
	at uint64 // the chunk at which Last begins, or, where there is none, what follows
}

// Join adds the stretch that follows.
func (t *Tree) Join(next Hashed) {
	t.close()
	for _, s := range next.Before {
		t.push(s)
	}
	t.Height, t.Last = next.Height, next.Last
}

// close closes the last subtree, because something follows it.
func (t *Tree) close() {
	if t.Last.Flags != 0 { // a node has flags
		t.push(subtree{t.Height, guts.ChainingValue(t.Last)})
		t.Last = guts.Node{}
	}
}

// push adds a subtree. Two of the same height are one where both have the same parent.
func (t *Tree) push(s subtree) {
	from := t.at
	t.at += 1 << s.Height
	for i := len(t.Before) - 1; i >= 0 && t.Before[i].Height == s.Height && from>>s.Height&1 == 1; i-- {
		parent := guts.ParentNode(t.Before[i].Value, s.Value, &guts.IV, 0)
		s = subtree{s.Height + 1, guts.ChainingValue(parent)}
		t.Before = t.Before[:i]
	}
	t.Before = append(t.Before, s)
}

// Sum returns the hash of a whole text in hex.
func (t *Tree) Sum() string {
	root := t.Last
	for i := len(t.Before) - 1; i >= 0; i-- {
		root = guts.ParentNode(t.Before[i].Value, guts.ChainingValue(root), &guts.IV, 0)
	}
	root.Flags |= guts.FlagRoot
	sum := guts.WordsToBytes(guts.CompressNode(root))
	return hex.EncodeToString(sum[:32])
}

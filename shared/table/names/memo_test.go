package names

import (
	"bytes"
	"fmt"
	"testing"
)

// TestMemo: whatever was kept, a cell is found to be mentioned as it is, and the last
// ones are found.
func TestMemo(t *testing.T) {
	var m Memo[Mention]
	for i := range 3 * maxMemo {
		content := fmt.Appendf(nil, "category %d", i)
		m.Add(content, &Mention{only: Set{}.With(i % 64)})
		for _, of := range []int{i, i - i%maxMemo} { // and the first since there was no room
			known := m.Find(fmt.Appendf(nil, "category %d", of))
			if known == nil || known.only != (Set{}).With(of%64) {
				t.Fatalf("of %d, %d does %v", i, of, known)
			}
		}
	}
	for size, kept := range map[int]bool{8: true, maxMemoBytes: true, maxMemoBytes + 1: false} {
		content := bytes.Repeat([]byte("c"), size)
		if m.Add(content, &Mention{}); (m.Find(content) != nil) != kept {
			t.Errorf("a cell of %d bytes is kept: %t", size, !kept)
		}
	}
}

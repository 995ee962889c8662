package cell

import (
	"strings"
	"testing"
)

// TestIsPlain puts each byte at each place of cells of several sizes, with bytes
// behind them that are not theirs.
func TestIsPlain(t *testing.T) {
	for b := range 256 {
		want := b >= ' ' && b != '"' && b != '\\' && b < 0x80
		for size := range 18 {
			for at := range size {
				block := []byte("\"" + strings.Repeat("a", size) + "\\\x00\xff\"\"\"\"\"\"\"")
				block[1+at] = byte(b)
				c := Span{From: 1, To: uint32(1 + size)}
				if got := IsPlain(block, c); got != want {
					t.Fatalf("%q: %v, want %v", c.Of(block), got, want)
				}
				if got := Append([]byte("x"), block, c); string(got) != "x"+string(c.Of(block)) {
					t.Fatalf("%q is appended as %q", c.Of(block), got)
				}
			}
		}
	}
	if block, none := Block(""); !IsPlain(block, none) {
		t.Error("nothing is not plain")
	}
}

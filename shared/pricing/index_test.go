package pricing

import (
	"math/rand/v2"
	"testing"
)

// TestClassify compares the marks of every way to find them with those found
// byte by byte.
func TestClassify(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		var text [stride]byte
		var want marks
		for i := range text {
			text[i] = byte(random.Uint32())
			if random.IntN(2) == 0 {
				text[i] = ",\n\r\"\x00\x01-+!\x0b\x0c\x0e#\x8d\xac"[random.IntN(15)]
			}
			for b, mark := range map[byte]*uint64{',': &want.commas, '\n': &want.newlines, '\r': &want.returns, '"': &want.quotes, 0: &want.nuls} {
				if text[i] == b {
					*mark |= 1 << i
				}
			}
		}
		var got marks
		if classify(&text, &got); got != want {
			t.Fatalf("classify(%q) = %x, want %x", text, got, want)
		}
		if classifyWords(&text, &got); got != want {
			t.Fatalf("classifyWords(%q) = %x, want %x", text, got, want)
		}
	}
}

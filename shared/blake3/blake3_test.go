package blake3

import (
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	library "lukechampine.com/blake3"
)

// The sums that BLAKE3's authors publish for the bytes 0, 1 up to 250, over and
// over: test_vectors/test_vectors.json in https://github.com/BLAKE3-team/BLAKE3.
func TestPublishedSums(t *testing.T) {
	text := make([]byte, 102_400)
	for i := range text {
		text[i] = byte(i % 251)
	}
	for size, want := range map[int]string{
		0:      "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
		1:      "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
		2:      "7b7015bb92cf0b318037702a6cdd81dee41224f734684c2c122cd6359cb1ee63",
		3:      "e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f",
		4:      "f30f5ab28fe047904037f77b6da4fea1e27241c5d132638d8bedce9d40494f32",
		5:      "b40b44dfd97e7a84a996a91af8b85188c66c126940ba7aad2e7ae6b385402aa2",
		6:      "06c4e8ffb6872fad96f9aaca5eee1553eb62aed0ad7198cef42e87f6a616c844",
		7:      "3f8770f387faad08faa9d8414e9f449ac68e6ff0417f673f602a646a891419fe",
		8:      "2351207d04fc16ade43ccab08600939c7c1fa70a5c0aaca76063d04c3228eaeb",
		63:     "e9bc37a594daad83be9470df7f7b3798297c3d834ce80ba85d6e207627b7db7b",
		64:     "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98",
		65:     "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee",
		127:    "d81293fda863f008c09e92fc382a81f5a0b4a1251cba1634016a0f86a6bd640d",
		128:    "f17e570564b26578c33bb7f44643f539624b05df1a76c81f30acd548c44b45ef",
		129:    "683aaae9f3c5ba37eaaf072aed0f9e30bac0865137bae68b1fde4ca2aebdcb12",
		1023:   "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11",
		1024:   "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
		1025:   "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
		2048:   "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a",
		2049:   "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030",
		3072:   "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2",
		3073:   "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3",
		4096:   "015094013f57a5277b59d8475c0501042c0b642e531b0a1c8f58d2163229e969",
		4097:   "9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995",
		5120:   "9cadc15fed8b5d854562b26a9536d9707cadeda9b143978f319ab34230535833",
		5121:   "628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff",
		6144:   "3e2e5b74e048f3add6d21faab3f83aa44d3b2278afb83b80b3c35164ebeca205",
		6145:   "f1323a8631446cc50536a9f705ee5cb619424d46887f3c376c695b70e0f0507f",
		7168:   "61da957ec2499a95d6b8023e2b0e604ec7f6b50e80a9678b89d2628e99ada77a",
		7169:   "a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817",
		8192:   "aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63",
		8193:   "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b",
		16384:  "f875d6646de28985646f34ee13be9a576fd515f76b5b0a26bb324735041ddde4",
		31744:  "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47",
		102400: "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085",
	} {
		h := New()
		h.Write(text[:size])
		if got := h.Sum(); got != want {
			t.Errorf("%d bytes: %s, want %s", size, got, want)
		}
	}
}

// The stretches of a text give the hash of its bytes, as another implementation
// computes it of the whole, wherever it is cut between chunks and however the
// bytes come.
func TestStretchesGiveTheHashOfTheWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 3<<20 + 5}
	for power := 1; power <= 2<<20; power *= 2 {
		sizes = append(sizes, power-1, power, power+1)
	}
	for chunks := 1; chunks < 70; chunks++ {
		sizes = append(sizes, chunks*ChunkBytes-1, chunks*ChunkBytes, chunks*ChunkBytes+1, random.IntN(4<<20))
	}
	text := randomText(random)
	bothWays(t, func(t *testing.T) {
		for _, size := range sizes {
			sum := library.Sum256(text[:size])
			want := hex.EncodeToString(sum[:])
			for stretches := 1; stretches <= 9; stretches++ {
				cuts := []int{0, size}
				for range stretches - 1 {
					cuts = append(cuts, random.IntN(size/ChunkBytes+1)*ChunkBytes)
				}
				slices.Sort(cuts)
				cuts = slices.Compact(cuts)
				var all Tree
				for i, from := range cuts[:max(len(cuts)-1, 1)] {
					all.Join(hashed(t, random, text[from:cuts[min(i+1, len(cuts)-1)]], int64(from)))
				}
				if got := all.Sum(); got != want {
					t.Fatalf("%d bytes cut at %v: %s, want %s", size, cuts, got, want)
				}
			}
		}
	})
}

// A stretch is hashed alike with vectors and without them where the numbers of
// its chunks need more than 32 bits.
func TestFarStretch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	text := randomText(random)
	var all []Hashed
	bothWays(t, func(t *testing.T) { all = append(all, hashed(t, random, text, 1<<42-2<<20)) })
	if diff := cmp.Diff(all[0], all[len(all)-1]); diff != "" {
		t.Errorf("with vectors (-) and without them (+):\n%s", diff)
	}
}

// bothWays runs a test with vectors, where the processor has them, and without.
func bothWays(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	if hasVectors {
		t.Run("vectors", test)
		defer func() { hasVectors = true }()
		hasVectors = false
	}
	t.Run("library", test)
}

func randomText(random *rand.Rand) []byte {
	text := make([]byte, 4<<20+1)
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	return text
}

// hashed is what a stretch adds, as it was stored.
func hashed(t *testing.T, random *rand.Rand, text []byte, from int64) (stored Hashed) {
	t.Helper()
	h := NewAt(from)
	for rest := text; len(rest) > 0; {
		n := min(1+random.IntN(100_000), len(rest))
		h.Write(rest[:n])
		if random.IntN(8) == 0 {
			h.Stretch() // changes nothing
		}
		rest = rest[n:]
	}
	data, err := json.Marshal(h.Stretch())
	if err == nil {
		err = json.Unmarshal(data, &stored)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.Before) > 2*13 || len(data) > 8<<10 {
		t.Errorf("%d bytes from %d on: %d subtrees, %d bytes", len(text), from, len(stored.Before)+1, len(data))
	}
	return stored
}

func BenchmarkWrite(b *testing.B) {
	text := make([]byte, 128<<10)
	h := New()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		h.Write(text)
	}
}

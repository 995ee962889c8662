package folder

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// BenchmarkCommit is a small object from Create to Commit.
func BenchmarkCommit(b *testing.B) {
	for _, noSync := range []bool{false, true} {
		b.Run(fmt.Sprintf("sync=%t", !noSync), func(b *testing.B) {
			box, err := Open(b.TempDir(), Options{NoSync: noSync})
			if err != nil {
				b.Fatal(err)
			}
			defer box.Close()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := writeObject(b.Context(), box, fmt.Sprintf("id_%08d/p.csv", i), "sku,price\n"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStream is 64 MiB through an upload, and back through a reader that
// compares its checksum.
func BenchmarkStream(b *testing.B) {
	const size = 64 << 20
	chunk := bytes.Repeat([]byte("sku,price\n"), 6400)
	box, err := Open(b.TempDir(), Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	b.SetBytes(size)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		upload, err := box.Create(b.Context(), fmt.Sprint(i), createOptions)
		if err != nil {
			b.Fatal(err)
		}
		for written := 0; written < size; written += len(chunk) {
			if _, err := upload.Write(chunk); err != nil {
				b.Fatal(err)
			}
		}
		object, err := upload.Commit()
		if err != nil {
			b.Fatal(err)
		}
		r, _, err := box.Open(b.Context(), object.Name, object.Generation)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

package bucket_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// The checksum of "123456789" is the check value of CRC-32C (RFC 3720, B.4
// uses the same polynomial).
func TestDigest(t *testing.T) {
	var digest bucket.Digest
	for _, part := range []string{"1234", "", "56789"} {
		io.WriteString(&digest, part)
	}
	if size, sum := digest.Sum(); size != 9 || sum != 0xe3069283 {
		t.Errorf("Sum = %d, %08x, want 9, e3069283", size, sum)
	}
}

func TestVerify(t *testing.T) {
	object := bucket.Object{Name: "p.csv", Generation: 7, Size: 9, CRC32C: 0xe3069283}
	broken := errs.New(errs.Unavailable, "broken")
	for _, test := range []struct {
		name   string
		source io.Reader
		want   errs.Kind
	}{
		{"the bytes", strings.NewReader("123456789"), ""},
		{"one at a time", iotest.OneByteReader(strings.NewReader("123456789")), ""},
		{"data with EOF", iotest.DataErrReader(strings.NewReader("123456789")), ""},
		{"one changed", strings.NewReader("123456780"), errs.Internal},
		{"one missing", strings.NewReader("12345678"), errs.Internal},
		{"one more", strings.NewReader("1234567890"), errs.Internal},
		{"none", strings.NewReader(""), errs.Internal},
		{"another error", io.MultiReader(strings.NewReader("1234"), iotest.ErrReader(broken)), errs.Unavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := io.ReadAll(bucket.Verify(io.NopCloser(test.source), object))
			if errs.KindOf(err) != test.want {
				t.Errorf("reading: %v, want kind %q", err, test.want)
			}
			if test.want == errs.Internal && errors.Is(err, io.EOF) {
				t.Error("damage looks like the end of the file")
			}
		})
	}
}

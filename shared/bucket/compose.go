package bucket

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/errs"
)

// Parts is what a bucket does with stretches of objects, and with objects as parts of others.
type Parts interface {
	// Compose makes an object that must not exist yet of the bytes of parts, one
	// behind the other, each in the generation that is given. It becomes visible
	// whole or not at all. A name that holds these very bytes already is
	// success: an earlier attempt has put them there. Conflict: it holds others,
	// and the object that is there is returned. NotFound: a part is gone.
	// Invalid: there is no part. The parts stay, and beside them, under names
	// that begin with theirs, there may be objects made of some of them.
	Compose(ctx context.Context, name string, options CreateOptions, parts []Object) (Object, error)
	// OpenRange reads a stretch, of at least one byte, of exactly one generation;
	// less of it where the object ends before. NotFound: the generation is gone.
	// A stretch has no checksum of its own: one who reads all of them holds what
	// their digests compose against the object's.
	OpenRange(ctx context.Context, name string, generation, from, length int64) (io.ReadCloser, error)
}

// Composition returns an upload of what is stored already, in parts: all of its
// bytes are written, and Commit composes them. Abandon leaves the parts.
func Composition(ctx context.Context, in Parts, name string, options CreateOptions, parts []Object) Upload {
	return &composition{
		commit: func() (Object, error) { return in.Compose(ctx, name, options, parts) },
		digest: Composed(parts),
	}
}

type composition struct {
	commit func() (Object, error)
	digest Digest
	ended  bool
}

func (c *composition) Write([]byte) (int, error) {
	return 0, errs.New(errs.Internal, "a composition has all of its bytes already")
}

func (c *composition) Sum() (size int64, crc32c uint32) { return c.digest.Sum() }

func (c *composition) Commit() (Object, error) {
	if c.ended {
		return Object{}, errs.New(errs.Internal, "the composition has ended already")
	}
	c.ended = true
	return c.commit()
}

func (c *composition) Abandon() { c.ended = true }

// Composed returns the digest of the bytes of parts, one behind the other.
func Composed(parts []Object) (d Digest) {
	for _, part := range parts {
		d = d.Followed(Digest{part.Size, part.CRC32C})
	}
	return d
}

// Followed returns the digest of a stream behind which another stands. The
// checksum of a stream is a polynomial over the bits 0 and 1, modulo another, and
// each byte behind multiplies it by x^8.
func (d Digest) Followed(by Digest) Digest {
	shift, power := uint32(polynomialOne), uint32(polynomialOne>>8) // x^0 and x^8
	for size := by.Size; size > 0; size >>= 1 {
		if size&1 != 0 {
			shift = multiply(shift, power)
		}
		power = multiply(power, power)
	}
	return Digest{d.Size + by.Size, multiply(d.CRC32C, shift) ^ by.CRC32C}
}

// Polynomials have the coefficient of x^0 in the highest bit.
const (
	polynomialOne = 1 << 31
	modulus       = 0x82f63b78 // crc32.Castagnoli, without x^32
)

func multiply(a, b uint32) (product uint32) {
	for bit := uint32(polynomialOne); bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		carry := b & 1
		b = b>>1 ^ carry*modulus
	}
	return product
}

// Concatenate is Compose for buckets that have no better way: it reads the
// parts and writes them.
func Concatenate(
	ctx context.Context, b Bucket, name string, options CreateOptions, parts []Object,
) (Object, error) {
	if err := AdmitParts(name, parts); err != nil {
		return Object{}, err
	}
	upload, err := b.Create(ctx, name, options)
	if err != nil {
		return Object{}, err
	}
	defer upload.Abandon()
	for _, part := range parts {
		if err := appendPart(ctx, b, upload, part); err != nil {
			return Object{}, err
		}
	}
	return Publish(upload)
}

// AdmitParts refuses to compose an object of nothing.
func AdmitParts(name string, parts []Object) error {
	if len(parts) == 0 {
		return errs.New(errs.Invalid, "%s cannot be composed: there are no parts.", name)
	}
	return nil
}

func appendPart(ctx context.Context, b Bucket, upload Upload, part Object) error {
	in, _, err := b.Open(ctx, part.Name, part.Generation)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(upload, in)
	return err
}

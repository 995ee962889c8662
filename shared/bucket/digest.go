package bucket

import (
	"hash/crc32"
	"io"

	"github.com/planwright/planwright/shared/blake3"
	"github.com/planwright/planwright/shared/errs"
)

// Digest is the size and CRC32C of a stream of bytes. The zero value is that of no bytes.
type Digest struct {
	Size   int64
	CRC32C uint32
}

// Write adds p to the digest. It never fails.
func (d *Digest) Write(p []byte) (int, error) {
	d.Size += int64(len(p))
	d.CRC32C = crc32.Update(d.CRC32C, Castagnoli, p)
	return len(p), nil
}

// Sum returns the digest's parts, in the form that Upload asks for.
func (d *Digest) Sum() (size int64, crc32c uint32) { return d.Size, d.CRC32C }

// Matches reports whether the object has the digest's size and checksum.
func (d *Digest) Matches(object Object) bool {
	return d.Size == object.Size && d.CRC32C == object.CRC32C
}

// Fingerprint is a Digest with a hash that nobody can find other bytes for.
// BLAKE3 it is, for SHA-256 takes a processor up to four times as long.
type Fingerprint struct {
	Digest
	hash *blake3.Hasher
}

// NewFingerprint returns the fingerprint of no bytes.
func NewFingerprint() *Fingerprint { return &Fingerprint{hash: blake3.New()} }

// Write adds p to the fingerprint. It never fails.
func (f *Fingerprint) Write(p []byte) (int, error) {
	f.hash.Write(p)
	return f.Digest.Write(p)
}

// BLAKE3 returns the 32 bytes of the hash in hex.
func (f *Fingerprint) BLAKE3() string { return f.hash.Sum() }

// Verify returns a reader of source that replaces io.EOF by an error of kind
// Internal where the bytes are not those of the object.
func Verify(source io.ReadCloser, object Object) io.ReadCloser {
	return &verifier{ReadCloser: source, object: object}
}

type verifier struct {
	io.ReadCloser
	object Object
	digest Digest
}

func (v *verifier) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	v.digest.Write(p[:n])
	if err == io.EOF && !v.digest.Matches(v.object) {
		err = errs.New(errs.Internal, "%s of generation %d was read with %d bytes and CRC32C %08x, but it has %d bytes and %08x: it was damaged in storage or on its way.",
			v.object.Name, v.object.Generation, v.digest.Size, v.digest.CRC32C, v.object.Size,
			v.object.CRC32C)
	}
	return n, err
}

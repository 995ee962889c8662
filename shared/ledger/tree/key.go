package tree

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/merkle"
)

// New returns the log that signs with the private key, as Generate writes it.
func New(store merkle.LeafStore, audit bucket.Bucket, key string) (*Log, error) {
	public, err := PublicKey(key)
	if err != nil {
		return nil, err
	}
	signer, err := note.NewSigner(strings.TrimSpace(key))
	verifier, publicErr := note.NewVerifier(public)
	if err := errors.Join(err, publicErr); err != nil {
		return nil, damagedKey(err)
	}
	return &Log{Store: store, Bucket: audit, Signer: signer, Key: verifier, public: public}, nil
}

// Generate makes a private key.
func Generate() (string, error) {
	key, _, err := note.GenerateKey(rand.Reader, Name)
	return key, err
}

// PublicKey is the public half of a private key, both as package sumdb/note writes them.
func PublicKey(key string) (string, error) {
	parts := strings.SplitN(strings.TrimSpace(key), "+", 5)
	if len(parts) != 5 {
		return "", damagedKey(nil)
	}
	seed, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return "", damagedKey(err)
	}
	public, err := note.NewEd25519VerifierKey(
		parts[2], ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey),
	)
	if err != nil {
		return "", damagedKey(err)
	}
	return public, nil
}

func damagedKey(err error) error {
	return errs.Wrap(errs.Invalid, err,
		"The key that signs the audit documents' tree is damaged: put its backup back.")
}

// LocalKey reads the private key at path, which is made where there is none,
// for its owner's eyes alone.
func LocalKey(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return string(text), unreadable(err, path)
	}
	key, err := Generate()
	if err != nil {
		return "", errs.Wrap(errs.Internal, err, "A key cannot be made.")
	}
	draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // has mode 0600
	if err != nil {
		return "", unreadable(err, path)
	}
	defer os.Remove(draft.Name())
	_, err = draft.WriteString(key + "\n")
	if err = errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return "", unreadable(err, path)
	}
	if err := os.Link(draft.Name(), path); errors.Is(err, fs.ErrExist) {
		return LocalKey(path) // another process was quicker
	} else if err != nil {
		return "", unreadable(err, path)
	}
	return key, nil
}

func unreadable(err error, path string) error {
	if err == nil {
		return nil
	}
	return errs.Wrap(errs.Denied, err,
		"%s cannot be read or written: check its permissions and its folder's, and whether the disk is full.",
		filepath.Base(path))
}

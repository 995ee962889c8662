package tree

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/planwright/planwright/shared/errs"
)

// SignedLog is a copy of log/ that was proven with the public key alone, without the
// records that it was made of.
type SignedLog struct {
	Heads  int   // all that were signed
	Size   int64 // leaves of the newest epoch
	Epochs int   // trees that were begun; 1 where the records were never put back
	// Lost are the documents that an earlier epoch has and the newest has not: they
	// were settled after the state that the records were put back to.
	Lost int

	signed map[tlog.Hash]bool // leaves of every epoch
	newest map[tlog.Hash]bool
}

// OpenLog proves a copy of log/: every head is signed by the key and is of the
// beginning of its epoch's newest tree, none is left out between two others, no leaf
// stands twice, and each epoch names the last head of the one before. NotFound: the
// folder has no signed head. Invalid: the key is none. Internal: something was edited.
func OpenLog(folder fs.FS, key string) (*SignedLog, error) {
	verifier, err := publicKey(key)
	if err != nil {
		return nil, err
	}
	roots, err := epochFolders(folder)
	if err != nil {
		return nil, err
	}
	l := &SignedLog{signed: map[tlog.Hash]bool{}}
	var last Head
	var before epochFolder
	for _, epoch := range roots {
		heads, err := readHeads(folder, epoch.root, verifier)
		if err != nil {
			return nil, err
		}
		if len(heads) == 0 {
			continue
		}
		if want := beginning(epoch, before, last); heads[0].After != want {
			return nil, errs.New(errs.Internal,
				"epoch %d begins after another head than the last one that is there before it", epoch.number)
		}
		if l.newest, err = readLeaves(folder, epoch.root, heads); err != nil {
			return nil, err
		}
		maps.Copy(l.signed, l.newest)
		before, last = epoch, heads[len(heads)-1]
		l.Heads, l.Size, l.Epochs = l.Heads+len(heads), last.N, l.Epochs+1
	}
	if l.Epochs == 0 {
		return nil, errs.New(errs.NotFound, "there is no signed head in it")
	}
	l.Lost = len(l.signed) - len(l.newest)
	return l, nil
}

// beginning is what the heads of an epoch say of the one before, whose last head is
// given; the zero Head where none was signed before.
func beginning(epoch, before epochFolder, last Head) string {
	switch {
	case epoch.number == 0:
		return ""
	case last.N == 0:
		return fmt.Sprintf("epoch %d", epoch.number)
	default:
		return afterText(epoch.number, before.number, last)
	}
}

// Has reports whether a line is an audit document that was signed.
func (l *SignedLog) Has(line []byte) bool { return l.signed[tlog.RecordHash(line)] }

// publicKey reads a public key as package sumdb/note writes it.
func publicKey(text string) (note.Verifier, error) {
	verifier, err := note.NewVerifier(strings.TrimSpace(text))
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "That is not a public key of the audit documents' tree.")
	}
	return verifier, nil
}

// epochFolder is where the tree of an epoch lies in a copy of log/.
type epochFolder struct {
	number int64
	root   string
}

// epochFolders lists the epochs, the first one first.
func epochFolders(folder fs.FS) ([]epochFolder, error) {
	all := []epochFolder{{0, "."}}
	entries, err := fs.ReadDir(folder, "epochs") // sorted by number
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unreadableLog(err, "epochs")
	}
	for _, entry := range entries {
		var number int64
		if _, err := fmt.Sscanf(entry.Name(), "%06d", &number); err != nil || number < 1 ||
			fmt.Sprintf("%06d", number) != entry.Name() {
			return nil, errs.New(errs.Internal, "epochs/%s is no epoch", entry.Name())
		}
		all = append(all, epochFolder{number, path.Join("epochs", entry.Name())})
	}
	return all, nil
}

// readHeads reads the signed heads of an epoch, by size. Each must name the one before.
func readHeads(folder fs.FS, root string, key note.Verifier) (heads []Head, err error) {
	entries, err := fs.ReadDir(folder, path.Join(root, "heads")) // sorted by size
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, unreadableLog(err, path.Join(root, "heads"))
	}
	previous := int64(0)
	for _, entry := range entries {
		name := path.Join(root, "heads", entry.Name())
		signed, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, unreadableLog(err, name)
		}
		head, err := OpenHead(string(signed), key)
		switch {
		case err != nil:
			return nil, errs.Wrap(errs.Internal, err, "%s: %s", name, errs.Message(err))
		case path.Base(HeadObject(head.N)) != entry.Name():
			return nil, errs.New(errs.Internal, "%s is the head of %d leaves", name, head.N)
		case head.Previous != previous:
			return nil, errs.New(errs.Internal, "%s comes after a head of %d leaves, which is not there",
				name, cmp.Or(head.Previous, previous))
		case len(heads) > 0 && head.After != heads[0].After:
			return nil, errs.New(errs.Internal, "%s is of another epoch", name)
		}
		heads, previous = append(heads, head), head.N
	}
	return heads, nil
}

// readLeaves reads the leaves of an epoch's newest tree, of whose beginning every head
// must be.
func readLeaves(folder fs.FS, root string, heads []Head) (map[tlog.Hash]bool, error) {
	newest := heads[len(heads)-1]
	// refuses what the newest head does not sign
	reader := tlog.TileHashReader(newest.Tree, fileTiles{folder, root})
	for _, head := range heads {
		hash, err := tlog.TreeHash(head.N, reader)
		if err != nil {
			return nil, errs.Wrap(errs.Internal, err,
				"the tiles do not have the hash that the newest head signs")
		}
		if hash != head.Hash {
			return nil, errs.New(errs.Internal,
				"the head of %d leaves is not of the beginning of the newest tree", head.N)
		}
	}
	leaves := make(map[tlog.Hash]bool, newest.N)
	for from := int64(0); from < newest.N; from += 1 << height {
		hashes, err := leafHashes(reader, from, min(from+1<<height, newest.N))
		if err != nil {
			return nil, err
		}
		for i, hash := range hashes {
			if leaves[hash] {
				return nil, errs.New(errs.Internal, "leaf %d stands in the tree twice", from+int64(i))
			}
			leaves[hash] = true
		}
	}
	return leaves, nil
}

// leafHashes reads the hashes of leaves from one number up to another.
func leafHashes(reader tlog.HashReader, from, to int64) ([]tlog.Hash, error) {
	var indexes []int64
	for number := from; number < to; number++ {
		indexes = append(indexes, tlog.StoredHashIndex(0, number))
	}
	hashes, err := reader.ReadHashes(indexes)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "the tiles of the tree do not have the signed hash")
	}
	return hashes, nil
}

// fileTiles reads the tiles of an epoch from a copy of log/.
type fileTiles struct {
	folder fs.FS
	root   string
}

func (fileTiles) Height() int { return height }

func (fileTiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t fileTiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(wanted))
	for i, tile := range wanted {
		var err error
		if found[i], err = fs.ReadFile(t.folder, path.Join(t.root, tile.Path())); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func unreadableLog(err error, name string) error {
	return errs.Wrap(errs.Denied, err, "%s cannot be read: check its permissions", name)
}

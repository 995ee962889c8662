// Command thirdparty checks the signed tree of audit documents with nothing of
// this project: the public key, the folder log/ of the audit bucket and the
// published packages note and tlog are all it takes. It is an example of what
// anyone can write for themselves.
//
//	thirdparty KEY FOLDER [FILE.jsonl ...]
//
// KEY is the public key as it was noted when the system was set up, FOLDER the
// copy of log/, and the files hold audit documents, one a line.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: thirdparty KEY FOLDER [FILE.jsonl ...]")
	}
	key, err := note.NewVerifier(os.Args[1])
	check(err)
	folder := os.Args[2]
	heads, err := filepath.Glob(filepath.Join(folder, "heads", "*")) // sorted by size
	check(err)
	if len(heads) == 0 {
		log.Fatal("there is no signed head")
	}
	newest := open(heads[len(heads)-1], key)
	hashes := tlog.TileHashReader(newest, tiles(folder)) // refuses what the newest head does not sign
	for _, path := range heads {
		head := open(path, key)
		root, err := tlog.TreeHash(head.N, hashes)
		check(err)
		if root != head.Hash {
			log.Fatalf("%s is not the beginning of the newest tree", path)
		}
	}
	leaves := map[tlog.Hash]int64{}
	for n := range newest.N {
		found, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, n)})
		check(err)
		if other, twice := leaves[found[0]]; twice {
			log.Fatalf("leaf %d is leaf %d again", n, other)
		}
		leaves[found[0]] = n
	}
	for _, path := range os.Args[3:] {
		file, err := os.Open(path)
		check(err)
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 4<<20)
		for number := 1; lines.Scan(); number++ {
			if _, signed := leaves[tlog.RecordHash(lines.Bytes())]; !signed {
				log.Fatalf("line %d of %s is not in the signed tree", number, path)
			}
		}
		check(lines.Err())
	}
	fmt.Printf("%d heads of one tree, %d documents\n", len(heads), newest.N)
}

// open reads a signed head: its second line is the size, its third the root.
func open(path string, key note.Verifier) tlog.Tree {
	signed, err := os.ReadFile(path)
	check(err)
	head, err := note.Open(signed, note.VerifierList(key))
	check(err)
	lines := strings.Split(head.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}
}

// tiles is the folder that the tiles lie in.
type tiles string

func (tiles) Height() int                     { return 8 }
func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (t tiles) ReadTiles(all []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(all))
	for i, tile := range all {
		var err error
		if found[i], err = os.ReadFile(filepath.Join(string(t), tile.Path())); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

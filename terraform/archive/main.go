package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := writeAll(".", "dist"); err != nil {
		fmt.Fprintf(os.Stderr, "archive: %v\nRun it at the root of the repository: make package\n", err)
		os.Exit(1)
	}
}

// writeAll writes every archive into a folder, each whole or not at all, and
// prints its hash.
func writeAll(repository, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, function := range functions {
		var archive bytes.Buffer
		if err := write(&archive, repository, function); err != nil {
			return fmt.Errorf("the archive of %s: %w", function, err)
		}
		name := filepath.Join(folder, function+".zip")
		if err := os.WriteFile(name+".part", archive.Bytes(), 0o644); err != nil {
			return err
		}
		if err := os.Rename(name+".part", name); err != nil {
			return err
		}
		fmt.Printf("%x  %s\n", sha256.Sum256(archive.Bytes()), name)
	}
	return nil
}

// Command archive writes the functions' source archives, which Terraform also
// makes by itself: dist/console.zip, dist/planner.zip, dist/executor.zip,
// dist/session.zip, dist/shops.zip and dist/sweeper.zip.
//
// Google's builder compiles the package at the root of an archive. So the
// files of functions/<name> stand there, beside go.mod, go.sum and the folders
// that the functions share; what only tests and measurements need stays out.
// The rule is terraform/modules/source/rule.json, which Terraform reads too.
//
// The same files give the same bytes: entries are sorted and carry no time, as
// in the archives that Terraform's archive provider writes.
package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"unicode/utf8"
)

// functions are the folders of functions/ that are deployed.
var functions = []string{"console", "executor", "planner", "session", "shops", "sweeper"}

// rule says what goes into every archive beside the function's own files.
type rule struct {
	Files   []string `json:"files"`
	Folders []string `json:"folders"`
	// Exclude matches the names of files that stay out.
	Exclude string `json:"exclude"`
}

func readRule(repository string) (rule, error) {
	text, err := os.ReadFile(filepath.Join(repository, "terraform", "modules", "source", "rule.json"))
	if err != nil {
		return rule{}, err
	}
	var r rule
	return r, json.Unmarshal(text, &r)
}

// files lists the archive of a function: names in the archive, and paths in
// the repository, both with slashes.
func files(repository, function string) (map[string]string, error) {
	r, err := readRule(repository)
	if err != nil {
		return nil, err
	}
	exclude, err := regexp.Compile(r.Exclude)
	if err != nil {
		return nil, fmt.Errorf("rule.json: exclude: %w", err)
	}
	found := map[string]string{}
	for _, name := range r.Files {
		found[name] = name
	}
	roots := map[string]string{"functions/" + function: ""}
	for _, folder := range r.Folders {
		roots[folder] = folder
	}
	for from, to := range roots {
		if err := walk(repository, from, to, found); err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(found, func(name, _ string) bool { return exclude.MatchString(name) })
	return found, nil
}

// walk adds every file below the folder from, under names that begin with to.
func walk(repository, from, to string, found map[string]string) error {
	folder := os.DirFS(filepath.Join(repository, filepath.FromSlash(from)))
	return fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found[path.Join(to, name)] = path.Join(from, name)
		return nil
	})
}

// write writes the archive of a function.
func write(to io.Writer, repository, function string) error {
	listed, err := files(repository, function)
	if err != nil {
		return err
	}
	archive := zip.NewWriter(to)
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		content, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(listed[name])))
		if err != nil {
			return err
		}
		if !utf8.Valid(content) {
			return fmt.Errorf("%s is not UTF-8 text; Terraform puts nothing else into an archive",
				listed[name])
		}
		entry, err := archive.Create(name)
		if err != nil {
			return err
		}
		if _, err := entry.Write(content); err != nil {
			return err
		}
	}
	return archive.Close()
}

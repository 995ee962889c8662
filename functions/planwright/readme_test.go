package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Where the tested blocks stand.
const (
	commandsReadme = "README.md"
	serverReadme   = "../emulator/README.md"
)

// TestTheReadmesCommandsWork runs the blocks that the READMEs mark as tested,
// as a reader would, one after the other in one folder.
func TestTheReadmesCommandsWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shared, err := filepath.Abs(testdata("."))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shared, filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	s := start(t, filepath.Join(dir, "local"))
	for _, block := range []struct {
		file, name string
		needs      []string
		want       []string
	}{
		{serverReadme, "server", []string{"curl"}, []string{"Decrease the price by 5%", "B202,yoga,23.74,true", `"rows_changed":2`, `"next_page_token"`}},
		{commandsReadme, "goal", []string{"curl"}, []string{`"type":"save_preview"`, `"type":"finalize_goal"`, `"step":"finalized"`}},
		{commandsReadme, "sequence", nil, []string{"AgentD  Agent A failed, B and C were skipped, D completed.", "Sequence complete"}},
		{commandsReadme, "commands", nil, []string{"planned", "dry run", "completed", "skipped", "verified", "Undo plan_increase"}},
		{commandsReadme, "audit", []string{"jq", "sqlite3"}, []string{`"rows_changed":2`, `"status":"skipped"`, `"price":"32.99"`, "Increase the price", `"in_stock":false`, "|completed|"}},
	} {
		script := strings.ReplaceAll(tested(t, block.file, block.name), "http://localhost:8080", s.address)
		script = without(t, script, block.needs)
		out := typeLines(t, dir, script)
		for _, want := range block.want {
			if script != "" && !strings.Contains(out, want) && len(missing(block.needs)) == 0 {
				t.Errorf("%s: %q is not in the output:\n%s", block.name, want, out)
			}
		}
	}
}

// TestTheFirstReadmesLinesWork types what the first README has for the folders and the
// command line, with the program on the path.
func TestTheFirstReadmesLinesWork(t *testing.T) {
	t.Parallel()
	if len(missing([]string{"curl"})) > 0 {
		t.Skip("there is no curl here")
	}
	dir := t.TempDir()
	shared, err := filepath.Abs(testdata("."))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shared, filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	s := start(t, filepath.Join(dir, "local"))
	const asks = "/planner/v1/executions/plan_discount_yoga_5pct_v1"
	folders := strings.ReplaceAll(linesBelow(t, "../../README.md", "## The API and the folders"), "http://localhost:8080", s.address)
	asked := "curl " + s.address + asks
	waits := "until " + asked + " | grep -q '\"completed\"'; do sleep 1; done\n" + asked
	if !strings.Contains(folders, asked) {
		t.Fatalf("no line asks for what became of the table:\n%s", folders)
	}
	out := typeLines(t, dir, strings.Replace(folders, asked, waits, 1))
	out += typeLines(t, dir, strings.Replace(linesBelow(t, "../../README.md", "## Command line"), "make build && ", "", 1))
	for _, want := range []string{"B202,yoga,23.74,true", `"rows_changed":2`, "planned", "completed", "verified"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in the output:\n%s", want, out)
		}
	}
}

// linesBelow returns the first block of commands below a heading.
func linesBelow(t *testing.T, file, heading string) string {
	t.Helper()
	_, below, found := strings.Cut(read(t, file), heading+"\n")
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(below)
	if !found || block == nil {
		t.Fatalf("%s has no commands below %q", file, heading)
	}
	return block[1]
}

// typeLines types lines in a folder, in which planwright is on the path, and returns what
// they print.
func typeLines(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+pathWith(t)+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// tested returns the block of a file after the marker of that name.
func tested(t *testing.T, file, name string) string {
	t.Helper()
	pattern := regexp.MustCompile("(?s)<!-- tested: " + name + " -->\n```sh\n(.*?)```")
	found := pattern.FindStringSubmatch(read(t, file))
	if found == nil {
		t.Fatalf("%s has no tested block %q", file, name)
	}
	return found[1]
}

// without drops the lines that need a program this machine does not have.
func without(t *testing.T, script string, programs []string) string {
	t.Helper()
	for _, program := range missing(programs) {
		t.Logf("there is no %s here: its lines of the README are not tested", program)
		var kept []string
		for _, line := range strings.Split(strings.ReplaceAll(script, "\\\n", " "), "\n") {
			if !strings.Contains(line, program) {
				kept = append(kept, line)
			}
		}
		script = strings.Join(kept, "\n")
	}
	return script
}

func missing(programs []string) []string {
	var none []string
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			none = append(none, program)
		}
	}
	return none
}

// pathWith returns a folder with the program under its own name.
func pathWith(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asProgram, self)
	if err := os.WriteFile(filepath.Join(dir, "planwright"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTheReadmesNameWhatExists checks the make targets and files that the
// READMEs name.
func TestTheReadmesNameWhatExists(t *testing.T) {
	makefile := read(t, "../../Makefile")
	for _, path := range readmes(t) {
		text := read(t, path)
		for _, target := range regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+target[1]+":") {
				t.Errorf("%s: there is no make target %s", path, target[1])
			}
		}
		for _, link := range regexp.MustCompile(`\]\(([^)h#][^)#]*)[^)]*\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", path, link[1])
			}
		}
	}
}

// TestHabitsNameFiles looks for each file that shared/README.md names under How to change
// things: below the root, below shared, or beside the file named before it.
func TestHabitsNameFiles(t *testing.T) {
	_, habits, _ := strings.Cut(read(t, "../../shared/README.md"), "## How to change things\n")
	habits, _, _ = strings.Cut(habits, "\n## ")
	found, beside := 0, ""
	for _, name := range regexp.MustCompile("`([a-zA-Z_./]+[.](?:go|json|md|tf|html|txt|hcl))`").FindAllStringSubmatch(habits, -1) {
		if strings.Contains(name[1], "NAME") {
			if dir := filepath.Join("../../shared", filepath.Dir(name[1])); isDirectory(dir) {
				beside = dir
			}
			continue
		}
		found++
		places := []string{"../../" + name[1], "../../shared/" + name[1], filepath.Join(beside, name[1])}
		at := slices.IndexFunc(places, func(path string) bool { _, err := os.Stat(path); return err == nil })
		if at < 0 {
			t.Errorf("shared/README.md names %s, which is not there", name[1])
			continue
		}
		beside = filepath.Dir(places[at])
	}
	if found < 30 {
		t.Errorf("only %d files are named", found)
	}
}

// readmes returns the path of every README of the project.
func readmes(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.Name() == "README.md" {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) < 5 {
		t.Fatalf("%d READMEs found: %v", len(found), err)
	}
	return found
}

func TestTheFirstReadmeIsAWayIn(t *testing.T) {
	text := read(t, "../../README.md")
	for _, command := range newRoot(environment{lookup: os.LookupEnv}).Commands() {
		if name := command.Name(); name != "help" && name != "completion" && !strings.Contains(text, name) {
			t.Errorf("the README does not name the command %s", name)
		}
	}
	for _, place := range regexp.MustCompile(`(?m)^((?:functions|shared|terraform|prompts)[a-z/]*)  `).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("../..", place[1])); err != nil {
			t.Errorf("the README's layout names %s, which is not there", place[1])
		}
	}
}

func isDirectory(path string) bool {
	found, err := os.Stat(path)
	return err == nil && found.IsDir()
}

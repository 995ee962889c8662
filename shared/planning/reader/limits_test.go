package reader

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What can be read in an afternoon has an end. A new wording is a line of data; who
// reaches a limit looks for what two constructs have in common. Brands, tags, products'
// names, titles, sales and costs have 447 lines of Go, 4 KB of data and 40 rules of these;
// what is supposed, dated or left out of a reading that is offered has 310 lines and 6 KB; what
// a table makes of words that may be two things, such as a sale, has 62 lines and 1 KB; what rows
// in common decide, what a heading is for and what an exception leaves out has 283 lines, more
// than was taken out for it; what may be a brand, a condition or the shop's cost, and may be not, 60.
const (
	maxFiles         = 26
	maxGoLines       = 7_592
	maxFunctionLines = 60
	maxDataBytes     = 119_399
	maxLineBytes     = 120
	maxRules         = 649
)

func TestThePackageStaysSmallEnoughToRead(t *testing.T) {
	files, lines := 0, 0
	for _, pattern := range []string{"*.go", "../*.go", "../model/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			files++
			lines += linesOf(t, path)
			checkFunctions(t, path)
		}
	}
	if files > maxFiles || lines > maxGoLines {
		t.Errorf("%d lines in %d files, want at most %d in %d", lines, files, maxGoLines, maxFiles)
	}
	if size := len(lexiconText) + len(refusalText) + len(grammarText); size > maxDataBytes {
		t.Errorf("the data has %d bytes, want at most %d", size, maxDataBytes)
	}
	for name, text := range map[string]string{"lexicon.txt": lexiconText, "refusals.txt": refusalText, "grammar.txt": grammarText} {
		for i, line := range strings.Split(text, "\n") {
			if len(line) >= maxLineBytes {
				t.Errorf("%s:%d has %d bytes, want less than %d", name, i+1, len(line), maxLineBytes)
			}
		}
	}
	rules := 0
	for _, line := range strings.Split(grammarText, "\n") {
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			rules++
		}
	}
	if t.Logf("%d lines of Go, %d rules", lines, rules); rules > maxRules {
		t.Errorf("%d rules, want at most %d", rules, maxRules)
	}
}

func linesOf(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

func checkFunctions(t *testing.T, path string) {
	t.Helper()
	set := gotoken.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, declared := range file.Decls {
		if f, is := declared.(*ast.FuncDecl); is {
			if lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; lines > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, want at most %d", path, f.Name.Name, lines, maxFunctionLines)
			}
		}
	}
}

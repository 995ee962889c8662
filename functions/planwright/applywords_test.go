package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

const wordsTable = "sku,category,brand,price,in_stock\ncc-beanie,Hats,Nike,10.00,true\nA-1,Hats,Nike,20.00,true\nA-2,Mugs,Acme,5.00,true\n"

// words runs apply of an instruction for a person who types an answer.
func words(t *testing.T, dir, answer string, asks bool, more ...string) (code int, stdout, stderr string) {
	t.Helper()
	return answered(t, dir, strings.NewReader(answer), asks, more...)
}

func answered(t *testing.T, dir string, answer io.Reader, asks bool, more ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	args := append([]string{"apply", "--instruction", "Raise all hats by 10% except cc-beanie", "--csv", dir + "/p.csv", "--out", dir + "/out.csv", "--audit", dir + "/audit.jsonl", "--db", dir + "/executions.db"}, more...)
	code = run(t.Context(), args, environment{
		stdin: answer, stdout: &out, stderr: &err, asks: asks,
		lookup: func(string) (string, bool) { return "", false },
	})
	return code, out.String(), err.String()
}

func wordsDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/p.csv", []byte(wordsTable), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

const wordsChanged = "sku,category,brand,price,in_stock\ncc-beanie,Hats,Nike,10.00,true\nA-1,Hats,Nike,22.00,true\nA-2,Mugs,Acme,5.00,true\n"

// TestApplyWords plans in the table's words, shows the effect, and carries the plan
// out once somebody agrees.
func TestApplyWords(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		asks   bool
		more   []string
	}{
		"agreed to": {"yes\n", true, nil},
		"with yes":  {"", false, []string{"--yes"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := wordsDir(t)
			code, stdout, stderr := words(t, dir, test.answer, test.asks, test.more...)
			if code != exitDone || read(t, dir+"/out.csv") != wordsChanged {
				t.Fatalf("exit code %d\n%s%s\n%s", code, stdout, stderr, read(t, dir+"/out.csv"))
			}
			for _, want := range []string{"planned    plan_", "except SKU cc-beanie", "dry run"} {
				if !strings.Contains(stdout, want) {
					t.Errorf("%q is not said:\n%s", want, stdout)
				}
			}
		})
	}
}

// TestApplyWordsNotAgreed writes nothing for who does not agree, or cannot be asked.
func TestApplyWordsNotAgreed(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		asks   bool
		more   []string
		code   int
		want   string
	}{
		"Enter":          {"\n", true, nil, exitFailed, "Nothing was carried out"},
		"cannot ask":     {"", false, nil, exitUsage, "--yes is required"},
		"a dry run":      {"", false, []string{"--dry-run"}, exitDone, ""},
		"a plan as well": {"", true, []string{"--plan", "p.json"}, exitUsage, "plan"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := wordsDir(t)
			code, stdout, stderr := words(t, dir, test.answer, test.asks, test.more...)
			if code != test.code || !strings.Contains(stderr, test.want) || read(t, dir+"/out.csv") != "" || read(t, dir+"/audit.jsonl") != "" {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

// editing is a person who edits the table before answering.
type editing struct {
	path   string
	answer *strings.Reader
}

func (e editing) Read(p []byte) (int, error) {
	if e.answer.Len() == int(e.answer.Size()) {
		if err := os.WriteFile(e.path, []byte(strings.Replace(wordsTable, "20.00", "2000.00", 1)), 0o600); err != nil {
			return 0, err
		}
	}
	return e.answer.Read(p)
}

// TestApplyWordsOfAnEditedTable refuses what nobody was shown, and carries it out once
// it was.
func TestApplyWordsOfAnEditedTable(t *testing.T) {
	dir := wordsDir(t)
	code, stdout, stderr := answered(t, dir, editing{dir + "/p.csv", strings.NewReader("yes\n")}, true)
	if code != exitFailed || !strings.Contains(stderr, "The table changed after you agreed.") || read(t, dir+"/out.csv") != "" || !strings.Contains(read(t, dir+"/audit.jsonl"), "table changed after") {
		t.Fatalf("exit code %d\n%s%s\n%s", code, stdout, stderr, read(t, dir+"/out.csv"))
	}
	if code, stdout, stderr := words(t, dir, "yes\n", true); code != exitDone || !strings.Contains(read(t, dir+"/out.csv"), "2200.00") {
		t.Errorf("again: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestPlanOfATable plans in the words of --csv.
func TestPlanOfATable(t *testing.T) {
	dir := wordsDir(t)
	code, stdout, stderr := cli(t, "plan", "--instruction", "Raise all Nike products by 10% except cc-beanie", "--csv", dir+"/p.csv", "--plan-out", dir+"/plan.json", "--db", dir+"/executions.db")
	if made := read(t, dir+"/plan.json"); code != exitDone || !strings.Contains(made, `"brands"`) || !strings.Contains(made, `"exclude_skus"`) {
		t.Errorf("exit code %d\n%s%s%s", code, stdout, stderr, made)
	}
	for instruction, want := range map[string]string{
		"Raise all Nike products by 10%": "p.csv: 3 rows, of which it would change 2\n",
		"Raise Nike under $1 by 10%":     "p.csv: 3 rows, of which it would change 0\n  warning: The plan matched no row.",
	} {
		if code, stdout, stderr := cli(t, "plan", "--instruction", instruction, "--csv", dir+"/p.csv", "--db", dir+"/executions.db"); code != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit code %d\n%s%s, want %q", instruction, code, stdout, stderr, want)
		}
	}
	write(t, dir+"/bad.csv", "sku,brand,price\nA,Nike,free\n")
	if code, stdout, stderr := cli(t, "plan", "--instruction", "Raise Nike by 10%", "--csv", dir+"/bad.csv", "--db", dir+"/executions.db"); code != exitDone || !strings.Contains(stdout, "warning: apply will refuse the table.") || !strings.Contains(stdout, "value free") {
		t.Errorf("a table that apply refuses: exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := cli(t, "plan", "--instruction", "Raise all by 10%", "--csv", dir+"/none.csv", "--plan-out", dir+"/plan.json"); code != exitUsage || !strings.Contains(stderr, "--csv") {
		t.Errorf("no table: exit code %d\n%s", code, stderr)
	}
}

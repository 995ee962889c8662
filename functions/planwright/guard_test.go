package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoCommandWritesOverWhatIsThere gives every flag that names a file to write every file
// that is not to be written over, under its own name and under others.
func TestNoCommandWritesOverWhatIsThere(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	write(t, d.path("first.json"), goodPlan)
	write(t, d.path("plan.json"), strings.NewReplacer("plan_fitness_v1", "plan_second_v1", `"value": 10`, `"value": 20`).Replace(goodPlan))
	write(t, d.path("other.csv"), "sku,price\nB,1.00\n")
	write(t, d.path("notes.txt"), "call Ana\n")
	write(t, d.path("data/state.db"), read(t, d.path("executions.db")))
	for _, name := range []string{"outbox/plan_x_v1/p.csv", "audit/changes/plan_x_v1.jsonl", "tables/X/table", "inbox/.planwright/drops/1.data", "inbox/plan_x_v1/p.csv"} {
		write(t, d.path("data/"+name), "sku,price\nC,1.00\n")
	}
	log := read(t, d.path("logs/audit.jsonl"))
	write(t, d.path("data/audit/executions/plan_x_v1.jsonl"), log)
	victims := []string{
		"in.csv", "other.csv", "notes.txt", "first.json", "out.csv", "logs/audit.jsonl", "logs/changes/plan_fitness_v1.jsonl",
		"executions.db", "executions.db.d/state.key", "executions.db.d/audit/log/key", "data/state.db", "data/outbox/plan_x_v1/p.csv",
		"data/audit/executions/plan_x_v1.jsonl", "data/audit/changes/plan_x_v1.jsonl", "data/tables/X/table",
		"data/inbox/.planwright/drops/1.data", "data/inbox/plan_x_v1/p.csv",
	}
	goesOn := map[string]string{ // what a command goes on with, by its own name
		"--audit": "logs/audit.jsonl", "--plan-out": "first.json", "--db": "executions.db", "plan --db": "executions.db",
	}
	before := filesIn(t, d.dir)
	for _, flag := range []string{"--out", "--audit", "--changes", "--db", "--plan-out", "plan --db"} {
		for _, victim := range victims {
			for way, path := range d.waysTo(victim) {
				if goesOn[flag] == victim && (way != "hard link" || flag == "--plan-out") || strings.HasSuffix(flag, "--db") && victim == "data/state.db" {
					continue
				}
				code, stdout, stderr := d.writeTo(flag, path)
				refused := code == exitUsage || flag == "--changes" && code == exitFailed // where it is one of changes
				if !refused && way != "case" || code == exitDone && victim == "in.csv" {
					t.Errorf("%s over %s, by %s: exit code %d\n%s%s", flag, victim, way, code, stdout, stderr)
				}
				for name, content := range before {
					if now, _ := os.ReadFile(name); string(now) != content && !strings.HasPrefix(filepath.Base(name), "executions.db-") {
						t.Fatalf("%s over %s, by %s: %s was changed\n%s%s", flag, victim, way, name, stdout, stderr)
					}
				}
				for name := range filesIn(t, d.dir) {
					if _, was := before[name]; !was {
						os.Remove(name)
					}
				}
			}
		}
	}
}

// waysTo are paths that lead to a file, by how they do. The other case leads to it on disks
// that ignore case.
func (d *desk) waysTo(victim string) map[string]string {
	d.t.Helper()
	ways := map[string]string{
		"name":          d.path(victim),
		"detour":        d.dir + "/none/../logs/./../" + victim,
		"case":          filepath.Join(filepath.Dir(d.path(victim)), strings.ToUpper(filepath.Base(victim))),
		"symbolic link": filepath.Join(d.t.TempDir(), "link.csv"),
		"hard link":     filepath.Join(d.t.TempDir(), "link.csv"),
	}
	if err := os.Symlink(d.path(victim), ways["symbolic link"]); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Link(d.path(victim), ways["hard link"]); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { os.Remove(ways["hard link"]) })
	if here, err := os.Getwd(); err == nil {
		ways["relative path"], _ = filepath.Rel(here, d.path(victim))
	}
	return ways
}

// writeTo has a command write to a path, as a flag says, and to new files beside.
func (d *desk) writeTo(flag, path string) (code int, stdout, stderr string) {
	d.t.Helper()
	fresh := d.t.TempDir()
	switch flag {
	case "--plan-out":
		return cli(d.t, "plan", "Raise fitness by 10%.", "--csv", d.path("in.csv"), "--plan-out", path, "--db", fresh+"/x.db")
	case "plan --db":
		return cli(d.t, "plan", "Raise fitness by 10%.", "--csv", d.path("in.csv"), "--plan-out", fresh+"/plan.json", "--db", path)
	}
	return cli(d.t, "apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--sync=false",
		"--out", fresh+"/out.csv", "--audit", fresh+"/audit.jsonl", "--db", fresh+"/x.db", flag, path)
}

// filesIn is the content of every file below a folder.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			found[path] = read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// An execution goes on with the files that it has written itself.
func TestAnExecutionGoesOnWithItsOwnFiles(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	written := filesIn(t, d.dir)
	d.expect(exitDone, "skipped")
	for _, name := range []string{"out.csv", "logs/changes/plan_fitness_v1.jsonl"} {
		if read(t, d.path(name)) != written[d.path(name)] {
			t.Errorf("%s was changed", name)
		}
	}
	empty := d.path("empty.csv") // as mktemp makes it
	write(t, empty, "")
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_second_v1", 1))
	d.expect(exitDone, "completed", "--out", empty)
	torn := d.path("torn.jsonl") // by a power cut
	write(t, torn, read(t, d.path("logs/audit.jsonl"))[:40])
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_third_v1", 1))
	d.expect(exitDone, "completed", "--out", d.path("third.csv"), "--audit", torn)
}

// What the audit log says was carried out is not done again where nothing else knows of it.
func TestApplyBelievesItsLogWithoutRecords(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	for name := range maps.Keys(filesIn(t, d.dir)) {
		if keeps := []string{"plan.json", "in.csv", "audit.jsonl"}; !slices.Contains(keeps, filepath.Base(name)) {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	log := read(t, d.path("logs/audit.jsonl"))
	d.expect(exitFailed, "says that plan_fitness_v1 was carried out at")
	if read(t, d.path("out.csv")) != "" || read(t, d.path("logs/audit.jsonl")) != log {
		t.Error("something was written")
	}
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_fitness_v2", 1))
	d.expect(exitDone, "completed")
}

// An execution id may begin with a dash, or with two.
func TestIDsThatBeginWithADash(t *testing.T) {
	for _, id := range []string{"-sale_v1", "--sale_v1", "-only-hats", "-help-me1", "--outcome"} {
		d := newDesk(t, strings.Replace(goodPlan, "plan_fitness_v1", id, 1), goodTable)
		d.expect(exitDone, "completed")
		for _, args := range [][]string{{"verify", id}, {"verify", "-o", "json", id}, {"verify", "--", id}, {"verify", "--execution", id}} {
			args = slices.Insert(args, 1, "--db", d.path("executions.db"))
			if code, stdout, stderr := cli(t, args...); code != exitDone {
				t.Errorf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
			}
		}
		if code, _, stderr := cli(t, "undo", id, "--csv", d.path("out.csv"), "--out", d.path("back.csv"), "--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db")); code != exitDone || read(t, d.path("back.csv")) != goodTable {
			t.Errorf("undo %s: exit code %d, %s", id, code, stderr)
		}
	}
	for _, args := range [][]string{{"plan", "--nothing1"}, {"verify", "--all=x"}, {"verify", "--nothing1", "--db", "none.db"}} {
		if code, stdout, stderr := cli(t, args...); code != exitUsage {
			t.Errorf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
}

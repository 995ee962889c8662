package verify_test

import (
	"context"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/verify"
)

// worded is the engine with a warning of its own, in words of its own.
type worded struct {
	execution.Pricing
	build, words string
}

func (w worded) Build() string { return w.build }

func (w worded) Run(ctx context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	did, err := w.Pricing.Run(ctx, task, in, out, changes...)
	did.Warnings = append(did.Warnings, pricing.Warning{Code: "of_this_test", Rows: 2, Message: w.words})
	return did, err
}

// otherWords replaces the table of words until the test ends.
func otherWords(t *testing.T) {
	t.Helper()
	words := maps.Clone(ledger.Words)
	for key, text := range words {
		words[key] = "As we say today: " + text
	}
	useWords(t, words)
}

func useWords(t *testing.T, words map[string]string) {
	t.Helper()
	before := ledger.Words
	t.Cleanup(func() { ledger.Words = before })
	ledger.Words = words
}

// noted returns the faults and the notes of an execution, in order.
func noted(t *testing.T, v verify.Verifier) (faults, notes []string, otherBuild bool) {
	t.Helper()
	findings, err := v.Verify(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		notes = append(notes, finding.Notes...)
		if finding.Fault != "" {
			faults, otherBuild = append(faults, finding.What+": "+finding.Fault), finding.OtherBuild
		}
	}
	return faults, notes, otherBuild
}

// What was told in other words than today's is proven all the same, and is said
// to differ in words alone; an edit of it is still found.
func TestWordsThatWereChosenAnew(t *testing.T) {
	build := pricing.Build
	s := newShopWith(t, worded{build: build, words: "Two rows are odd."})
	s.Engine = worded{build: build, words: "2 rows look strange."}
	otherWords(t)
	faults, notes, _ := noted(t, s.Verifier)
	printed := strings.Join(notes, "\n")
	if len(faults) > 0 || len(notes) != 3 || !strings.Contains(printed, ".failed-") || !strings.Contains(printed, ".skipped-") || !strings.Contains(printed, "the warnings were written by an older wording") {
		t.Errorf("faults: %q\nnotes: %q", faults, notes)
	}
	s.replace("outbox/*/*.failed-*.txt", "No price", "One price")
	if faults, _, _ := noted(t, s.Verifier); len(faults) != 1 || !strings.Contains(faults[0], "the notices of") {
		t.Errorf("an edited notice: %q", faults)
	}
}

// A code or an argument is no wording.
func TestAnotherWarningIsFound(t *testing.T) {
	s := newShopWith(t, worded{build: pricing.Build, words: "Two rows are odd."})
	s.Engine = execution.Pricing{}
	if faults, _, _ := noted(t, s.Verifier); len(faults) != 1 || !strings.Contains(faults[0], "of_this_test") {
		t.Errorf("a warning that nothing gives: %q", faults)
	}
}

// What another build of the engine made, and this one cannot make again, is said
// to be unproven by it.
func TestAnotherBuildIsNamed(t *testing.T) {
	s := newShopWith(t, worded{build: "of yesterday", words: "Two rows are odd."})
	s.Engine = worded{build: "of today", words: "Two rows are odd."}
	if faults, notes, _ := noted(t, s.Verifier); len(faults) != 0 || len(notes) != 1 || notes[0] != "engine build of yesterday made it; this is build of today" {
		t.Errorf("another build that does the same: %q, %q", faults, notes)
	}
	s.Engine = execution.Pricing{}
	if faults, _, other := noted(t, s.Verifier); len(faults) != 1 || !other || !strings.Contains(faults[0], "only that build can prove it") {
		t.Errorf("another build that does something else: %q", faults)
	}
}

// What builds 5 to 7 told of names that no row has was not hashed, and said in
// other words: these it is held against, and no others.
func TestWordsFromBeforeTheirHash(t *testing.T) {
	const then = "Make a new plan with the names that the table has, and drop the file into the new plan's folder. Where the table is only a part of the catalogue, drop it here again with the setting named above."
	today := ledger.Words
	words := maps.Clone(today)
	words["name what is"] = then
	useWords(t, words)
	s := openShop(t)
	s.x.Ledger = nameless{s.x.Ledger}
	s.drop(id+"/plan.json", strings.Replace(plan, `"fitness"`, `"fitnes"`, 1))
	s.drop(id+"/p.csv", table)
	s.sign()
	useWords(t, today)
	all := func() (faults, notes []string) {
		err := s.All(t.Context(), func(of verify.Subject) {
			for _, finding := range of.Findings {
				if notes = append(notes, finding.Notes...); finding.Fault != "" {
					faults = append(faults, finding.What)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return faults, notes
	}
	if faults, notes := all(); len(faults) > 0 || len(notes) != 1 || !strings.Contains(notes[0], "older wording") {
		t.Errorf("faults: %q\nnotes: %q", faults, notes)
	}
	s.replace("outbox/*/*.failed-*.txt", "only a part", "not a part")
	if faults, _ := all(); !slices.Contains(faults, "the notices of refused and skipped uploads") {
		t.Errorf("an edited notice: %q", faults)
	}
}

// A store that engine build 2 made is not said to differ where its documents have that
// build's form. What has no form is proven, and an edit of it found, as in any other.
func TestStoreOfBuild2(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-xzf", "testdata/build_2.tar.gz", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := openShopIn(t, dir)
	s.Leaves = s.Ledger.(ledger.LeafStore)
	findings := func() (unproven, differ []string) {
		err := s.All(t.Context(), func(of verify.Subject) {
			for _, finding := range of.Findings {
				if finding.OtherBuild {
					unproven = append(unproven, finding.What)
				} else if finding.Fault != "" {
					differ = append(differ, finding.What)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return unproven, differ
	}
	if unproven, differ := findings(); len(unproven) == 0 || len(differ) > 0 {
		t.Errorf("unproven: %q\ndiffer: %q", unproven, differ)
	}
	s.replace("outbox/*/products.csv", "A101", "A001")
	if _, differ := findings(); !slices.Contains(differ, "the output file") || !slices.Contains(differ, "every object and its description") {
		t.Errorf("an edited output: %q", differ)
	}
	if _, err := s.db.ExecContext(t.Context(), `UPDATE audit_documents SET document = replace(document, '"rows_changed":2', '"rows_changed":1')`); err != nil {
		t.Fatal(err)
	}
	if _, differ := findings(); !slices.Contains(differ, "the database's own tables") {
		t.Errorf("an edited document: %q", differ)
	}
}

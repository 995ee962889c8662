package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var (
	edits    = flag.Int("edits", 20, "random edits of each kind of folder that verify --all must find")
	editSeed = flag.Uint64("edits.seed", 1, "where the random edits begin")
)

const tamperedTable = "sku,category,price,in_stock\nA101,fitness,29.99,true\nA102,fitness,39.99,true\nB201,yoga,19.99,false\n"

func tamperPlan(id string) string {
	return fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase fitness prices by 10%%.",
		"operations": [{"operation_id": "op_01", "filter": {"categories": ["fitness"]}, "action": {"type": "percent_increase", "value": 10}}]}`, id)
}

// TestEveryEditOfWhatIsShownIsFound edits a server's folder and the files of
// apply, once each time, at random: a bit, a file, a column, a row, a status. Whatever
// changes something that a person or an API is shown, or a byte of an input,
// an output, the changes or the audit, verify --all must find.
func TestEveryEditOfWhatIsShownIsFound(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*testing.T, string) tampered{"server": servedFolder, "apply": appliedFolder} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			untouched := filepath.Join(parent, "untouched")
			dir := filepath.Join(parent, "edited") // apply's paths are absolute: it is made and verified here
			folder := make(t, dir)
			copyFolder(t, dir, untouched)
			before := folder.shown(t, dir)
			if code, stdout, stderr := folder.verify(t, dir); code != 0 {
				t.Fatalf("untouched: exit %d\n%s%s", code, stdout, stderr)
			}
			unseen, found := map[string]int{}, 0
			for n := range *edits {
				random := rand.New(rand.NewPCG(*editSeed, uint64(n)))
				copyFolder(t, untouched, dir)
				what := strings.Replace(folder.edit(t, random, dir), storeFolder, "", 1)
				differ := differences(before, folder.shown(t, dir))
				code, stdout, _ := folder.verify(t, dir)
				switch {
				case code != 0:
					found++
				case len(differ) > 0:
					t.Errorf("edit %d, %s: %v changed and verify --all did not find it\n%s", n, what, differ, stdout)
				case !excusedEdit(what):
					t.Errorf("edit %d, %s: verify --all did not find it, and nothing says why it need not\n%s", n, what, stdout)
				default:
					unseen[kindOfEdit(what)]++
				}
			}
			t.Logf("%d of %d edits were found", found, *edits)
			for _, kind := range slices.Sorted(maps.Keys(unseen)) {
				t.Logf("not found, and excused: %4d of %s", unseen[kind], kind)
			}
		})
	}
}

// excused are the edits that verify --all need not find as long as nothing that is
// shown changes, each with why nobody is misled. The README of the command lists them.
var excused = []struct {
	why  string
	what *regexp.Regexp
}{
	{"nothing was changed", regexp.MustCompile(`^(nothing|refused: .*)$`)},
	{"people's own files, which were copied as they were taken", regexp.MustCompile(`^[^:]*: (inbox/(plan_\w+/)?(plan\.json|\w+\.csv)|plan\.json|(p|broken)\.csv)$`)},
	{"a result that its owner took away: the store has it, and says that it is gone", regexp.MustCompile(`^removed: (out\.csv|changes/\w+\.jsonl)$`)},
	{"which files of people belong to what: those of the store are compared in any case", regexp.MustCompile(`^(column: own_files\.\w+|row removed: own_files)$`)},
	{"it signs what comes; what was signed is held against the public key", regexp.MustCompile(`^[^:]*: state\.key$`)},
	{"marks on files that were dropped: at worst one is taken anew, and an execution is done once", regexp.MustCompile(`^(column: (inbox|inbox_folder)\.\w+|row removed: (inbox|inbox_folder))$`)},
	{"a table that was refused, or a plan that was stored, is gone; one that was applied is missed", regexp.MustCompile(`^removed: inbox/\.planwright/drops/.*\.json$`)},
	{"a notice that is of no execution is gone: the hourly look through the inbox writes it again", regexp.MustCompile(`^removed: outbox/(_unclaimed/.*|plan_\w+/plan\.json\.failed-.*)\.txt$`)},
	{"which changes are indexed: where none are, they are read from their file again", regexp.MustCompile(`^(column: indexed\.execution_id|row removed: indexed)$`)},
	{"lines that are not in their logs yet: one that is in none is missed", regexp.MustCompile(`^(column: unwritten_lines\.\w+|row removed: unwritten_lines)$`)},
	{"of which schema the tables are: the next start says that it does not know them", regexp.MustCompile(`^(column: schemas\.\w+|row removed: schemas)$`)},
	{"marks of the work: when a record is looked at again, by whom, how far it was", regexp.MustCompile(`^column: (tree\.revision|execution_records\.(revision|due_at|post_at|document\.(due_at|post_at|lease_until|holder|timeouts|bytes_read|attempt|recorded\.\w+)))$`)},
	{"where a log is that a record names, too: a line that is in no log is missed", regexp.MustCompile(`^row removed: logs$`)},
	{"posts on their way to the webhook: what they tell of is on the page that they lead to, and nobody decides in them", regexp.MustCompile(`^column: execution_records\.document\.posts\b.*$`)},
	{"in which document a change is: all are compared, in their order", regexp.MustCompile(`^column: changes\.number$`)},
	{"room in the file of records that none lies in", regexp.MustCompile(`^(a bit|bytes appended): (state|executions)\.db$`)},
}

func excusedEdit(what string) bool {
	for _, excuse := range excused {
		if excuse.what.MatchString(what) {
			return true
		}
	}
	return false
}

// tampered is a folder that is edited.
type tampered struct {
	state string   // the file of records
	plans []string // execution ids
	input string   // the path of the table that was taken
}

// servedFolder is what a server leaves that completed one execution after a
// failed upload and before a skipped one, undid its output, failed at another,
// proposes a third, refused a plan, and found a table that names none.
func servedFolder(t *testing.T, dir string) tampered {
	s := start(t, dir)
	const done, undone, failed, waiting = "plan_fitness_v1", "plan_undoes_fitness_v1", "plan_broken_v1", "plan_waiting_v1"
	drop := func(id, name, content string) { write(t, filepath.Join(dir, "inbox", id, name), content) }
	broken := strings.Replace(tamperedTable, "29.99", "cheap", 1)
	drop(done, "plan.json", tamperPlan(done))
	drop(failed, "plan.json", tamperPlan(failed))
	drop(done, "broken.csv", broken)
	s.waitFor("outbox/" + done + "/broken.csv.failed-*.txt")
	drop(done, "p.csv", tamperedTable)
	s.waitFor("audit/executions/" + done + ".jsonl")
	drop(done, "late.csv", tamperedTable)
	drop(failed, "p.csv", broken)
	s.waitFor("outbox/" + done + "/late.csv.skipped-*.txt")
	s.waitFor("outbox/" + failed + "/p.csv.failed-*.txt")
	drop(waiting, "plan.json", strings.Replace(tamperPlan(waiting), `"operations"`, `"approval": "always", "operations"`, 1))
	drop(waiting, "p.csv", tamperedTable)
	drop("plan_refused_v1", "plan.json", "{}")
	drop("", "loose.csv", tamperedTable)
	if code, body := s.call(http.MethodPost, "/planner/v1/executions/"+done+":undo", "application/json", `{"execution_id": "`+undone+`", "table": "output"}`); code != http.StatusCreated {
		t.Fatalf("undo: %d, %s", code, body)
	}
	for _, pattern := range []string{"outbox/" + waiting + "/p.csv.proposed-*.txt", "outbox/plan_refused_v1/plan.json.failed-*.txt", "outbox/_unclaimed/loose.csv-*.txt", "audit/executions/" + undone + ".jsonl"} {
		s.waitFor(pattern)
	}
	s.stop()
	return tampered{state: "state.db", plans: []string{done, undone, failed, waiting}, input: s.dropped(done + "/p.csv")}
}

// dropped is where the server keeps the table that was dropped under a name.
func (s *server) dropped(name string) string {
	s.t.Helper()
	records, _ := filepath.Glob(filepath.Join(s.data, "inbox/.planwright/drops/*/*.json"))
	for _, path := range records {
		if record, _ := os.ReadFile(path); strings.Contains(string(record), name) {
			return strings.TrimSuffix(path, ".json") + ".data"
		}
	}
	s.t.Fatalf("no drop of %s", name)
	return ""
}

// waitFor waits until a file is there.
func (s *server) waitFor(pattern string) {
	s.t.Helper()
	eventually(s.t, pattern, func() bool {
		found, _ := filepath.Glob(filepath.Join(s.data, pattern))
		return len(found) > 0
	})
}

// appliedFolder is what apply leaves of three runs: failed, completed, skipped.
func appliedFolder(t *testing.T, dir string) tampered {
	const id = "plan_fitness_v1"
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("plan.json"), tamperPlan(id))
	write(t, at("broken.csv"), strings.Replace(tamperedTable, "29.99", "cheap", 1))
	write(t, at("p.csv"), tamperedTable)
	applyOnce(t, at, "broken.csv", 1)
	applyOnce(t, at, "p.csv", 0)
	applyOnce(t, at, "p.csv", 0)
	input, _ := filepath.Glob(at(storeFolder + "inbox/.planwright/drops/*/*.data"))
	return tampered{state: "executions.db", plans: []string{id}, input: input[0]}
}

// storeFolder is the folder of the store of executions.db.
const storeFolder = "executions.db.d/"

func applyOnce(t *testing.T, at func(string) string, table string, want int) {
	t.Helper()
	code, stdout, stderr := cli(t, "apply", "--plan", at("plan.json"), "--csv", at(table), "--out", at("out.csv"),
		"--audit", at("audit.jsonl"), "--db", at("executions.db"), "--sync=false")
	if code != want {
		t.Fatalf("apply of %s: exit %d\n%s%s", table, code, stdout, stderr)
	}
}

func (f tampered) verify(t *testing.T, dir string) (code int, stdout, stderr string) {
	return cli(t, "verify", "--all", "--db", filepath.Join(dir, f.state))
}

// shown is everything that a person or an API is shown: what the planner
// answers, what SQL answers, and the files.
func (f tampered) shown(t *testing.T, dir string) map[string]string {
	t.Helper()
	shown := map[string]string{}
	f.answers(t, filepath.Join(dir, f.state), shown)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if f.showsFile(name) || path == f.input {
			text, err := os.ReadFile(path)
			shown[name] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

func (f tampered) showsFile(name string) bool {
	if strings.Contains(name, ".planwright") || strings.Contains(name, "unclaimed") {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(name, storeFolder), string(filepath.Separator))
	return slices.Contains([]string{"outbox", "audit", "audit.jsonl"}, first)
}

// answers are those of the planner and of the README's own SQL.
func (f tampered) answers(t *testing.T, state string, shown map[string]string) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, state, sqlitedb.Options{NoSync: true})
	if err != nil {
		shown["records"] = "cannot be opened"
		return
	}
	defer store.Close()
	handler := planner.NewHandler(planner.Dependencies{Store: store, InboxBucket: emulator.InboxName})
	calls := []string{"/v1/executions", "/v1/executions?status=failed", "/v1/skus/A101/changes", "/v1/skus/A102/changes"}
	for _, id := range f.plans {
		calls = append(calls, "/v1/executions/"+id, "/v1/executions/"+id+"/changes", "/v1/plans/"+id)
	}
	for _, call := range calls {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, call, nil))
		shown[call] = withoutRequestID(answer.Body.String())
	}
	for _, query := range []string{
		`SELECT execution_id, status, executed_at, plan_json, audit_path FROM executions ORDER BY 1`,
		`SELECT execution_id, upload_id, executed_at, status, document FROM audit_documents ORDER BY 1, 2`,
	} {
		shown[query] = dump(ctx, state, query)
	}
}

func withoutRequestID(body string) string {
	var answer map[string]any
	if json.Unmarshal([]byte(body), &answer) != nil {
		return body
	}
	if failed, ok := answer["error"].(map[string]any); ok {
		delete(failed, "request_id")
	}
	text, _ := json.Marshal(answer)
	return string(text)
}

func dump(ctx context.Context, state, query string) string {
	rows, err := queryState(ctx, state, query)
	if err != nil {
		return "cannot be read"
	}
	return fmt.Sprint(rows)
}

func queryState(ctx context.Context, state, query string, args ...any) ([][]any, error) {
	db, err := sqlitedb.Open(ctx, state, sqlitedb.Options{NoSync: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return readRows(rows)
}

func readRows(rows *sql.Rows) (all [][]any, err error) {
	columns, err := rows.Columns()
	for err == nil && rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		err = rows.Scan(into...)
		all = append(all, row)
	}
	if err == nil {
		err = rows.Err()
	}
	return all, err
}

func differences(before, after map[string]string) (names []string) {
	for name := range maps.Keys(before) {
		if before[name] != after[name] {
			names = append(names, name)
		}
	}
	for name := range maps.Keys(after) {
		if _, ok := before[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// kindOfEdit is what an edit is counted as: without what is random in it.
func kindOfEdit(what string) string {
	kind := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '#'
		}
		return r
	}, what)
	for strings.Contains(kind, "##") {
		kind = strings.ReplaceAll(kind, "##", "#")
	}
	return kind
}

// edit changes one thing and says what.
func (f tampered) edit(t *testing.T, random *rand.Rand, dir string) string {
	t.Helper()
	if random.IntN(2) == 0 {
		return f.editRecords(t, random, filepath.Join(dir, f.state))
	}
	var files []string
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Base(path) != "state.lock" {
			files = append(files, path)
		}
		return err
	})
	path := files[random.IntN(len(files))]
	name, _ := filepath.Rel(dir, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := random.IntN(len(data) + 1)
	what := ""
	switch random.IntN(6) {
	case 0, 1:
		if len(data) == 0 {
			return "nothing"
		}
		at %= len(data)
		data[at] ^= 1 << random.IntN(8)
		what = "a bit"
	case 2:
		data, what = append(data, "{}\n"...), "bytes appended"
	case 3:
		if at == len(data) {
			return "nothing"
		}
		data, what = data[:at], "the end cut off"
	case 4: // beside what executions wrote in a server's folder
		if !strings.HasPrefix(name, "outbox/plan") && !strings.HasPrefix(name, "audit/executions") && !strings.HasPrefix(name, "audit/changes") {
			return "nothing"
		}
		path, what = filepath.Join(filepath.Dir(path), "q"+filepath.Base(path)), "added"
	default:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return "removed: " + placeOf(name)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil { // the same file, as an editor that writes in place
		t.Fatal(err)
	}
	return what + ": " + placeOf(name)
}

// placeOf is a file's name without the hashes in it.
func placeOf(name string) string {
	parts := strings.Split(name, string(filepath.Separator))
	for i, part := range parts {
		if len(part) == 64 {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// editRecords changes a column of a row, removes a row, or adds one.
func (f tampered) editRecords(t *testing.T, random *rand.Rand, state string) string {
	t.Helper()
	ctx := context.Background()
	tables, err := queryState(ctx, state, `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	table := tables[random.IntN(len(tables))][0].(string)
	columns, err := queryState(ctx, state, `SELECT name FROM pragma_table_info(?)`, table)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := queryState(ctx, state, `SELECT * FROM `+table)
	if err != nil || len(rows) == 0 {
		return "nothing"
	}
	row, column := rows[random.IntN(len(rows))], random.IntN(len(columns))
	var where []string
	for i, c := range columns {
		where = append(where, fmt.Sprintf("%s IS ?%d", c[0], i+1))
	}
	condition := " WHERE " + strings.Join(where, " AND ")
	name := columns[column][0].(string)
	if random.IntN(6) == 0 {
		return execState(t, state, "row removed: "+table, `DELETE FROM `+table+condition, row...)
	}
	if name == "status" && table == "execution_records" { // one that the table takes
		others := slices.DeleteFunc([]string{"running", "proposed", "completed", "failed"}, func(status string) bool { return status == row[column] })
		status := others[random.IntN(len(others))]
		return execState(t, state, "status of a record", "UPDATE execution_records SET status = ?1, document = json_set(document, '$.status', ?1) WHERE execution_id = ?2", status, row[0])
	}
	value, inside := changedValue(random, row[column])
	if value == row[column] {
		return "nothing"
	}
	return execState(t, state, "column: "+table+"."+name+inside, fmt.Sprintf(`UPDATE %s SET %s = ?%d%s`, table, name, len(row)+1, condition), append(slices.Clone(row), value)...)
}

// changedValue is another value of the same type: in JSON, one inside it, and where.
func changedValue(random *rand.Rand, value any) (changed any, inside string) {
	switch value := value.(type) {
	case int64:
		return value + 1, ""
	case string:
		var document map[string]any
		if json.Unmarshal([]byte(value), &document) == nil && len(document) > 0 {
			inside = changeInside(random, document)
			text, _ := json.Marshal(document)
			return string(text), inside
		}
		if value == "" {
			return "x", ""
		}
		text := []byte(value)
		at := random.IntN(len(text))
		text[at] = "0123456789abcdefghij"[random.IntN(20)]
		return string(text), ""
	default:
		return "x", ""
	}
}

func changeInside(random *rand.Rand, document map[string]any) (path string) {
	keys := slices.Sorted(maps.Keys(document))
	key := keys[random.IntN(len(keys))]
	switch value := document[key].(type) {
	case map[string]any:
		if len(value) > 0 {
			return "." + key + changeInside(random, value)
		}
		document[key] = nil
	case []any:
		document[key] = append(value, "x")
	case float64:
		document[key] = value + 1
	case bool:
		document[key] = !value
	case string:
		document[key] = value + "1"
	default:
		document[key] = "x"
	}
	return "." + key
}

// execState changes the records. What the tables refuse changes nothing.
func execState(t *testing.T, state, what, statement string, args ...any) string {
	t.Helper()
	db, err := sqlitedb.Open(context.Background(), state, sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		return "refused: " + what
	}
	return what
}

// copyFolder puts a copy of a folder, with its links, in the place of another.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// A whole folder that was put back, or that went another way since, is told by
// a head that was kept elsewhere.
func TestAHeadThatWasNoted(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	d, earlier := &desk{t: t, dir: filepath.Join(parent, "desk")}, filepath.Join(parent, "earlier")
	run := func(id string) {
		write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", id, 1))
		d.expect(exitDone, "completed", "--out", d.path(id+".csv"))
	}
	noted := func() string {
		heads, _ := filepath.Glob(d.path("executions.db.d/audit/log/heads/*"))
		kept := filepath.Join(t.TempDir(), "head")
		write(t, kept, read(t, heads[len(heads)-1]))
		return kept
	}
	verify := func(head string, want int, said string) {
		t.Helper()
		code, stdout, stderr := cli(t, "verify", "--all", "--db", d.path("executions.db"), "--head", head)
		if code != want || !strings.Contains(stdout+stderr, said) {
			t.Errorf("exit code %d, want %d and %q\n%s%s", code, want, said, stdout, stderr)
		}
	}
	write(t, d.path("in.csv"), goodTable)
	run("plan_first_v1")
	first := noted()
	copyFolder(t, d.dir, earlier)
	run("plan_second_v1")
	second := noted()
	verify(first, exitDone, "ok       that the tree goes on from the head that was noted")
	verify(second, exitDone, "verified")
	copyFolder(t, earlier, d.dir)
	verify(first, exitDone, "verified")
	verify(second, exitFailed, "it was put back to an earlier state")
	run("plan_other_v1")
	verify(first, exitDone, "verified")
	verify(second, exitFailed, "the tree went another way")
	verify(d.path("in.csv"), exitFailed, "the head is not signed by the key")
	verify(d.path("none"), exitUsage, "cannot be read")
	if code, _, stderr := cli(t, "verify", "--execution", "plan_first_v1", "--db", d.path("executions.db"), "--head", first); code != exitUsage {
		t.Errorf("with one execution: %d, %s", code, stderr)
	}
}

// A copy of a folder without its links, as cp -r makes it, proves what the folder
// does, an undo of an output too, and is served on without doing anything again.
func TestACopyWithoutLinksIsVerified(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	from, to := filepath.Join(parent, "from"), filepath.Join(parent, "to")
	folder := servedFolder(t, from)
	if out, err := exec.Command("cp", "-r", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	verify := func(when string) {
		t.Helper()
		if code, stdout, stderr := folder.verify(t, to); code != 0 {
			t.Errorf("%s: exit %d\n%s%s", when, code, stdout, stderr)
		}
	}
	verify("copied")
	const outcomes = `SELECT execution_id, upload_id, status FROM audit_documents ORDER BY 1, 2`
	before := dump(t.Context(), filepath.Join(from, folder.state), outcomes)
	s := start(t, to)
	s.drop("plan_after_v1/plan.json", tamperPlan("plan_after_v1"))
	s.drop("plan_after_v1/p.csv", tamperedTable)
	s.waitFor("audit/executions/plan_after_v1.jsonl") // by then every file in the inbox was looked at
	s.stop()
	verify("served")
	if after := dump(t.Context(), filepath.Join(to, folder.state), strings.Replace(outcomes, "ORDER", "WHERE execution_id != 'plan_after_v1' ORDER", 1)); after != before {
		t.Errorf("the copy has other outcomes:\n%s\n%s", after, before)
	}
}

// Records that were copied with their audit log, and went on, are proven: what was
// done before names the files where they were.
func TestACopiedDeskGoesOn(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	first, second := &desk{t: t, dir: filepath.Join(parent, "first")}, &desk{t: t, dir: filepath.Join(parent, "second")}
	write(t, first.path("plan.json"), goodPlan)
	write(t, first.path("in.csv"), goodTable)
	first.expect(exitDone, "completed")
	copyFolder(t, first.dir, second.dir)
	write(t, second.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_fitness_v2", 1))
	second.expect(exitDone, "completed", "--out", second.path("more.csv"))
	verify := func(want int, said string) {
		t.Helper()
		if code, stdout, stderr := cli(t, "verify", "--all", "--db", second.path("executions.db")); code != want || !strings.Contains(stdout, said) {
			t.Errorf("exit code %d, want %d and %q\n%s%s", code, want, said, stdout, stderr)
		}
	}
	second.expect(exitDone, "skipped")
	verify(exitDone, "verified   2 executions")
	log := read(t, second.path("logs/audit.jsonl"))
	line, _, _ := strings.Cut(log[strings.Index(log, "plan_fitness_v2")-len(`{"execution_id":"`):], "\n")
	write(t, second.path("logs/audit.jsonl"), log+line+"\n")
	verify(exitFailed, "is there twice")
}

// Runs leave their lines in the logs that they were given, which may be others
// than the execution's own.
func TestRunsWithLogsOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := &desk{t: t, dir: t.TempDir()}
	write(t, d.path("plan.json"), goodPlan)
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "many", 1))
	d.expect(exitFailed, "many", "--audit", d.path("failed.jsonl"))
	write(t, d.path("in.csv"), goodTable)
	d.expect(exitDone, "completed")
	d.expect(exitDone, "skipped", "--audit", d.path("skipped.jsonl"))
	verify := func(want int, said string) {
		t.Helper()
		if code, stdout, stderr := cli(t, "verify", "--all", "--db", d.path("executions.db")); code != want || !strings.Contains(stdout, said) {
			t.Errorf("exit code %d, want %d and %q\n%s%s", code, want, said, stdout, stderr)
		}
	}
	verify(exitDone, "verified   1 execution")
	for _, name := range []string{"failed.jsonl", "skipped.jsonl", "logs/audit.jsonl"} {
		line := read(t, d.path(name))
		write(t, d.path(name), "")
		verify(exitFailed, "1 line missing")
		write(t, d.path(name), line+line)
		verify(exitFailed, "is there twice")
		write(t, d.path(name), line)
	}
	verify(exitDone, "verified   1 execution")
}

// Lines of a log that were put in another order are found.
func TestAnotherOrderOfTheLogIsFound(t *testing.T) {
	t.Parallel()
	d := &desk{t: t, dir: t.TempDir()}
	write(t, d.path("plan.json"), goodPlan)
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "many", 1))
	d.expect(exitFailed, "many")
	write(t, d.path("in.csv"), goodTable)
	d.expect(exitDone, "completed")
	d.expect(exitDone, "skipped")
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_second_v1", 1))
	d.expect(exitDone, "completed", "--out", d.path("second.csv"))
	log := d.path("logs/audit.jsonl")
	lines := strings.SplitAfter(strings.TrimSuffix(read(t, log), "\n"), "\n")
	lines[3] += "\n"
	for _, order := range [][]int{{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}, {3, 0, 1, 2}, {3, 2, 1, 0}} {
		text := ""
		for _, n := range order {
			text += lines[n]
		}
		write(t, log, text)
		code, stdout, stderr := cli(t, "verify", "--all", "--db", d.path("executions.db"))
		if same := slices.IsSorted(order); same != (code == exitDone) || !same && !strings.Contains(stdout, "lines were put in another order") {
			t.Errorf("%v: exit code %d\n%s%s", order, code, stdout, stderr)
		}
	}
}

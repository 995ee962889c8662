package verify_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	mathbits "math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/verify"
)

const (
	id   = "plan_fitness_v1"
	plan = `{"execution_id": "plan_fitness_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase fitness prices by 10%.",
		"operations": [{"operation_id": "op_01", "filter": {"categories": ["fitness"]}, "action": {"type": "percent_increase", "value": 10}}]}`
	table  = "sku,category,price,in_stock\nA101,fitness,29.99,true\nA102,fitness,39.99,true\nB201,yoga,19.99,false\n"
	broken = "sku,category,price,in_stock\nA101,fitness,cheap,true\n"
)

// shop holds an execution that failed, was dropped again, completed, and was
// dropped once more and skipped.
type shop struct {
	t   *testing.T
	dir string
	db  *sql.DB
	x   *execution.Executor
	verify.Verifier
}

func newShop(t *testing.T) *shop {
	t.Helper()
	return newShopWith(t, execution.Pricing{})
}

// newShopWith is newShop with an engine of its own.
func newShopWith(t *testing.T, engine execution.Engine) *shop {
	t.Helper()
	s := openShop(t)
	s.x.Engine, s.Engine = engine, engine
	for _, drop := range []struct{ name, content string }{{"plan.json", plan}, {"p.csv", broken}, {"p.csv", table}, {"p.csv", table}} {
		s.drop(id+"/"+drop.name, drop.content)
	}
	s.sign()
	return s
}

// openShop holds nothing yet.
func openShop(t *testing.T) *shop {
	t.Helper()
	return openShopIn(t, t.TempDir())
}

// openShopIn opens what lies in a folder.
func openShopIn(t *testing.T, dir string) *shop {
	t.Helper()
	state := filepath.Join(dir, "state.db")
	store, err := sqlite.Open(t.Context(), state, sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	db, err := sqlitedb.Open(t.Context(), state, sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	inbox, outbox, audit := open(t, dir, "inbox"), open(t, dir, "outbox"), open(t, dir, "audit")
	x := &execution.Executor{
		Ledger: store, Buckets: execution.Buckets{Inbox: inbox, Outbox: outbox, Audit: audit}, Engine: execution.Pricing{},
		Limits: execution.DefaultLimits, Now: time.Now, NewHolder: rand.Text, Log: logging.Discard,
	}
	return &shop{t: t, dir: dir, db: db, x: x, Verifier: verify.Verifier{
		Ledger: store, Buckets: execution.Buckets{Inbox: inbox, Outbox: outbox, Audit: audit}, Engine: execution.Pricing{},
		Records: store.Check, Folder: os.DirFS(dir), Now: time.Now,
		Objects: map[string]func(context.Context) (map[string]bool, error){inbox.Name(): inbox.Check, outbox.Name(): outbox.Check, audit.Name(): audit.Check},
	}}
}

// drop has a file executed.
func (s *shop) drop(name, content string) {
	s.t.Helper()
	write(s.t, filepath.Join(s.dir, "inbox", name), content)
	object, _, err := s.Inbox.(*folder.Bucket).Ingest(s.t.Context(), name, folder.IngestOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	event := execution.Event{Bucket: "inbox", Object: name, Generation: object.Generation, Size: object.Size, CreatedAt: object.CreatedAt}
	if err := s.x.Handle(s.t.Context(), event); err != nil {
		s.t.Fatal(err)
	}
}

// sign puts all outcomes into the signed tree.
func (s *shop) sign() {
	s.t.Helper()
	store := s.Ledger.(*sqlite.Store)
	key, err := tree.LocalKey(filepath.Join(s.dir, "state.key"))
	if err != nil {
		s.t.Fatal(err)
	}
	log, err := tree.New(store, s.Audit, key)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := log.Append(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if s.Tree, err = tree.NewChecker(s.t.Context(), store, s.Audit, ""); err != nil {
		s.t.Fatal(err)
	}
}

func open(t *testing.T, dir, name string) *folder.Bucket {
	t.Helper()
	b, err := folder.Open(filepath.Join(dir, name), folder.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// exec changes the records behind the ledger's back. It must change something.
func (s *shop) exec(statement string, args ...any) {
	s.t.Helper()
	result, err := s.db.ExecContext(s.t.Context(), statement, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		s.t.Fatalf("%s changed nothing (%v)", statement, err)
	}
}

// replace changes text in the files that match.
func (s *shop) replace(pattern, before, after string) {
	s.t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.dir, pattern))
	if err != nil || len(paths) == 0 {
		s.t.Fatalf("%s: no file (%v)", pattern, err)
	}
	changed := false
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			s.t.Fatal(err)
		}
		if !strings.Contains(string(data), before) {
			continue
		}
		changed = true
		write(s.t, path, strings.Replace(string(data), before, after, 1))
	}
	if !changed {
		s.t.Fatalf("%s is in none of %v", before, paths)
	}
}

// forge changes text in the one file that matches and has it, and four more
// bytes at its end so that its size and CRC32C stay what they were.
func (s *shop) forge(pattern, before, after string) {
	s.t.Helper()
	paths, _ := filepath.Glob(filepath.Join(s.dir, pattern))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			s.t.Fatal(err)
		}
		if !bytes.Contains(data, []byte(before)) {
			continue
		}
		want := crc32.Checksum(data, bucket.Castagnoli)
		forged := bytes.Replace(data, []byte(before), []byte(after), 1)
		patch(forged, want)
		if len(forged) != len(data) || crc32.Checksum(forged, bucket.Castagnoli) != want {
			s.t.Fatalf("%s is not forged", path)
		}
		if err := os.WriteFile(path, forged, 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	s.t.Fatalf("%s is in none of %v", before, paths)
}

// patch sets the last four bytes so that data has the checksum: these are 32
// unknown bits and 32 equations, as a CRC is linear in them.
func patch(data []byte, want uint32) {
	tail := data[len(data)-4:]
	clear(tail)
	base := crc32.Checksum(data, bucket.Castagnoli)
	var rows [32]struct{ sum, bits uint32 } // by the highest bit of sum
	for bit := range 32 {
		binary.LittleEndian.PutUint32(tail, 1<<bit)
		sum, bits := crc32.Checksum(data, bucket.Castagnoli)^base, uint32(1)<<bit
		for sum != 0 && rows[31-mathbits.LeadingZeros32(sum)].sum != 0 {
			row := rows[31-mathbits.LeadingZeros32(sum)]
			sum, bits = sum^row.sum, bits^row.bits
		}
		if sum != 0 {
			rows[31-mathbits.LeadingZeros32(sum)] = struct{ sum, bits uint32 }{sum, bits}
		}
	}
	rest, solution := base^want, uint32(0)
	for rest != 0 {
		row := rows[31-mathbits.LeadingZeros32(rest)]
		rest, solution = rest^row.sum, solution^row.bits
	}
	binary.LittleEndian.PutUint32(tail, solution)
}

func TestWhatWasDoneIsVerified(t *testing.T) {
	s := newShop(t)
	findings, err := s.Verify(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) != 16 {
		t.Errorf("%d things were compared, want 16", len(findings))
	}
	for _, finding := range findings {
		if finding.Fault != "" {
			t.Errorf("%s: %s", finding.What, finding.Fault)
		}
	}
}

func TestWhatIsNotToBeVerified(t *testing.T) {
	s := newShop(t)
	if _, err := s.Verify(t.Context(), "plan_nothing_v1"); errs.KindOf(err) != errs.NotFound {
		t.Errorf("an execution that is not there: %v, want NotFound", err)
	}
	s.exec(`UPDATE execution_records SET status = 'failed', document = json_set(document, '$.status', 'failed')`)
	if _, err := s.Verify(t.Context(), id); errs.KindOf(err) != errs.Invalid {
		t.Errorf("an execution that failed: %v, want Invalid", err)
	}
}

func TestEveryChangeIsFound(t *testing.T) {
	const (
		chain     = "the audit documents and their hash chain"
		signed    = "the audit documents in the signed tree"
		storedAs  = "the plan as it was stored"
		shown     = "what the record shows"
		notices   = "the notices of refused and skipped uploads"
		document  = "the audit document against the sealed record"
		planned   = "the stored plan"
		input     = "the input"
		computed  = "the output, computed again from plan and input"
		output    = "the output file"
		changes   = "the changes file"
		documents = "the change documents"
		line      = "the audit file"
		leave     = "its approval and its time"
		undos     = "what it undid, and what undid it"
	)
	tests := []struct {
		name   string
		change func(*shop)
		want   []string // what differs, in the order of comparison
	}{
		{"a price in the output", func(s *shop) { s.replace("outbox/*/p.csv", "32.99", "32.98") }, []string{output}},
		{"the output is gone", func(s *shop) { s.remove("outbox/*/p.csv") }, []string{output}},
		{"a price in the input", func(s *shop) { s.replace("inbox/.planwright/drops/*/*.data", "29.99", "29.98") }, []string{input, computed}},
		{"the changes file", func(s *shop) { s.replace("audit/changes/*.jsonl", "32.99", "32.98") }, []string{document, changes, documents}},
		{"the audit file", func(s *shop) { s.replace("audit/executions/*.jsonl", "32.99", "32.98") }, []string{line}},
		{"the audit file with a line more", func(s *shop) { s.replace("audit/executions/*.jsonl", "{\"exec", "{}\n{\"exec") }, []string{line}},
		{"a change in the records", func(s *shop) {
			s.exec(`UPDATE changes SET after = replace(after, '32.99', '32.98') WHERE sku = 'A101'`)
		}, []string{documents}},
		{"a change fewer", func(s *shop) { s.exec(`DELETE FROM changes WHERE sku = 'A102'`) }, []string{documents}},
		{"a notice", func(s *shop) { s.replace("outbox/*/*.failed-*.txt", "cheap", "cheep") }, []string{notices}},
		{"another notice of the same size and CRC32C", func(s *shop) { s.forge("outbox/*/*.failed-*.txt", "cheap", "cheep") }, []string{notices}},
		{"a notice is gone", func(s *shop) { s.remove("outbox/*/*.skipped-*.txt") }, []string{notices}},
		{"when it was claimed", func(s *shop) {
			s.exec(`UPDATE execution_records SET document = json_set(document, '$.created_at', '2020-01-01T00:00:00Z')`)
		}, []string{shown, document}},
		{"who made the plan", func(s *shop) { s.exec(`UPDATE plans SET planner = json_set(planner, '$.model', 'gemini')`) }, []string{storedAs, computed}},
		{"the skipped document is gone", func(s *shop) { s.exec(`DELETE FROM audit_documents WHERE status = 'skipped'`) }, []string{signed}},
		{"a change more", func(s *shop) {
			s.exec(`INSERT INTO changes SELECT execution_id, number, row + 100, executed_at, sku, operation_ids, before, after FROM changes`)
		}, []string{documents}},
		{"the plan", func(s *shop) { s.exec(`UPDATE plans SET plan_json = replace(plan_json, '"value":10', '"value":11')`) }, []string{storedAs, document, planned, undos, computed, leave}},
		{"the completed document", func(s *shop) {
			s.exec(`UPDATE audit_documents SET document = replace(document, '32.99', '32.98') WHERE status = 'completed'`)
		}, []string{chain, signed, shown, document, line}},
		{"the failed document", func(s *shop) {
			s.exec(`UPDATE audit_documents SET document = replace(document, 'cheap', 'cheep') WHERE status = 'failed'`)
		}, []string{chain, signed, shown, document, line}},
		{"the failed document is gone", func(s *shop) { s.exec(`DELETE FROM audit_documents WHERE status = 'failed'`) }, []string{chain, signed}},
		{"the skipped document", func(s *shop) {
			s.exec(`UPDATE audit_documents SET document = replace(document, '"attempt":2', '"attempt":3') WHERE status = 'skipped'`)
		}, []string{chain, signed, shown, document, line}},
		{"the sealed checksum", func(s *shop) {
			s.exec(`UPDATE execution_records SET document = json_set(document, '$.seal.output.crc32c', 1)`)
		}, []string{document, computed, output}},
		{"the sealed hash", func(s *shop) {
			s.exec(`UPDATE execution_records SET document = json_set(document, '$.seal.input.blake3', '00')`)
		}, []string{document, input}},
		{"the engine", func(s *shop) {
			s.exec(`UPDATE execution_records SET document = json_set(document, '$.seal.engine_build', '7')`)
		}, []string{document}},
		{"where the sealed table was read", func(s *shop) {
			s.exec(`UPDATE execution_records SET document = json_set(document, '$.seal.input.object', 'plan_fitness_v1/q.csv')`)
		}, []string{document, input}},
		{"the bucket of the sealed table", func(s *shop) {
			s.exec(`UPDATE execution_records SET document = json_set(document, '$.seal.input.bucket', 'outbox')`)
		}, []string{document, input}},
		{"another output of the same size and CRC32C", func(s *shop) { s.forge("outbox/*/p.csv", "32.99", "00.01") }, []string{output}},
		{"another input of the same size and CRC32C", func(s *shop) { s.forge("inbox/.planwright/drops/*/*.data", "A102,fitness", "A102,yoga###") }, []string{input, computed}},
		{"another changes file of the same size and CRC32C", func(s *shop) { s.forge("audit/changes/*.jsonl", `"A101"`, `"A901"`) }, []string{document, changes, documents}},
		{"the sealed rows", func(s *shop) {
			s.exec(`UPDATE execution_records SET document = json_set(document, '$.seal.summary.rows_changed', 3)`)
		}, []string{document, computed}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			test.change(s)
			findings, err := s.Verify(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			var differ []string
			for _, finding := range findings {
				if finding.Fault != "" && finding.What != "the record as it was written" { // which has a hash of itself alone
					differ = append(differ, finding.What)
				}
			}
			if diff := cmp.Diff(test.want, differ); diff != "" {
				t.Errorf("what differs (-want +got):\n%s\n%+v", diff, findings)
			}
		})
	}
}

func (s *shop) remove(pattern string) {
	s.t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.dir, pattern))
	if err != nil || len(paths) != 1 {
		s.t.Fatalf("%s: %v, %v", pattern, paths, err)
	}
	if err := os.Remove(paths[0]); err != nil {
		s.t.Fatal(err)
	}
}

// An input that was kept for its time may be gone; before, it is missed.
func TestAnInputThatWasRemoved(t *testing.T) {
	s := newShop(t)
	record, err := s.Ledger.Execution(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, extension := range []string{"data", "json"} {
		s.remove(fmt.Sprintf("inbox/.planwright/drops/*/%020d.%s", record.Source.Generation, extension))
	}
	faults := func(after time.Duration) (faults []string, notes string) {
		s.Now = func() time.Time { return record.Seal.ExecutedAt.Add(after) }
		findings, err := s.Verify(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range findings {
			if finding.Fault != "" {
				faults = append(faults, finding.What)
			}
			notes += strings.Join(finding.Notes, "")
		}
		return faults, notes
	}
	s.remove("inbox/" + record.Source.Object) // what people see is no copy
	if found, _ := faults(execution.InputsKept - time.Hour); len(found) == 0 || found[0] != "the input" {
		t.Errorf("within its time: %q", found)
	}
	if found, notes := faults(execution.InputsKept + time.Hour); len(found) != 0 || !strings.Contains(notes, "compared by their checksums") {
		t.Errorf("after its time: %q, %q", found, notes)
	}
	s.replace("outbox/"+id+"/*.csv", "32.99", "32.98")
	if found, _ := faults(execution.InputsKept + time.Hour); !slices.Contains(found, "the output file") {
		t.Errorf("an output that was edited then: %q", found)
	}
}

package execution_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

func TestExecutesAnUpload(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.handle(event)

	got := s.completed()
	upload := ledger.Upload{Bucket: "inbox", Object: event.Object, Generation: event.Generation}
	p, err := plan.Decode([]byte(planJSON))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(row int64, sku, before, after string) pricing.Change {
		return pricing.Change{
			Row: row, SKU: sku, OperationIDs: []string{"op_01"},
			Before: pricing.State{Price: &before, InStock: new(true)}, After: pricing.State{Price: &after, InStock: new(true)},
		}
	}
	read := bucket.NewFingerprint()
	read.Write([]byte(products))
	want := ledger.AuditDocument{
		ExecutionID:       id,
		SourceInstruction: p.SourceInstruction,
		ExecutedAt:        s.clock.Now(),
		Status:            ledger.Completed,
		OperationsCount:   1,
		RowsTotal:         4,
		RowsChanged:       2,
		SKUsChanged:       []string{"A101", "A102"},
		Changes:           []pricing.Change{changed(2, "A101", "29.99", "32.99"), changed(3, "A102", "39.99", "43.99")},
		PlanSnapshot:      p.Canonical(),
		Explanation:       plan.Explain(p),
		Outcome: ledger.Outcome{
			Upload:      ledger.AuditUpload{ID: upload.ID(), Source: ledger.Source{Upload: upload, UploadedAt: s.clock.Now()}},
			CreatedAt:   s.clock.Now(),
			Attempt:     1,
			EngineBuild: pricing.Build,
			Result: ledger.Result{
				PlanSHA256: p.SHA256(), PlanRecordSHA256: got.PlanRecordSHA256,
				Input: ledger.File{
					Bucket: upload.Bucket, Object: upload.Object, Generation: upload.Generation,
					Size: read.Size, CRC32C: read.CRC32C, BLAKE3: read.BLAKE3(),
				},
				Output:  s.record().Seal.Output,
				Changes: s.record().Seal.Changes,
				Summary: pricing.Counts{
					RowsTotal: 4, RowsChanged: 2, Table: *recognized(),
					Operations: []pricing.OperationCount{{OperationID: "op_01", RowsMatched: 2, RowsChanged: 2}},
				},
				Effect: got.Effect,
			},
		},
		SHA256: got.SHA256,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("audit document (-want +got):\n%s", diff)
	}
	if products != s.files("inbox")[id+"/p.csv"] {
		t.Error("the input was touched")
	}
	for name := range s.files("audit") {
		if object, err := s.audit.Stat(t.Context(), name); err != nil || object.ContentType != execution.LinesType {
			t.Errorf("%s is of the type %q, %v", name, object.ContentType, err)
		}
	}
}

func TestDuplicateDeliveryChangesNothing(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	before := s.record()
	s.handle(event)
	if diff := cmp.Diff(before, s.record()); diff != "" {
		t.Errorf("the record changed (-before +after):\n%s", diff)
	}
	if n := len(s.history()); n != 1 {
		t.Errorf("%d outcomes, want 1", n)
	}
}

func TestSecondUploadIsSkippedWithANotice(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	first := s.completed()
	s.clock.advance(time.Hour)
	again := s.drop(id+"/p.csv", products)
	s.handle(again)

	skipped := s.history()[0]
	if skipped.Status != ledger.Skipped || skipped.PreviousSHA256 != first.SHA256 || !skipped.Intact() {
		t.Errorf("newest outcome = %s after %s, want skipped after %s", skipped.Status, skipped.PreviousSHA256, first.SHA256)
	}
	if s.record().AuditHead != first.SHA256 {
		t.Error("a skipped document moved the head of the chain")
	}
	notice := s.files("outbox")[fmt.Sprintf("%s/p.csv.skipped-%d.txt", id, again.Generation)]
	if !strings.Contains(notice, "carried out once") {
		t.Errorf("notice = %q", notice)
	}
}

func TestBadTableFailsAndAMendedOneCompletes(t *testing.T) {
	s := open(t)
	s.storePlan()
	bad := s.drop(id+"/p.csv", broken)
	s.handle(bad)

	record := s.record()
	if record.Status != ledger.Failed || record.Error == nil || record.Error.Code != "invalid_csv" || record.Seal != nil {
		t.Fatalf("record = %+v", record)
	}
	if output, exists := s.files("outbox")[id+"/p.csv"]; exists {
		t.Errorf("an output of a failed execution: %q", output)
	}
	notice := s.files("outbox")[fmt.Sprintf("%s/p.csv.failed-%d.txt", id, bad.Generation)]
	for _, want := range []string{"row 2", "price", "cheap", "drop the file"} {
		if !strings.Contains(notice, want) {
			t.Errorf("the notice does not say %q:\n%s", want, notice)
		}
	}

	s.clock.advance(time.Minute)
	s.handle(s.drop(id+"/p.csv", products))
	failed := s.history()[1]
	if done := s.completed(); done.PreviousSHA256 != failed.SHA256 || done.Attempt != 2 {
		t.Errorf("attempt %d after %s, want 2 after %s", done.Attempt, done.PreviousSHA256, failed.SHA256)
	}
}

func TestPermanentFailures(t *testing.T) {
	tests := []struct {
		name, code string
		prepare    func(s *shop) execution.Event
	}{
		{"plan missing", "plan_missing", func(s *shop) execution.Event {
			event := s.drop(id+"/p.csv", products)
			s.clock.advance(execution.DefaultLimits.PlanWait)
			return event
		}},
		{"dated in the far future", "plan_missing", func(s *shop) execution.Event {
			event := s.drop(id+"/p.csv", products)
			event.CreatedAt = s.clock.Now().AddDate(40, 0, 0)
			return event
		}},
		{"a link in the way of the output", "invalid_file", func(s *shop) execution.Event {
			s.storePlan()
			s.put("outbox/elsewhere", "")
			if err := errors.Join(os.MkdirAll(filepath.Join(s.dir, "outbox", id), 0o755), os.Symlink("../elsewhere", filepath.Join(s.dir, "outbox", id, "p.csv"))); err != nil {
				s.t.Fatal(err)
			}
			return s.drop(id+"/p.csv", products)
		}},
		{"generation gone", "generation_gone", func(s *shop) execution.Event {
			s.storePlan()
			event := s.drop(id+"/p.csv", products)
			event.Generation += 1e12
			return event
		}},
		{"output name taken", "name_taken", func(s *shop) execution.Event {
			s.storePlan()
			s.put("outbox/"+id+"/p.csv", "something else")
			return s.drop(id+"/p.csv", products)
		}},
		{"audit name taken", "name_taken", func(s *shop) execution.Event {
			s.storePlan()
			s.put("audit/executions/"+id+".jsonl", "something else")
			return s.drop(id+"/p.csv", products)
		}},
		{"bad column mapping", "invalid_settings", func(s *shop) execution.Event {
			s.storePlan()
			event := s.drop(id+"/p.csv", products)
			event.Metadata = map[string]string{"columns": "nonsense"}
			return event
		}},
		{"a name that no folder takes", "invalid_name", func(s *shop) execution.Event {
			s.storePlan()
			return execution.Event{Bucket: "inbox", Object: id + "/a\nb.csv", Generation: 7, CreatedAt: s.clock.Now()}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			event := test.prepare(s)
			s.handle(event)
			record := s.record()
			if record.Status != ledger.Failed || record.Error.Code != test.code {
				t.Errorf("status %s, error %+v; want failed, %s", record.Status, record.Error, test.code)
			}
			if documents := s.history(); len(documents) != 1 || *documents[0].Error != record.Error.Message {
				t.Errorf("outcomes = %+v", documents)
			}
		})
	}
}

// recognized is what the table of these tests is found to be.
func recognized() *table.Recognized {
	return &table.Recognized{
		Dialect: dialect.Dialect{Delimiter: dialect.Comma, LineEnd: dialect.LF, Encoding: dialect.UTF8}, Profile: profile.Plain,
		Columns: []row.Column{
			{Title: "sku", Role: recognize.RoleSKU}, {Title: "category", Role: recognize.RoleCategory, Form: "name"},
			{Title: "price", Role: recognize.RolePrice, Form: "1234.56"}, {Title: "in_stock", Role: recognize.RoleInStock, Form: "words"},
		},
	}
}

// A plan that leaves out a category under another name would raise what was to
// be left alone: nothing is written, and the notice names the one that was meant.
func TestNamesThatNoRowHasAreRefused(t *testing.T) {
	s := open(t)
	s.Surface = setting.Metadata
	except := strings.NewReplacer(`{"categories": ["fitness"], "in_stock": true}`, `{"exclude_categories": ["Fitness"]}`)
	s.handle(s.drop(id+"/plan.json", except.Replace(planJSON)))
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	record := s.record()
	want := []table.UnknownName{{Column: recognize.RoleCategory, Name: "Fitness", Excluded: true, Confirm: "reprice Fitness too", OperationIDs: []string{"op_01"}, Nearest: []string{"fitness"}, Alike: []names.Spelling{{Name: "fitness", Rows: 3}}}}
	if record.Status != ledger.Failed || record.Error.Code != table.CodeUnknownNames || !cmp.Equal(record.Error.UnknownNames, want) {
		t.Errorf("status %s, error %+v", record.Status, record.Error)
	}
	outbox := s.files("outbox")
	notice := outbox[fmt.Sprintf("%s/p.csv.failed-%d.txt", id, event.Generation)]
	for _, part := range []string{`category "Fitness", left out by op_01: this table has "fitness"`, "the object metadata unmatched=reprice Fitness too", "drop the file into the new plan's folder"} {
		if !strings.Contains(notice, part) {
			t.Errorf("the notice lacks %q:\n%s", part, notice)
		}
	}
	if len(outbox) != 1 || strings.Contains(notice, "you need no new one") {
		t.Errorf("outbox: %v", outbox)
	}
	if documents := s.history(); len(documents) != 1 || documents[0].Code() != table.CodeUnknownNames {
		t.Errorf("outcomes: %+v", documents)
	}

	// The uploader may say that the table is only a part of the catalogue.
	event = s.drop(id+"/p.csv", products)
	event.Metadata = map[string]string{"unmatched": "allow"}
	s.handle(event)
	if record = s.record(); record.Status != ledger.Failed || record.Error.Code != table.CodeUnknownNames {
		t.Errorf("a flag drops an exclusion: %s, %+v", record.Status, record.Error)
	}
	event = s.drop(id+"/p.csv", products)
	event.Metadata = map[string]string{"unmatched": "reprice Fitness too"}
	s.handle(event)
	if record = s.record(); record.Status != ledger.Completed || record.Source.Settings.Unmatched != "reprice Fitness too" ||
		len(record.Seal.Sentences()) != 1 || !strings.Contains(record.Seal.Sentences()[0], `category "Fitness"`) {
		t.Errorf("allowed: %s, %+v, %+v", record.Status, record.Source.Settings, record.Seal.Summary)
	}
}

// Settings come with the upload, and are stored with the claim.
func TestSettingsOfAnUpload(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/Preise.TXT", "Nr;Gruppe;Preis;Lager\nA101;fitness;1.029,99 €;0\nA102;fitness;1.100,00 €;2\n")
	event.Metadata = map[string]string{"columns": "sku=Nr,category=Gruppe,price=Preis,in_stock=Lager", "price_form": "1.234,56", "delimiter": "semicolon"}
	s.handle(event)
	if got, want := s.files("outbox")[id+"/Preise.TXT"], "Nr;Gruppe;Preis;Lager\nA101;fitness;1.029,99 €;0\nA102;fitness;1.210,00 €;2\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	settings := s.record().Source.Settings
	if settings.Columns.SKU != "Nr" || settings.PriceForm != "1.234,56" || settings.Dialect.Delimiter != dialect.Semicolon {
		t.Errorf("settings stored: %+v", settings)
	}
}

func TestUnclaimedTables(t *testing.T) {
	s := open(t)
	for _, name := range []string{"p.csv", "short/p.csv", "plan_fitness_v1/deep/p.csv"} {
		event := s.drop(name, products)
		s.handle(event)
		notice := s.files("outbox")[fmt.Sprintf("_unclaimed/p.csv-%d.txt", event.Generation)]
		if !strings.Contains(notice, name) || !strings.Contains(notice, "execution id") {
			t.Errorf("notice about %s = %q", name, notice)
		}
	}
}

func TestFilesOfAnotherKindAreAnswered(t *testing.T) {
	s := open(t)
	s.storePlan()
	inFolder := s.drop(id+"/p.xlsx", "PK")
	s.handle(inFolder)
	s.handle(inFolder) // a copy of the event
	outside := s.drop("p.xlsx", "PK")
	s.handle(outside)
	s.handle(s.drop(id+"/.DS_Store", "x"))
	s.handle(execution.Event{Bucket: "inbox", Object: id + "/", Generation: 7, CreatedAt: s.clock.Now()})
	want := []string{fmt.Sprintf("%s/p.xlsx.failed-%d.txt", id, inFolder.Generation), fmt.Sprintf("_unclaimed/p.xlsx-%d.txt", outside.Generation)}
	outbox := s.files("outbox")
	if len(outbox) != len(want) {
		t.Errorf("%d files in the outbox, want %d: %v", len(outbox), len(want), outbox)
	}
	for _, name := range want {
		if notice := outbox[name]; !strings.Contains(notice, "neither a table nor a plan") || !strings.Contains(notice, ".tsv") || !strings.Contains(notice, "p.xlsx") {
			t.Errorf("notice %s = %q", name, notice)
		}
	}
	if _, err := s.store.Execution(t.Context(), id); errs.KindOf(err) != errs.NotFound {
		t.Errorf("a file that is no table made an execution: %v", err)
	}
	s.handle(s.drop(id+"/p.csv", products))
	if record := s.record(); record.Status != ledger.Completed {
		t.Errorf("after it the table's execution is %s", record.Status)
	}
}

func TestPlanFiles(t *testing.T) {
	other := strings.Replace(planJSON, `"value": 10`, `"value": 20`, 1)
	tests := []struct {
		name, content string
		refused       string // in the notice and the log; "" means no notice
	}{
		{"identical", planJSON, ""},
		{"identical but for its layout", strings.Join(strings.Fields(planJSON), " "), ""},
		{"conflicting", other, "never changes"},
		{"invalid", strings.Replace(planJSON, `"value": 10`, `"value": -10`, 1), "operations[0].action.value"},
		{"of another id", strings.Replace(planJSON, id, "plan_yoga_v1", 1), "The plan's execution_id is plan_yoga_v1 but its folder is " + id + ": they must be the same."},
		{"as large as may be", strings.Repeat(" ", 2*plan.MaxCanonicalBytes-len(planJSON)) + planJSON, ""},
		{"too large", strings.Repeat(" ", 2*plan.MaxCanonicalBytes-len(planJSON)+1) + planJSON, "larger"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			var log bytes.Buffer
			s.Log = logging.New(&log, slog.LevelInfo)
			s.storePlan()
			event := s.drop(id+"/plan.json", test.content)
			s.handle(event)
			notice := s.files("outbox")[fmt.Sprintf("%s/plan.json.failed-%d.txt", id, event.Generation)]
			if (notice != "") != (test.refused != "") || !strings.Contains(notice, test.refused) {
				t.Errorf("notice = %q, want one with %q", notice, test.refused)
			}
			if !strings.Contains(log.String(), test.refused) {
				t.Errorf("the log does not say %q: %s", test.refused, log.String())
			}
			stored, err := s.store.Plan(t.Context(), id)
			if err != nil || bytes.Contains(stored.Canonical, []byte("20")) && !bytes.Contains(stored.Canonical, []byte("2026")) {
				t.Errorf("the stored plan changed: %s, %v", stored.Canonical, err)
			}
		})
	}
}

// A plan that is gone before it is read is told of, and one that is stored late is not.
func TestPlanFilesThatAreReadLate(t *testing.T) {
	s := open(t)
	event := s.drop(id+"/plan.json", planJSON)
	reader := s.executor()
	reader.Inbox = gone{s.inbox, errs.NotFound}
	if err := reader.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if text := s.files("outbox")[fmt.Sprintf("%s.failed-%d.txt", event.Object, event.Generation)]; !strings.Contains(text, "deleted before it could be read") {
		t.Errorf("the notice: %q", text)
	}
	event = s.drop(id+"/plan.json", planJSON)
	s.clock.advance(2 * s.Limits.UnknownFor)
	s.handle(event)
	if outbox := s.files("outbox"); len(outbox) != 1 {
		t.Errorf("outbox: %v", outbox)
	}
}

// A thousand changes more than ride in one commit.
func TestManyChangesAreRecordedBeforeCompletion(t *testing.T) {
	s := open(t)
	s.storePlan()
	var b strings.Builder
	b.WriteString("sku,category,price,in_stock\n")
	const rows = 1200
	for i := range rows {
		fmt.Fprintf(&b, "S%04d,fitness,10.00,true\n", i)
	}
	s.handle(s.drop(id+"/many.csv", b.String()))
	var got []pricing.Change
	page := paging.Page{Size: 500}
	for {
		changes, err := s.store.Changes(t.Context(), id, page)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, changes.Items...)
		if page.Token = changes.NextPageToken; page.Token == "" {
			break
		}
	}
	if len(got) != rows || got[rows-1].SKU != "S1199" || *got[rows-1].After.Price != "11.00" {
		t.Errorf("%d changes, the last %+v", len(got), got[len(got)-1])
	}
	document := s.history()[0]
	if !document.ChangesTruncated || len(document.Changes) != changelog.MaxListed || document.RowsChanged != rows {
		t.Errorf("%d of %d changes listed, truncated %v", len(document.Changes), document.RowsChanged, document.ChangesTruncated)
	}
}

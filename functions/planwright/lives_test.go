package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/table/setting"
)

var lives = flag.Int("lives", 8, "how many random plans TestLives carries out and takes back, on the command line and as a server does")

var firstLife = flag.Uint64("lives.first", 0, "the first of them")

// TestLives carries random plans out over random tables and takes them back, as
// the command line does and as a server does: what is previewed is what is
// proposed, applied, and what the reference makes. What is undone on what was
// written is the input, byte for byte; on a table that was edited since, it is
// what the reference takes back, and nothing else is touched. Where one of them
// refuses, all do.
//
//	go test ./functions/planwright -run TestLives -lives 5000 -timeout 4h
func TestLives(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process of the program")
	}
	server := newLifeServer(t)
	var count struct{ refused, undone, edited, stale int }
	for n := range uint64(*lives) {
		seed := *firstLife + n
		l := life{Life: pricingtest.NewLife(seed), dir: t.TempDir()}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			l.t = t
			defer func() {
				if t.Failed() {
					t.Log(l.Life)
				}
			}()
			l.server(server)
			l.commandLine()
		})
		switch {
		case l.Refusal != nil:
			count.refused++
		case l.Want.RowsChanged > 0:
			count.undone++
			count.edited += l.edited
			count.stale += l.Stale
		}
	}
	t.Logf("%d refused, %d carried out and undone, %d of them on edited tables with %d stale rows", count.refused, count.undone, count.edited, count.stale)
	if count.undone*20 < *lives {
		t.Errorf("only %d of %d plans changed anything: that proves little", count.undone, *lives)
	}
}

// life is one that is carried out and taken back.
type life struct {
	*pricingtest.Life
	t      *testing.T
	dir    string
	edited int // tables
}

func (l *life) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *life) same(what, want, got string) {
	l.t.Helper()
	if want != got {
		l.t.Errorf("%s:\n%q\nwant\n%q", what, got, want)
	}
}

// lifeServer is a server's executor and planner over a ledger and folders.
type lifeServer struct {
	*execution.Executor
	dir   string
	store *sqlite.Store
	inbox *folder.Bucket
	now   time.Time
}

func newLifeServer(t *testing.T) *lifeServer {
	t.Helper()
	s := &lifeServer{dir: t.TempDir(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	var err error
	if s.store, err = sqlite.Open(t.Context(), filepath.Join(s.dir, "state.db"), sqlitedb.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	open := func(name string) *folder.Bucket {
		b, err := folder.Open(filepath.Join(s.dir, name), folder.Options{NoSync: true, Now: func() time.Time { return s.now }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	s.inbox = open("inbox")
	s.Executor = &execution.Executor{
		Ledger: s.store, Buckets: execution.Buckets{Inbox: s.inbox, Outbox: open("outbox"), Audit: open("audit")}, Engine: execution.Pricing{},
		Limits: execution.DefaultLimits, Now: func() time.Time { return s.now }, NewHolder: rand.Text, Log: logging.Discard,
	}
	return s
}

// lifeShop is the server while one life is on it.
type lifeShop struct {
	*lifeServer
	*life
	planner http.Handler
}

func (l *life) on(server *lifeServer) *lifeShop {
	return &lifeShop{lifeServer: server, life: l, planner: planner.NewHandler(planner.Dependencies{Store: server.store, InboxBucket: "inbox", Settings: server.Settings})}
}

// sameUndo undoes on a table that was edited since.
func (l *life) sameUndo(what string, undo func([]byte) (string, bool)) {
	l.t.Helper()
	l.edited++
	l.SameUndo(l.t, what, l.Edit(), undo)
}

func (l *life) undoID() string { return l.Plan.ExecutionID + "_undone" }

// drop puts a table into the inbox.
func (s *lifeShop) drop(executionID string, data []byte, metadata map[string]string) execution.Event {
	s.t.Helper()
	name := executionID + "/p.csv"
	path := filepath.Join(s.path("inbox"), name)
	s.must(os.MkdirAll(filepath.Dir(path), 0o755))
	s.must(os.WriteFile(path, data, 0o644))
	object, _, err := s.inbox.Ingest(s.t.Context(), name, folder.IngestOptions{})
	s.must(err)
	return execution.Event{Bucket: "inbox", Object: name, Generation: object.Generation, Size: object.Size, Metadata: metadata, CreatedAt: s.now}
}

func (s *lifeShop) path(bucketName string) string { return filepath.Join(s.lifeServer.dir, bucketName) }

func (s *lifeShop) record(executionID string) ledger.Execution {
	s.t.Helper()
	record, err := s.store.Execution(s.t.Context(), executionID)
	s.must(err)
	return record
}

// server previews the plan, has it proposed, approved, applied and undone.
func (l *life) server(on *lifeServer) {
	s := l.on(on)
	ctx := l.t.Context()
	l.must(s.store.CreatePlan(ctx, plans.New(l.Plan).Record))
	status, preview := s.preview()
	if (status == http.StatusOK) != (l.Refusal == nil) {
		l.t.Fatalf("the preview answers %d; the reference says %v", status, l.Refusal)
	}
	event := s.drop(l.Plan.ExecutionID, l.Input, withIntent(l.Said))
	l.must(s.Handle(ctx, event))
	record := s.record(l.Plan.ExecutionID)
	if l.Refusal != nil {
		if record.Status != ledger.Failed {
			l.t.Fatalf("the table is %s; the reference says %v", record.Status, l.Refusal)
		}
		return
	}
	if record.Status != ledger.Proposed {
		l.t.Fatalf("it is %s, not proposed: %+v", record.Status, record.Error)
	}
	l.samePreview(preview)
	l.sameProposal(record.Proposal)
	_, err := ledger.Approve(ctx, s.store, l.Plan.ExecutionID, ledger.Approval{ProposalSHA256: record.Proposal.ProposalSHA256, By: "ann", At: s.now})
	l.must(err)
	l.must(s.Handle(ctx, event))
	l.same("applied", l.Want.Out, s.read("outbox", l.Plan.ExecutionID+"/p.csv"))
	l.same("its changes", l.Want.Changes, s.read("audit", s.record(l.Plan.ExecutionID).Seal.Changes.Object))
	stored, err := s.store.Changes(ctx, l.Plan.ExecutionID, paging.Page{})
	l.must(err)
	l.same("its changes as they are listed", l.Want.Changes, l.lines(stored.Items))
	if l.Chance(2) {
		l.sameUndo("undone by the server on an edited table", func(edited []byte) (string, bool) { return s.undoOn(edited) })
		return
	}
	undo := plans.New(plans.Undo(l.Plan, l.undoID(), s.record(l.Plan.ExecutionID).Seal.Changes.SHA256, s.now))
	_, err = ledger.Undo(ctx, s.store, l.Plan.ExecutionID, l.undoID(), &undo.Record, s.now)
	l.must(err)
	failed, err := s.Sweep(ctx)
	l.must(err)
	if failed > 0 {
		l.t.Fatalf("%d deliveries failed", failed)
	}
	l.same("undone by the server", string(l.Input), s.read("outbox", l.undoID()+"/p.csv"))
}

func (s *lifeShop) read(in, name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.path(in), filepath.FromSlash(name)))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(data)
}

// undoOn undoes the plan on a table that is dropped, and says whether it could.
func (s *lifeShop) undoOn(edited []byte) (back string, done bool) {
	s.t.Helper()
	ctx := s.t.Context()
	undo := plans.New(plans.Undo(s.Plan, s.undoID(), s.record(s.Plan.ExecutionID).Seal.Changes.SHA256, s.now))
	s.must(s.store.CreatePlan(ctx, undo.Record))
	s.must(s.Handle(ctx, s.drop(s.undoID(), edited, nil)))
	record := s.record(s.undoID())
	if record.Error != nil {
		s.t.Logf("the undo: %s", record.Error.Message)
	}
	return s.read("outbox", s.undoID()+"/p.csv"), record.Status == ledger.Completed
}

func (s *lifeShop) preview() (status int, answer plannerapi.Preview) {
	s.t.Helper()
	query := url.Values{}
	for name, value := range s.Said {
		query.Set(name, value)
	}
	request := httptest.NewRequest(http.MethodPost, "/v1/plans/"+s.Plan.ExecutionID+":preview?"+query.Encode(), bytes.NewReader(s.Input))
	request.Header.Set("Content-Type", "text/csv")
	recorder := httptest.NewRecorder()
	s.planner.ServeHTTP(recorder, request)
	if recorder.Code == http.StatusOK {
		s.must(json.Unmarshal(recorder.Body.Bytes(), &answer))
	}
	return recorder.Code, answer
}

func withIntent(metadata map[string]string) map[string]string {
	with := map[string]string{execution.IntentKey: execution.IntentPropose}
	for name, value := range metadata {
		with[name] = value
	}
	return with
}

// lines are changes as a changes file has them.
func (l *life) lines(changes []pricing.Change) string {
	var lines strings.Builder
	for _, change := range changes {
		encoder := json.NewEncoder(&lines)
		encoder.SetEscapeHTML(false)
		l.must(encoder.Encode(change))
	}
	return lines.String()
}

func (l *life) samePreview(got plannerapi.Preview) {
	l.t.Helper()
	var changes []pricing.Change
	for _, seen := range got.Changes {
		changes = append(changes, seen.Change)
	}
	effect, err := json.Marshal(got.Effect)
	l.must(err)
	l.same("the preview's changes", l.Want.Changes, l.lines(changes))
	l.same("the preview's effect", l.Want.Effect, string(effect))
	if got.Summary.RowsTotal != l.Want.RowsTotal || got.Summary.RowsChanged != l.Want.RowsChanged {
		l.t.Errorf("previewed: %+v", got.Summary)
	}
}

func (l *life) sameProposal(got *ledger.Proposal) {
	l.t.Helper()
	sum := sha256.Sum256([]byte(l.Want.Changes))
	effect, err := json.Marshal(got.Effect)
	l.must(err)
	l.same("the proposal's effect", l.Want.Effect, string(effect))
	if got.Output.Size != int64(len(l.Want.Out)) || got.Output.CRC32C != crc32.Checksum([]byte(l.Want.Out), bucket.Castagnoli) || got.Changes.SHA256 != hex.EncodeToString(sum[:]) {
		l.t.Errorf("proposed: %+v, changes %s", got.Output, got.Changes.SHA256)
	}
}

// commandLine previews, applies and undoes the plan by commands, and verifies
// all of it.
func (l *life) commandLine() {
	path := func(name string) string { return filepath.Join(l.dir, name) }
	l.must(os.WriteFile(path("plan.json"), l.Plan.Canonical(), 0o644))
	l.must(os.WriteFile(path("in.csv"), l.Input, 0o644))
	files := []string{"--audit", path("audit.jsonl"), "--db", path("executions.db"), "--sync=false"}
	args := []string{"apply", "--plan", path("plan.json"), "--csv", path("in.csv"), "--db", path("executions.db")}
	for name, value := range l.Said {
		args = append(args, "--"+setting.Name(name).FlagName()+"="+value)
	}
	code, said := l.run(append(append(slices.Clone(args), "--out", path("out.csv")), files...)...)
	if (code == 0) != (l.Refusal == nil) {
		l.t.Fatalf("exit code %d; the reference says %v\n%s", code, l.Refusal, said)
	}
	wordy := l.Chance(5)
	if wordy {
		l.dryRun(append(args, "--dry-run"))
	}
	read := func(name string) string {
		data, err := os.ReadFile(path(name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			l.t.Fatal(err)
		}
		return string(data)
	}
	if l.Refusal != nil {
		l.same("of what is refused", "", read("out.csv"))
		return
	}
	l.same("applied by the command", l.Want.Out, read("out.csv"))
	l.same("its changes", l.Want.Changes, read("changes/"+l.Plan.ExecutionID+".jsonl"))
	undo := func() bool {
		code, said := l.run(append([]string{"undo", "--execution", l.Plan.ExecutionID, "--csv", path("out.csv"), "--out", path("back.csv")}, files...)...)
		if code != 0 {
			l.t.Logf("the undo: %s", said)
		}
		return code == 0
	}
	if l.Chance(2) {
		l.sameUndo("undone by the command on an edited table", func(edited []byte) (string, bool) {
			l.must(os.WriteFile(path("out.csv"), edited, 0o644))
			done := undo()
			return read("back.csv"), done
		})
		return
	}
	undo()
	l.same("undone by the command", string(l.Input), read("back.csv"))
	if wordy {
		if code, said := l.run("verify", "--db", path("executions.db"), "--all"); code != 0 {
			l.t.Errorf("verify: exit code %d\n%s", code, said)
		}
	}
}

// dryRun has the command say what it would do.
func (l *life) dryRun(args []string) {
	l.t.Helper()
	code, said := l.run(args...)
	counted := fmt.Sprintf("\n  %d of %d row", l.Want.RowsChanged, l.Want.RowsTotal)
	if (code == 0) != (l.Refusal == nil) || code == 0 && !strings.Contains(said, counted) {
		l.t.Errorf("a dry run: exit code %d, not %q; the reference says %v:\n%s", code, counted, l.Refusal, said)
	}
}

// run runs a command.
func (l *life) run(args ...string) (code int, said string) {
	l.t.Helper()
	cmd := program(l.t.Context(), l.t, args...)
	cmd.Env = append(cmd.Env, "HOME="+l.dir)
	text, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		l.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

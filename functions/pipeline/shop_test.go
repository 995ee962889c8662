package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/verify"
)

var (
	size  = flag.Int64("size", 1<<20, "bytes of each table")
	kills = flag.Int("kills", 4, "how many processes are killed")
)

// asCommand has the test's binary be the command, and its workers.
const asCommand = "PLANWRIGHT_PIPELINE_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Setenv(asCommand, "1") // of the processes that it starts
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// testShop is a data folder with a stored plan and a table in its inbox.
type testShop struct {
	*shop
	t      *testing.T
	object bucket.Object
}

func newShop(t *testing.T, wide bool) *testShop {
	t.Helper()
	dir := t.TempDir()
	if err := prepare(t.Context(), dir, wide, *size); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, demoTable), time.Time{}, time.Unix(1_700_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	opened, err := openFolder(t.Context(), dir, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.close() })
	s := &testShop{shop: opened, t: t}
	if s.object, err = opened.find(t.Context(), demoTable); err != nil {
		t.Fatal(err)
	}
	return s
}

// executor is an executor at a time that stands still.
func (s *testShop) executor() *execution.Executor {
	x := execution.New(s.ledger, s.Buckets, s.config, logging.Discard)
	x.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	return x
}

// execute delivers the table to an executor, or one that computes with these
// flags.
func (s *testShop) execute(with *flags) {
	s.t.Helper()
	x := s.executor()
	if with != nil {
		x.Computer = &ranges.Computer{Buckets: s.Buckets, Stretches: with.stretches, Spread: with.spread(s.at)}
	}
	event, err := s.event(s.t.Context(), s.object)
	if err == nil {
		event.CreatedAt = time.Unix(1_700_000_000, 0)
		err = x.Handle(s.t.Context(), event)
	}
	if err == nil {
		err = s.sign(s.t.Context())
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// published returns what there is to be seen in outbox and audit bucket, with
// the hash of each.
func (s *testShop) published() map[string]string {
	s.t.Helper()
	seen := map[string]string{}
	for _, name := range []string{outboxName, auditName} {
		root := filepath.Join(s.at.Data, name)
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if base := entry.Name(); path != root && (strings.HasPrefix(base, ".") || base == ranges.Folder || base == "log") { // the tree
					return fs.SkipDir
				}
				return nil
			}
			if strings.HasPrefix(entry.Name(), ".") {
				return nil
			}
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer file.Close()
			hash := sha256.New()
			n, err := io.Copy(hash, file)
			seen[strings.TrimPrefix(path, s.at.Data+"/")] = fmt.Sprintf("%d bytes, %x", n, hash.Sum(nil))
			return err
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return seen
}

// proven fails unless the completed execution is proven by its records.
func (s *testShop) proven() {
	s.t.Helper()
	v := verify.Verifier{
		Ledger: s.ledger, Buckets: s.Buckets,
		Engine: execution.Pricing{}, Records: func(context.Context) error { return nil }, Now: time.Now,
	}
	var err error
	if v.Tree, err = tree.NewChecker(s.t.Context(), s.ledger.(merkle.LeafStore), s.Audit, ""); err != nil {
		s.t.Fatal(err)
	}
	findings, err := v.Verify(s.t.Context(), demoID)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range findings {
		if f.Fault != "" {
			s.t.Errorf("%s: %s", f.What, f.Fault)
		}
	}
}

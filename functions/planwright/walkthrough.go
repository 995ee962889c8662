package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/googleapis/gax-go/v2"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

// walkthrough is the demo's steps, each done as a person would do it, over HTTP
// and with files.
type walkthrough struct {
	out    io.Writer
	data   string // the folder
	client *web.Client
	id     string // of the execution
	stored plannerapi.StoredPlan
	stands plannerapi.Record // the execution, once the table was dropped
}

func (s *walkthrough) run(ctx context.Context) error {
	for _, part := range []func(context.Context) error{s.plan, s.apply, s.files, s.again} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	s.say(
		"\nLook further:\n  jq . %s\n  go run ./functions/planwright verify %s --db %s\n\nNow yourself, in a browser: make run, and open http://localhost:8080\n",
		s.path(emulator.AuditName, "executions", s.id+".jsonl"),
		s.id,
		s.path(emulator.StateName),
	)
	return nil
}

func (s *walkthrough) say(format string, args ...any) { fmt.Fprintf(s.out, format, args...) }

func (s *walkthrough) path(parts ...string) string {
	return filepath.Join(append([]string{s.data}, parts...)...)
}

// plan turns the instruction into a stored plan.
func (s *walkthrough) plan(ctx context.Context) error {
	answer := &s.stored
	if err := s.client.Send(ctx, http.MethodPost, "/planner/v1/plans",
		map[string]string{"instruction": demoInstruction}, answer); err != nil {
		return err
	}
	var shown bytes.Buffer
	if err := json.Indent(&shown, answer.Plan, "     ", "  "); err != nil {
		return err
	}
	s.id = strings.TrimSuffix(answer.Upload.Prefix, "/")
	s.say("Planwright, everything on this machine, in the fresh folder %s\n", s.data)
	s.say("\n1. The instruction\n     %s\n", demoInstruction)
	s.say("\n2. The plan (planner: %s)\n     %s\n", answer.Planner.Model, &shown)
	s.say("   In plain English:\n     %s\n", strings.Join(answer.Explanation, "\n     "))
	return nil
}

// apply drops the table and shows what the plan did to it.
func (s *walkthrough) apply(ctx context.Context) error {
	drop := s.path(emulator.InboxName, s.id, demoFile)
	s.say("\n3. %s is dropped into %s\n", demoFile, filepath.Dir(drop))
	started := time.Now()
	if err := s.drop(drop); err != nil {
		return err
	}
	stands := &s.stands
	err := s.wait(ctx, func() (bool, error) {
		err := s.client.Get(ctx, "/planner/v1/executions/"+s.id, stands)
		if errs.KindOf(err) == errs.NotFound {
			return false, nil
		}
		return stands.Status == ledger.Completed || stands.Status == ledger.Failed, err
	})
	if err != nil {
		return err
	}
	if stands.Status != ledger.Completed {
		return errs.New(errs.Internal, "The execution is %s.", stands.Status)
	}
	s.say(
		"   %s after %.1f s (a drop is taken once it has not changed for 2 s)\n\n",
		stands.Status,
		time.Since(started).Seconds(),
	)
	after, err := os.ReadFile(s.path(emulator.OutboxName, s.id, demoFile))
	if err != nil {
		return err
	}
	if err := s.compare(demoTable, after); err != nil {
		return err
	}
	s.say(
		"\n   %d of %d rows changed; every other byte is as it was.\n",
		stands.Summary.RowsChanged,
		stands.Summary.RowsTotal,
	)
	return nil
}

// compare prints both tables as one, with the price before and after.
func (s *walkthrough) compare(before, after []byte) error {
	was, err := csv.NewReader(bytes.NewReader(before)).ReadAll()
	if err != nil {
		return err
	}
	is, err := csv.NewReader(bytes.NewReader(after)).ReadAll()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "     SKU\tcategory\tin stock\tbefore\tafter")
	for i := 1; i < min(len(was), len(is)); i++ {
		mark := ""
		if was[i][2] != is[i][2] {
			mark = "\tchanged"
		}
		fmt.Fprintf(table, "     %s\t%s\t%s\t%s\t%s%s\n", was[i][0],
			was[i][1], is[i][3], was[i][2], is[i][2], mark)
	}
	return table.Flush()
}

// files lists what was written.
func (s *walkthrough) files(context.Context) error {
	s.say("\n4. What was written\n")
	for _, written := range []struct{ what, path string }{
		{"the table", s.path(emulator.OutboxName, s.id, demoFile)},
		{"the audit record", s.path(emulator.AuditName, "executions", s.id+".jsonl")},
		{"every changed row", s.path(emulator.AuditName, "changes", s.id+".jsonl")},
		{"plans and history", s.path(emulator.StateName)},
	} {
		if _, err := os.Stat(written.path); err != nil {
			return errs.Wrap(errs.Internal, err, "%s is missing.", written.path)
		}
		s.say("     %-18s %s\n", written.what, written.path)
	}
	return nil
}

// again drops the same table once more, which must change nothing.
func (s *walkthrough) again(ctx context.Context) error {
	s.say("\n5. The same file is dropped again\n")
	before, err := os.ReadFile(s.path(emulator.OutboxName, s.id, demoFile))
	if err != nil {
		return err
	}
	if err := s.drop(s.path(emulator.InboxName, s.id, demoFile)); err != nil {
		return err
	}
	var notices []string
	err = s.wait(ctx, func() (bool, error) {
		notices, err = filepath.Glob(s.path(emulator.OutboxName, s.id, demoFile+".skipped-*.txt"))
		return len(notices) > 0, err
	})
	if err != nil {
		return err
	}
	notice, err := os.ReadFile(notices[0])
	if err != nil {
		return err
	}
	after, err := os.ReadFile(s.path(emulator.OutboxName, s.id, demoFile))
	if err != nil {
		return err
	}
	if !bytes.Equal(before, after) {
		return errs.New(errs.Internal, "The output changed.")
	}
	s.say("   skipped: nothing was changed, and a note lies beside the result:\n     %s\n\n", notices[0])
	for line := range strings.Lines(strings.TrimSpace(string(notice))) {
		s.say("%s\n", strings.TrimRight("     "+line, " \n"))
	}
	return nil
}

func (s *walkthrough) drop(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, demoTable, 0o644)
}

// wait asks until done says so. It ends with the context, or after a minute.
func (s *walkthrough) wait(ctx context.Context, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		is, err := done()
		if is || err != nil {
			return err
		}
		if err := gax.Sleep(ctx, 50*time.Millisecond); err != nil {
			return errs.Wrap(errs.Deadline, err, "It took too long; %s says why.", s.path("server.log"))
		}
	}
}

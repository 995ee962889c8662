package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/userfile"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/setting"
)

// dryRunChanges is how many of the changed rows are shown.
const dryRunChanges = 10

// dryRun says what the plan would do to the table, whose BLAKE3 it returns. It writes
// nothing.
func (j job) dryRun(ctx context.Context, env environment) (string, error) {
	ids, err := openPlanIDs(ctx, j.db)
	if err != nil {
		return "", err
	}
	defer ids.Close()
	read := bucket.NewFingerprint()
	found, err := j.preview(ctx, ids, read)
	if err != nil {
		return "", err
	}
	return read.BLAKE3(), j.show(ctx, env, ids, read, &found)
}

// show says what the plan would do to a table.
func (j job) show(
	ctx context.Context,
	env environment,
	ids planIDs,
	read *bucket.Fingerprint,
	found *pricing.Preview,
) error {
	summary := &found.Summary
	shown := plannerapi.SummaryOfRun(*summary)
	for _, warning := range j.plan.Warnings() {
		shown.Warnings = append(shown.Warnings, warning.Message)
	}
	if ids.store != nil {
		same := lineage.SameTable(
			ctx,
			ids.store,
			ledger.File{Size: read.Size, CRC32C: read.CRC32C},
			j.plan.ExecutionID,
		)
		shown.Warnings = append(shown.Warnings, plan.Messages(same)...)
	}
	if printed, err := j.form.print(env.stdout, shownPreview{
		shown, summary.Effect, plannerapi.FiguresOf(found), j.previewSHA256(read, found),
	}); printed || err != nil {
		return err
	}
	for i, warning := range shown.Warnings {
		shown.Warnings[i] = inWords(j.plan, warning)
	}
	fmt.Fprintf(
		env.stdout,
		"dry run    %s: nothing was written\n%s\n",
		j.plan.ExecutionID,
		counts(plans.New(j.plan).Explanation(), shown, summary.Effect),
	)
	writeRules(env.stdout, found)
	writeEffect(env.stdout, &summary.Effect)
	writeStale(env.stdout, summary.Stale)
	if ids.store == nil {
		return nil
	}
	record, err := ids.store.Execution(ctx, j.plan.ExecutionID)
	if err == nil && record.Status == ledger.Completed {
		fmt.Fprintf(env.stdout, "  %s\n", carriedOut(record))
	}
	return nil
}

// shownPreview is a dry run as JSON.
type shownPreview struct {
	plannerapi.Summary
	Effect pricing.Effect `json:"effect"`
	plannerapi.RuleFigures
	PreviewSHA256 string `json:"preview_sha256,omitempty"` // "" of an undo
}

// previewSHA256 is what the planner answers of the same rules and table.
func (j job) previewSHA256(read *bucket.Fingerprint, found *pricing.Preview) string {
	if j.plan.Undo != nil {
		return ""
	}
	return ledger.PreviewSHA256(j.plan.Operations, j.settings, read.BLAKE3(), &found.Summary)
}

// preview looks at what the plan would do to the table, and hands on what is read of it.
func (j job) preview(ctx context.Context, ids planIDs, read io.Writer) (pricing.Preview, error) {
	buckets, closeAll, err := j.readBuckets()
	if err != nil {
		return pricing.Preview{}, err
	}
	defer closeAll()
	task, err := j.task(ctx, ids, buckets)
	if err != nil {
		return pricing.Preview{}, table.On(err, setting.Flags)
	}
	defer task.Close()
	engine, err := task.Compile(ctx)
	if err != nil {
		return pricing.Preview{}, table.On(err, setting.Flags)
	}
	open := func() (io.ReadCloser, error) {
		in, err := os.Open(j.csv)
		if err != nil {
			return nil, usagef("--csv %s cannot be read: may you read it?", near(j.csv))
		}
		return in, nil
	}
	in, err := open()
	if err != nil {
		return pricing.Preview{}, err
	}
	defer in.Close()
	again := open
	if info, err := os.Stat(j.csv); err != nil || !info.Mode().IsRegular() { // a pipe is read but once
		again = nil
	}
	found, err := engine.Preview(ctx, io.TeeReader(in, read), again, nil)
	return found, table.On(err, setting.Flags)
}

// writeRules says what keeps rules from rows, and which rows two of them share.
func writeRules(out io.Writer, found *pricing.Preview) {
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer lines.Flush()
	for _, rule := range found.Rules {
		section(lines, rule.OperationID+" leaves out\trows\tby", rule.Exceptions,
			func(e pricing.Exception) string {
				names := strings.Join(e.Names, ", ")
				if e.More > 0 {
					names += fmt.Sprintf(" and %d more", e.More)
				}
				return fmt.Sprintf("%s\t%d\t%s",
					faults.Shown(names), e.Rows, conditionText(e.Condition, e.Column))
			})
		section(
			lines,
			rule.OperationID+" matches no row\twithout it\tby it alone",
			rule.EmptiedBy,
			func(e pricing.Emptying) string {
				return fmt.Sprintf("%s\t%d\t%d",
					conditionText(e.Condition, e.Column), e.RowsWithout, e.RowsAlone)
			},
		)
	}
	for _, shared := range found.Overlaps {
		title := fmt.Sprintf(
			"%s and %s share %s",
			shared.OperationIDs[0],
			shared.OperationIDs[1],
			plural(shared.Rows, "row"),
		)
		section(
			lines,
			title+"\trow\tbefore\tby the first\tby the second\tby both",
			shared.Samples,
			func(s pricing.Sample) string {
				return fmt.Sprintf(
					"%s\t%d\t%s\t%s\t%s\t%s",
					faults.Shown(s.SKU),
					s.Row,
					s.Before,
					s.First,
					s.Second,
					s.Both,
				)
			},
		)
	}
}

// task is the plan over the table, with the execution that it undoes where it
// undoes one.
func (j job) task(ctx context.Context, ids planIDs, buckets execution.Buckets) (execution.Task, error) {
	source := ledger.Source{Upload: ledger.Upload{Object: j.object()}, Settings: j.settings}
	if j.plan.Undo == nil {
		return buckets.NewTask(ctx, j.plan, source, nil, nil)
	}
	record, err := ids.completed(ctx, j.plan.Undo.ExecutionID, near(j.db))
	if err != nil {
		return execution.Task{}, err
	}
	return buckets.NewTask(ctx, j.plan, source, nil, &record)
}

// readBuckets are the store's buckets, with the table where it lies; nothing is written to
// them. A plan that undoes nothing needs none.
func (j job) readBuckets() (buckets execution.Buckets, closeAll func(), err error) {
	if j.plan.Undo == nil {
		return buckets, func() {}, nil
	}
	buckets, opened, err := readBuckets(emulator.PlaceOf(j.db))
	buckets.Inbox = &withTable{Bucket: buckets.Inbox, object: j.object(), csv: j.csv}
	return buckets, func() { closeBuckets(opened) }, err
}

// withTable is an inbox with a table that lies elsewhere, as generation 0 of its name.
type withTable struct {
	bucket.Bucket
	object, csv string
	read        *bucket.Digest // of the table, once it is known
}

// Open implements bucket.Bucket.
func (w *withTable) Open(
	ctx context.Context,
	name string,
	generation int64,
) (io.ReadCloser, bucket.Object, error) {
	if name != w.object || generation != 0 {
		return w.Bucket.Open(ctx, name, generation)
	}
	file, err := os.Open(w.csv)
	if err != nil {
		return nil, bucket.Object{}, userfile.Error(err, w.csv)
	}
	if w.read == nil {
		w.read = &bucket.Digest{}
		_, err = io.Copy(w.read, file)
		if err == nil {
			_, err = file.Seek(0, io.SeekStart)
		}
	}
	if err != nil {
		file.Close()
		return nil, bucket.Object{}, userfile.Error(err, w.csv)
	}
	return file, bucket.Object{Bucket: w.Name(), Name: name, Size: w.read.Size, CRC32C: w.read.CRC32C}, nil
}

// writeEffect says what a person can judge a run by.
func writeEffect(out io.Writer, e *pricing.Effect) {
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer lines.Flush()
	if e.RowsRaised+e.RowsLowered+e.RowsRegular > 0 {
		fmt.Fprintf(
			lines,
			"\n  prices\trows\tin all\n  raised\t%d\t%s\n  lowered\t%d\t%s\n",
			e.RowsRaised,
			money(e.Raised, e.Currency),
			e.RowsLowered,
			money(e.Lowered, e.Currency),
		)
		if e.RowsRegular > 0 {
			fmt.Fprintf(lines, "  regular, during a sale\t%d\t\n", e.RowsRegular)
		}
		fmt.Fprint(lines, "\n  moved by\trows\n")
		for _, band := range e.Distribution {
			if band.Rows > 0 {
				fmt.Fprintf(lines, "  %s\t%d\n", band, band.Rows)
			}
		}
	}
	if e.RowsIntoStock+e.RowsOutOfStock > 0 {
		fmt.Fprintf(
			lines,
			"\n  stock\trows\n  put in stock\t%d\n  out of stock\t%d\n",
			e.RowsIntoStock,
			e.RowsOutOfStock,
		)
	}
	writeMoves(lines, "largest rises", e.LargestRises, "+")
	writeMoves(lines, "largest falls", e.LargestFalls, "-")
	writeMoves(lines, "largest moves of regular prices", e.LargestRegular, "")
	section(
		lines,
		"first changes\trow\tbefore\tafter\toperations",
		e.Changes[:min(len(e.Changes), dryRunChanges)],
		func(c pricing.Change) string {
			return fmt.Sprintf(
				"%s\t%d\t%s\t%s\t%s",
				faults.Shown(c.SKU),
				c.Row,
				c.Before,
				c.After,
				strings.Join(c.OperationIDs, ", "),
			)
		},
	)
}

// conditionText names a condition of a filter, with the title where it is on another column.
func conditionText(name, title string) string {
	if title == "" {
		return name
	}
	return name + " " + faults.Shown(title)
}

// section writes the cells of rows under a heading, where there are any.
func section[T any](out io.Writer, heading string, rows []T, cells func(T) string) {
	if len(rows) > 0 {
		fmt.Fprintf(out, "\n  %s\n", heading)
	}
	for _, row := range rows {
		fmt.Fprintf(out, "  %s\n", cells(row))
	}
}

// money is a sum, or that there is none to be had.
func money(sum *string, currency string) string {
	if sum == nil {
		return "several currencies"
	}
	return strings.TrimSpace(*sum + " " + currency)
}

func writeMoves(out io.Writer, title string, moves []pricing.Move, sign string) {
	section(out, title+"\trow\tbefore\tafter\t", moves, func(move pricing.Move) string {
		share := "from 0"
		if move.Percent != nil {
			share = sign + *move.Percent + "%"
		}
		return fmt.Sprintf(
			"%s\t%d\t%s\t%s\t%s",
			faults.Shown(move.SKU),
			move.Row,
			move.BeforeText(),
			move.AfterText(),
			share,
		)
	})
}

// writeStale lists the rows that an undo leaves as they are.
func writeStale(out io.Writer, rows []pricing.StaleRow) {
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer lines.Flush()
	section(
		lines,
		"changed since\trow\twas given\thas",
		rows[:min(len(rows), dryRunChanges)],
		func(stale pricing.StaleRow) string {
			found := "no such row"
			if stale.Found != nil {
				found = stale.Found.String()
			}
			return fmt.Sprintf("%s\t%d\t%s\t%s", faults.Shown(stale.SKU), stale.Row, stale.Given, found)
		},
	)
}

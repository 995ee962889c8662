package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/executor"
	"github.com/planwright/planwright/functions/planwright/files"
	"github.com/planwright/planwright/functions/planwright/verify"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/sqlitedb"
)

func verifyCommand(env environment) *cobra.Command {
	var db, executionID string
	var cloud bool
	cmd := &cobra.Command{
		Use:   "verify --execution ID",
		Short: "Prove after the fact that an execution did what its record says",
		Long: `Computes the output of a completed execution again from its plan and its input
and compares that with the output file, the changes file, the change documents,
the audit file and the hash chain of the audit documents. One flipped byte in
any of them is found. It changes nothing, and may run beside a server.

--db is the file that apply wrote, or the state.db of a server's data folder.
With --cloud it is Firestore and the buckets that the deployed functions use, as
GOOGLE_CLOUD_PROJECT, FIRESTORE_DATABASE, INBOX_BUCKET, OUTBOX_BUCKET and
AUDIT_BUCKET name them, read with your own credentials.`,
		Example: `  planwright verify --execution plan_fitness_price_increase_10pct_v1
  planwright verify --db local/state.db --execution plan_fitness_price_increase_10pct_v1
  planwright verify --cloud --execution plan_fitness_price_increase_10pct_v1`,
		Args: cobra.NoArgs,
		RunE: action(func(ctx context.Context) error {
			if !plan.ValidExecutionID(executionID) {
				return usagef("%s", errs.Message(plan.CheckExecutionID(executionID)))
			}
			if cloud {
				return verifyCloud(ctx, env, executionID)
			}
			return verifyLocal(ctx, env, db, executionID)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&db, "db", "executions.db", "the SQLite file with the records")
	flags.BoolVar(&cloud, "cloud", false, "verify what the deployed functions did, instead of --db")
	flags.StringVar(&executionID, "execution", "", "the execution id")
	if err := cmd.MarkFlagRequired("execution"); err != nil {
		panic(err)
	}
	return cmd
}

// verifyCloud verifies what the deployed functions did.
func verifyCloud(ctx context.Context, env environment, executionID string) error {
	c, err := executor.ReadConfig(env.lookup)
	if err != nil {
		return usagef("%s", errs.Message(err))
	}
	store, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return err
	}
	defer store.Close()
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	open := func(name string) bucket.Bucket { return gcs.New(client, name, gcs.Options{}) }
	return printFindings(ctx, env, executionID, verify.Verifier{
		Ledger: store, Inbox: open(c.Inbox), Outbox: open(c.Outbox), Audit: open(c.Audit),
		Engine: execution.Pricing{}, Names: execution.BucketNames{},
	})
}

// verifyLocal verifies what lies on this machine.
func verifyLocal(ctx context.Context, env environment, db, executionID string) error {
	if _, err := os.Stat(db); err != nil {
		return usagef("--db %s cannot be read: is the path right?", db)
	}
	store, err := sqlite.Open(ctx, db, sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	verifier, closeBuckets, err := verifierOf(ctx, db, store, executionID)
	if err != nil {
		return err
	}
	defer closeBuckets()
	return printFindings(ctx, env, executionID, verifier)
}

// verifierOf finds the files that belong to the records: those of a command
// line where apply wrote them, else the folders beside a server's state.db.
func verifierOf(ctx context.Context, db string, store *sqlite.Store, executionID string) (verify.Verifier, func(), error) {
	v := verify.Verifier{Ledger: store, Engine: execution.Pricing{}, Names: execution.BucketNames{}}
	record, err := store.Execution(ctx, executionID)
	if errs.KindOf(err) == errs.NotFound {
		return v, nil, errs.New(errs.NotFound, "There is no execution %s in %s.", executionID, db)
	} else if err != nil {
		return v, nil, err
	}
	if record.Source.Bucket == files.InputName {
		log, err := auditPath(ctx, db, executionID)
		v.Inbox, v.Outbox, v.Audit = files.Input{}, files.Audit{}, files.Audit{}
		v.Names, v.NoDocuments = fileNames{audit: log}, true
		return v, func() {}, err
	}
	var opened []*folder.Bucket
	closeAll := func() {
		for _, b := range opened {
			b.Close()
		}
	}
	for _, name := range []string{emulator.InboxName, emulator.OutboxName, emulator.AuditName} {
		dir := filepath.Join(filepath.Dir(db), name)
		if _, err := os.Stat(dir); err != nil {
			closeAll()
			return v, nil, errs.Wrap(errs.NotFound, err, "There is no %s beside %s: the objects of this execution lie elsewhere.", name, db)
		}
		b, err := folder.Open(dir, folder.Options{Name: name, ReadOnly: true})
		if err != nil {
			closeAll()
			return v, nil, err
		}
		opened = append(opened, b)
	}
	v.Inbox, v.Outbox, v.Audit = opened[0], opened[1], opened[2]
	return v, closeAll, nil
}

// auditPath asks the view executions where apply wrote its audit line.
func auditPath(ctx context.Context, path, executionID string) (string, error) {
	const what = "cannot look up the audit log"
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		return "", err
	}
	defer db.Close()
	var log string
	err = db.QueryRowContext(ctx, `SELECT audit_path FROM executions WHERE execution_id = ?`, executionID).Scan(&log)
	return log, sqlitedb.Error(err, what)
}

// printFindings verifies, and says of each thing whether it is as it must be.
func printFindings(ctx context.Context, env environment, executionID string, verifier verify.Verifier) error {
	findings, err := verifier.Verify(ctx, executionID)
	if err != nil {
		return err
	}
	faults := 0
	for _, finding := range findings {
		if finding.Fault == "" {
			fmt.Fprintf(env.stdout, "  ok       %s\n", finding.What)
			continue
		}
		faults++
		fmt.Fprintf(env.stdout, "  DIFFERS  %s: %s\n", finding.What, finding.Fault)
	}
	if faults > 0 {
		return errs.New(errs.Internal, "%s is not as it was sealed: %s.", executionID, plural(int64(faults), "difference"))
	}
	fmt.Fprintf(env.stdout, "verified   %s\n", executionID)
	return nil
}

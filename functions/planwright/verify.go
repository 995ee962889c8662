package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/googleapis/gax-go/v2"
	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/cloudstores"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/verify"
)

// verifyFlags are the flags of verify as they were given.
type verifyFlags struct {
	db, executionID, key, head, log string
	files                           []string // of audit documents, with log
	cloud, all                      bool
	form                            form
}

func verifyCommand(env environment) *cobra.Command {
	var given verifyFlags
	cmd := &cobra.Command{
		Use:   "verify ID | --all | --log DIR --key KEY [FILE ...]",
		Short: "Prove that an execution did what its record says",
		Long: `Computes the output of a completed execution again from its plan and its input
and compares it, byte by byte, with the output file and the changes file, and
what is recorded of it with the change documents, the audit file, the hash chain
of the audit documents and the signed tree over all of them. Where somebody had to
approve of it, the approval is of exactly what was applied; an undo and what it
undid know of each other.

--all does so with every execution, also with those that failed, and checks the
whole tree: that every signed head is of the beginning of the same tree, and that
nothing was taken out of it or added. It changes nothing, and may run beside a
server.

--key is the public key that the heads must be signed with. Without it the one in
the audit bucket is taken, which whoever can write there can replace.

--db is the file that apply wrote, or the state.db of a server's data folder.
With --cloud it is Firestore and the buckets that the deployed functions use, as
GOOGLE_CLOUD_PROJECT, FIRESTORE_DATABASE, INBOX_BUCKET, OUTBOX_BUCKET and
AUDIT_BUCKET name them, read with your own credentials.

--log needs no database: DIR is a copy of the folder log/ of the audit bucket, and
each FILE holds audit documents, one a line. With the public key alone it proves
that every head is of one tree, and that each line of each FILE is signed in it.`,
		Example: `  planwright verify plan_fitness_price_increase_10pct_v1
  planwright verify --db local/state.db --all
  planwright verify --cloud plan_fitness_price_increase_10pct_v1
  planwright verify --log audit/log --key "$(cat the-key-you-noted)" audit/executions/*.jsonl`,
		RunE: action(func(ctx context.Context) error {
			if given.log != "" {
				return given.verifyLog(env)
			}
			if given.all == (given.executionID != "") {
				return usagef("Give either an execution id or --all.")
			}
			if given.head != "" && !given.all {
				return usagef("--head is of the whole tree: give --all with it.")
			}
			if !given.all && !plan.ValidExecutionID(given.executionID) {
				return usagef("%s", errs.Message(plan.CheckExecutionID(given.executionID)))
			}
			if given.cloud {
				return given.verifyCloud(ctx, env)
			}
			return given.verifyLocal(ctx, env)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&given.db, "db", "executions.db", "the SQLite file with the records")
	flags.BoolVar(&given.cloud, "cloud", false, "verify what the deployed functions did, instead of --db")
	flags.StringVar(
		&given.executionID,
		"execution",
		"",
		"the execution id, which may also stand as the argument",
	)
	flags.BoolVar(&given.all, "all", false, "verify every execution and the whole tree of audit documents")
	flags.StringVar(
		&given.head,
		"head",
		"",
		"with --all: a signed head that you kept elsewhere, a file; the tree must go on from it",
	)
	flags.StringVar(&given.key, "key", "",
		"the public key of the tree (default: the one in the audit bucket)")
	flags.StringVar(
		&given.log,
		"log",
		"",
		"a copy of the folder log/ of the audit bucket, verified without a database; needs --key",
	)
	takesID(cmd)
	takesOne := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if given.log == "" {
			return takesOne(cmd, args)
		}
		given.files = args
		return nil
	}
	for _, other := range []string{"db", "execution", "all", "cloud", "head"} {
		cmd.MarkFlagsMutuallyExclusive("log", other)
	}
	given.form.add(cmd)
	return cmd
}

// verifyCloud verifies what the deployed functions did.
func (f verifyFlags) verifyCloud(ctx context.Context, env environment) error {
	c, err := execution.ReadConfig(env.lookup)
	if err != nil {
		return usagef("%s", errs.Message(err))
	}
	stores, err := cloudstores.Open(ctx, c)
	if err != nil {
		return err
	}
	defer stores.Close()
	v := verify.Verifier{
		Ledger:  stores.Ledger,
		Buckets: stores.Buckets,
		Engine:  execution.Pricing{},
		Leaves:  stores.Ledger,
		Records: func(context.Context) error { return nil },
		Now:     time.Now,
	}
	return f.verify(ctx, env, v, v.Audit)
}

// verifyLocal verifies what lies on this machine.
func (f verifyFlags) verifyLocal(ctx context.Context, env environment) error {
	if _, err := os.Stat(f.db); err != nil {
		if err := checkRecords(ctx, f.db, nil); err != nil {
			return err
		}
		return usagef("--db %s cannot be read: is the path right?", f.db)
	}
	place := emulator.PlaceOf(f.db)
	if err := emulator.CheckFolder(place); err != nil {
		return err
	}
	readable, remove, err := readableCopy(f.db)
	if err != nil {
		return err
	}
	defer remove()
	store, err := sqlite.Open(ctx, readable, sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	if err := f.knows(ctx, store); err != nil {
		return err
	}
	v := verify.Verifier{
		Ledger:  store,
		Leaves:  store,
		Engine:  execution.Pricing{},
		Records: store.Check,
		Indexed: store.Indexed,
		Now:     time.Now,
		Line:    func(ctx context.Context, d ledger.AuditDocument) error { return checkLine(ctx, store, d) },
		OwnFiles: func(ctx context.Context, e ledger.Execution) (int, []string, error) {
			return checkOwnFiles(ctx, store, e)
		},
	}
	if v.Log, err = logs(ctx, store); err != nil {
		return err
	}
	return f.verifyFolder(ctx, env, v, store, place)
}

// knows refuses an execution that is not in the records.
func (f verifyFlags) knows(ctx context.Context, store *sqlite.Store) error {
	if f.all {
		return nil
	}
	_, err := store.Execution(ctx, f.executionID)
	if errs.KindOf(err) == errs.NotFound {
		return errs.New(errs.NotFound, "There is no execution %s in %s.", f.executionID, f.db)
	}
	return err
}

// logs is what checks the audit logs of command lines; nil where there are none.
func logs(ctx context.Context, store *sqlite.Store) (func(context.Context) error, error) {
	found, err := store.Logs(ctx)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return func(ctx context.Context) error { return checkLogs(ctx, store, found) }, nil
}

// verifyFolder verifies the folders of a store. Where nothing was carried out there is none.
func (f verifyFlags) verifyFolder(
	ctx context.Context,
	env environment,
	v verify.Verifier,
	store *sqlite.Store,
	place emulator.Place,
) error {
	v.TreeIn, v.Objects = emulator.AuditName, map[string]func(context.Context) (map[string]bool, error){}
	if _, err := os.Stat(place.Folder); os.IsNotExist(err) {
		some, err := store.Executions(ctx, "", paging.Page{Size: 1})
		if err != nil || len(some.Items) == 0 {
			return errors.Join(err, f.print(ctx, env, v))
		}
	}
	v.Folder = os.DirFS(place.Folder)
	var opened map[string]*folder.Bucket
	var err error
	if v.Buckets, opened, err = readBuckets(place); err != nil {
		return err
	}
	defer closeBuckets(opened)
	for name, b := range opened {
		v.Objects[name] = b.Check
	}
	if err := awaitSignature(ctx, store, place); err != nil {
		return err
	}
	return f.verify(ctx, env, v, v.Audit)
}

// signingTime is how long a running server may take to sign the tree with what
// it has just settled.
const signingTime = 30 * time.Second

// awaitSignature waits until the server that uses the folder has signed the
// tree with every document. Where none runs, nobody signs.
func awaitSignature(ctx context.Context, leaves merkle.LeafStore, place emulator.Place) error {
	ctx, cancel := context.WithTimeout(ctx, signingTime)
	defer cancel()
	for {
		state, err := leaves.Tree(ctx)
		if err != nil {
			return err
		}
		unlogged, err := leaves.Unlogged(ctx, 1)
		if err != nil {
			return err
		}
		if state.Published == state.Size && len(unlogged) == 0 || !emulator.Serving(place) {
			return nil
		}
		if gax.Sleep(ctx, 50*time.Millisecond) != nil {
			return nil // the tree is verified as it is
		}
	}
}

// verify verifies with the tree that is signed in a bucket.
func (f verifyFlags) verify(
	ctx context.Context,
	env environment,
	v verify.Verifier,
	signed bucket.Bucket,
) (err error) {
	v.TreeIn = signed.Name()
	v.Tree, err = tree.NewChecker(ctx, v.Leaves, signed, f.key)
	if errs.KindOf(err) == errs.NotFound {
		v.Tree = nil
	} else if err != nil {
		return err
	}
	return f.print(ctx, env, v)
}

// print verifies, and says of each thing whether it is as it must be.
func (f verifyFlags) print(ctx context.Context, env environment, v verify.Verifier) error {
	if f.head != "" {
		noted, err := os.ReadFile(f.head)
		if err != nil {
			return usagef("--head %s cannot be read: is the path right?", f.head)
		}
		v.Noted = string(noted)
	}
	var subjects []verify.Subject
	var faults int64
	report := func(subject verify.Subject) {
		subjects = append(subjects, subject)
		if f.form != "json" {
			if f.all {
				fmt.Fprintf(env.stdout, "%s\n", subject.Name)
			}
			printFindings(env, subject.Findings)
		}
		for _, finding := range subject.Findings {
			if finding.Fault != "" {
				faults++
			}
		}
	}
	if f.all {
		if err := v.All(ctx, report); err != nil {
			return err
		}
	} else {
		findings, err := v.Verify(ctx, f.executionID)
		if err != nil {
			return err
		}
		report(verify.Subject{Name: f.executionID, Findings: findings})
	}
	printed, err := f.form.print(env.stdout, subjects)
	switch {
	case err != nil:
		return err
	case faults > 0 && f.all:
		return errs.New(errs.Internal,
			"Not everything is as it was recorded: %s.", plural(faults, "difference"))
	case faults > 0:
		return errs.New(
			errs.Internal,
			"%s is not as it was sealed: %s.",
			f.executionID,
			plural(faults, "difference"),
		)
	case printed:
	case f.all:
		fmt.Fprintf(
			env.stdout,
			"verified   %s and the tree of their audit documents\n",
			plural(int64(len(subjects)-1), "execution"),
		)
	default:
		fmt.Fprintf(env.stdout, "verified   %s\n", f.executionID)
	}
	return nil
}

func printFindings(env environment, findings []verify.Finding) {
	for _, finding := range findings {
		if finding.Fault == "" {
			fmt.Fprintf(env.stdout, "  ok       %s\n", finding.What)
		} else {
			fmt.Fprintf(env.stdout, "  DIFFERS  %s: %s\n", finding.What, finding.Fault)
		}
		for _, note := range finding.Notes {
			fmt.Fprintf(env.stdout, "           %s\n", note)
		}
	}
}

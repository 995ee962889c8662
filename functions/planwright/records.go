package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/web"
)

// localPlanner is where serve answers for the planner.
const localPlanner = "http://localhost:8080/planner"

// recordsCommand is a command that asks a planner for records at a path. It tells
// what it gets and nothing else. The flag that says where it was asked is told with it.
func recordsCommand[T any](
	env environment,
	use, short, example string,
	args cobra.PositionalArgs,
	path func(args []string) (string, error),
	tell func(out io.Writer, found *T, args []string, from string) error,
) *cobra.Command {
	var address, db string
	var as form
	cmd := &cobra.Command{
		Use: use, Short: short, Example: example, Args: args,
		Long: short + `.

It asks the server on this machine (planwright serve) or, with --url, a planner that
is deployed. That one is called with your own identity token: sign in with gcloud
auth login. With --db it reads what apply did, or a server's state.db, itself.`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return action(func(ctx context.Context) error {
			c, from, closeAll, err := recordsOf(ctx, address, db)
			if err != nil {
				return err
			}
			defer closeAll()
			at, err := path(args)
			if err != nil {
				return err
			}
			var answer json.RawMessage
			if err := c.Get(ctx, at, &answer); err != nil {
				return err
			}
			if printed, err := as.print(cmd.OutOrStdout(), answer); printed || err != nil {
				return err
			}
			var found T
			if err := json.Unmarshal(answer, &found); err != nil {
				return errs.Wrap(
					errs.Internal,
					err,
					"%s answers what this command does not understand: is it of another version?",
					c.Base,
				)
			}
			if err := tell(cmd.OutOrStdout(), &found, args, from); err != nil {
				return err
			}
			return tellMore(cmd.OutOrStdout(), answer)
		})(cmd, args)
	}
	cmd.Flags().StringVar(&address, "url", localPlanner, "address of the planner")
	cmd.Flags().
		StringVar(
			&db,
			"db",
			"",
			"the SQLite file that apply wrote, or the state.db of a server's data folder, instead of --url",
		)
	cmd.MarkFlagsMutuallyExclusive("url", "db")
	as.add(cmd)
	return cmd
}

// recordsOf speaks to a planner: to that at an address, or to one over the store of a file,
// which it changes nothing in. The flag that names it is returned, too.
func recordsOf(
	ctx context.Context,
	address, db string,
) (c *web.Client, from string, closeAll func(), err error) {
	if db == "" {
		c, err = remote(address)
		if err != nil {
			return nil, "", nil, err
		}
		return c, "--url " + c.Base, func() {}, nil
	}
	var opened []func()
	closeAll = func() {
		for _, closeOne := range slices.Backward(opened) {
			closeOne()
		}
	}
	handler, err := plannerOf(ctx, db, func(closeOne func()) { opened = append(opened, closeOne) })
	if err != nil {
		closeAll()
		return nil, "", nil, err
	}
	service := web.Service{Name: "planner", Log: logging.Discard}.Serve(handler)
	return &web.Client{Base: "http://localhost", HTTP: web.InProcess(service)}, "--db " +
		near(db), closeAll, nil
}

// plannerOf is a planner over the store of a file.
func plannerOf(ctx context.Context, db string, later func(func())) (http.Handler, error) {
	if !isFile(db) {
		return nil, usagef("--db %s cannot be read: is the path right?", db)
	}
	place := emulator.PlaceOf(db)
	if err := emulator.CheckFolder(place); err != nil {
		return nil, err
	}
	readable, remove, err := readableCopy(db)
	if err != nil {
		return nil, err
	}
	later(remove)
	store, err := sqlite.Open(ctx, readable, sqlite.Options{})
	if err != nil {
		return nil, errs.Wrap(errs.KindOf(err), err, "--db %s: %s", db, errs.Message(err))
	}
	later(func() { store.Close() })
	buckets, opened, err := readBuckets(place)
	if errs.KindOf(err) == errs.NotFound { // nothing was carried out
		return planner.NewHandler(
			planner.Dependencies{Store: store, InboxBucket: emulator.InboxName},
		), nil
	} else if err != nil {
		return nil, err
	}
	later(func() { closeBuckets(opened) })
	store.ChangesFile = emulator.ChangesIn(buckets.Audit)
	return planner.NewHandler(
		planner.Dependencies{Store: store, InboxBucket: emulator.InboxName, Buckets: buckets},
	), nil
}

// pageFlag goes on with a list where tellMore says that it ends.
func pageFlag(cmd *cobra.Command, token *string) {
	cmd.Flags().StringVar(token, "page-token", "", "where the list goes on, as its last line says")
}

// tellMore says that a list goes on, where it does.
func tellMore(out io.Writer, answer []byte) error {
	var list struct {
		Token string `json:"next_page_token"`
	}
	if err := json.Unmarshal(answer, &list); err != nil || list.Token == "" {
		return err
	}
	_, err := fmt.Fprintf(out, "There are more: go on with --page-token %s\n", list.Token)
	return err
}

func executionsCommand(env environment) *cobra.Command {
	var status, token string
	path := func([]string) (string, error) {
		query := url.Values{"page_token": {token}}
		if status != "" {
			query.Set("status", status)
		}
		return "/v1/executions?" + query.Encode(), nil
	}
	cmd := recordsCommand(
		env,
		"executions",
		"List the newest executions",
		"  planwright executions --status failed\n  planwright executions --db executions.db",
		cobra.NoArgs,
		path,
		listExecutions,
	)
	cmd.Flags().StringVar(&status, "status", "", "only those: running, proposed, completed or failed")
	pageFlag(cmd, &token)
	oneOf(cmd, "status", ledger.Running, ledger.Proposed, ledger.Completed, ledger.Failed)
	return cmd
}

func showCommand(env environment) *cobra.Command {
	path := func(args []string) (string, error) {
		if err := plan.CheckExecutionID(args[0]); err != nil {
			return "", usagef("%s", err)
		}
		return "/v1/executions/" + args[0], nil
	}
	return recordsCommand(
		env,
		"show ID",
		"Show what an execution did",
		"  planwright show plan_sale_v1",
		cobra.ExactArgs(1),
		path,
		showExecution,
	)
}

func historyCommand(env environment) *cobra.Command {
	var token string
	path := func(args []string) (string, error) {
		return "/v1/skus/" + url.PathEscape(args[0]) + "/changes?page_token=" + url.QueryEscape(token), nil
	}
	cmd := recordsCommand(
		env,
		"history SKU",
		"Show what executions did to a product, the newest first",
		"  planwright history A101",
		cobra.ExactArgs(1),
		path,
		showHistory,
	)
	pageFlag(cmd, &token)
	return cmd
}

func listExecutions(out io.Writer, found *plannerapi.Executions, _ []string, _ string) error {
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(lines, "execution\tstatus\tsince\trows changed\tstands")
	for _, e := range found.Executions {
		changed := ""
		if e.Summary != nil {
			changed = fmt.Sprintf("%d of %d", e.Summary.RowsChanged, e.Summary.RowsTotal)
		}
		fmt.Fprintf(lines, "%s\t%s\t%s\t%s\t%s\n",
			e.ExecutionID, e.Status, minute(e.CreatedAt), changed, e.Stands())
	}
	return lines.Flush()
}

func showExecution(out io.Writer, e *plannerapi.Record, _ []string, from string) error {
	fmt.Fprintf(out, "%s  %s\n  table    %s\n", e.Status, e.ExecutionID, e.Upload.Bucket+"/"+e.Upload.Object)
	var explanation []string
	var effect pricing.Effect
	if len(e.Audit) > 0 {
		explanation = e.Audit[0].Explanation
	}
	completed := func(d ledger.AuditDocument) bool { return d.Status == ledger.Completed }
	if i := slices.IndexFunc(e.Audit, completed); i >= 0 {
		effect = e.Audit[i].Effect
	}
	if p := e.Proposal; p != nil && e.Summary == nil {
		e.Summary, explanation, effect = &p.Summary, p.Explanation, p.Effect
	}
	if e.Summary != nil {
		fmt.Fprintln(out, counts(explanation, *e.Summary, effect))
		writeStale(out, e.Summary.Stale)
	}
	writeLife(out, e, from)
	for _, file := range e.Outputs {
		fmt.Fprintf(out, "  output   %s\n", file)
	}
	if e.ExecutedAt != nil {
		fmt.Fprintf(out, "  computed %s\n", minute(*e.ExecutedAt))
	}
	if e.Delay != "" {
		fmt.Fprintf(out, "  held up, and tried again: %s\n", e.Delay)
	}
	if e.Error != nil {
		fmt.Fprintf(out, "  %s: %s\n", e.Error.Code, strings.ReplaceAll(e.Error.Message, "\n", "\n  "))
	}
	return nil
}

// writeLife says what an execution waits for, who approved of it, and what
// undid it or will.
func writeLife(out io.Writer, e *plannerapi.Record, from string) {
	if p := e.Proposal; p != nil {
		writeEffect(out, &p.Effect)
		fmt.Fprintf(out, "\n  proposal %s\n", p.ProposalSHA256)
		if p.ApprovalDue && e.Approval == nil {
			fmt.Fprintf(
				out,
				"  It needs an approval by %s: %s\n  planwright approve %s --proposal %s %s\n  (or reject, with --reason)\n",
				minute(p.ExpiresAt),
				strings.Join(p.Reasons, " "),
				e.ExecutionID,
				p.ProposalSHA256,
				from,
			)
		}
		if p.ApplyAt.After(p.ExecutedAt) {
			fmt.Fprintf(out, "  It is applied on %s, not before.\n", minute(p.ApplyAt))
		}
	}
	if e.Approval != nil {
		fmt.Fprintf(out, "  approved by %s on %s. %s\n",
			e.Approval.By, minute(e.Approval.At), e.Approval.Note)
	}
	for _, due := range e.UndoDue {
		if due.Waits {
			fmt.Fprintf(
				out,
				"  It was to be undone by %s on %s, which waits for an approval.\n",
				due.ExecutionID,
				minute(due.At),
			)
		} else {
			fmt.Fprintf(out, "  It is undone by %s on %s.\n", due.ExecutionID, minute(due.At))
		}
	}
	switch {
	case e.Undos != nil:
		fmt.Fprintf(out, "  %s\n", e.Undos)
	case e.UndoneStale > 0:
		fmt.Fprintf(out, "  It was undone in part by %s: %s stayed.\n",
			e.UndoneBy, plural(e.UndoneStale, "row"))
	case e.UndoneBy != "":
		fmt.Fprintf(out, "  It was undone by %s.\n", e.UndoneBy)
	}
	for _, warning := range e.Warnings {
		fmt.Fprintf(out, "  warning: %s\n", warning.Message)
	}
}

func showHistory(
	out io.Writer,
	found *plannerapi.Changes[plannerapi.SKUChange],
	args []string,
	_ string,
) error {
	if len(found.Changes) == 0 {
		fmt.Fprintf(
			out,
			"No completed execution has changed %s. A SKU is written exactly as in the table.\n",
			faults.Shown(args[0]),
		)
		return nil
	}
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(lines, "%s\twhen\tbefore\tafter\n", faults.Shown(args[0]))
	for _, change := range found.Changes {
		fmt.Fprintf(
			lines,
			"%s\t%s\t%s\t%s\n",
			change.ExecutionID,
			minute(change.ExecutedAt),
			change.Before,
			change.After,
		)
	}
	return lines.Flush()
}

func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

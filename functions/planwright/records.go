package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// localPlanner is where serve answers for the planner.
const localPlanner = "http://localhost:8080/planner"

// recordsCommand is a command that asks a planner for records. It tells what it
// gets and nothing else.
func recordsCommand(env environment, use, short, example string, args cobra.PositionalArgs, ask func(ctx context.Context, c *web.Client, out io.Writer, args []string) error) *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: use, Short: short, Example: example, Args: args,
		Long: short + `.

It asks the server on this machine (planwright serve) or, with --url, a planner that
is deployed. That one is called with your own identity token: sign in with gcloud
auth login. Where a server asks for a token of its own, PLANWRIGHT_TOKEN holds it. What apply did is shown by a server over the folder of its --db.`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return action(func(ctx context.Context) error {
			c, err := remote(env, address)
			if err != nil {
				return err
			}
			return ask(ctx, c, cmd.OutOrStdout(), args)
		})(cmd, args)
	}
	cmd.Flags().StringVar(&address, "url", localPlanner, "address of the planner")
	return cmd
}

func executionsCommand(env environment) *cobra.Command {
	var status string
	cmd := recordsCommand(env, "executions", "List the newest executions", "  planwright executions --status failed", cobra.NoArgs,
		func(ctx context.Context, c *web.Client, out io.Writer, _ []string) error {
			return listExecutions(ctx, c, out, status)
		})
	cmd.Flags().StringVar(&status, "status", "", "only those: running, proposed, completed or failed")
	return cmd
}

func showCommand(env environment) *cobra.Command {
	return recordsCommand(env, "show ID", "Show what an execution did", "  planwright show plan_sale_v1", cobra.ExactArgs(1), showExecution)
}

func historyCommand(env environment) *cobra.Command {
	return recordsCommand(env, "history SKU", "Show what executions did to a product, the newest first", "  planwright history A101", cobra.ExactArgs(1), showHistory)
}

func listExecutions(ctx context.Context, c *web.Client, out io.Writer, status string) error {
	var found plannerapi.Executions
	query := url.Values{}
	if status != "" {
		query.Set("status", status)
	}
	if err := c.Get(ctx, "/v1/executions?"+query.Encode(), &found); err != nil {
		return err
	}
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(lines, "execution\tstatus\tsince\trows changed")
	for _, e := range found.Executions {
		changed := ""
		if e.Summary != nil {
			changed = fmt.Sprintf("%d of %d", e.Summary.RowsChanged, e.Summary.RowsTotal)
		}
		fmt.Fprintf(lines, "%s\t%s\t%s\t%s\n", e.ExecutionID, e.Status, minute(e.CreatedAt), changed)
	}
	return lines.Flush()
}

func showExecution(ctx context.Context, c *web.Client, out io.Writer, args []string) error {
	if err := plan.CheckExecutionID(args[0]); err != nil {
		return usagef("%s", err)
	}
	var e plannerapi.Record
	if err := c.Get(ctx, "/v1/executions/"+args[0], &e); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s  %s\n  table    %s/%s\n", e.Status, e.ExecutionID, e.Upload.Bucket, e.Upload.Object)
	var explanation []string
	if len(e.Audit) > 0 {
		explanation = e.Audit[0].Explanation
	}
	if p := e.Proposal; p != nil && e.Summary == nil {
		e.Summary, explanation = &p.Summary, p.Explanation
	}
	if e.Summary != nil {
		fmt.Fprintln(out, counts(explanation, *e.Summary))
		writeStale(out, e.Summary.Stale)
	}
	writeLife(out, &e, c.Base)
	for _, file := range e.Outputs {
		fmt.Fprintf(out, "  output   %s/%s\n", file.Bucket, file.Object)
	}
	if e.ExecutedAt != nil {
		fmt.Fprintf(out, "  computed %s\n", minute(*e.ExecutedAt))
	}
	if e.Error != nil {
		fmt.Fprintf(out, "  %s: %s\n", e.Error.Code, strings.ReplaceAll(e.Error.Message, "\n", "\n  "))
	}
	return nil
}

// writeLife says what an execution waits for, who approved of it, and what
// undid it or will.
func writeLife(out io.Writer, e *plannerapi.Record, address string) {
	if p := e.Proposal; p != nil {
		writeEffect(out, &p.Effect)
		fmt.Fprintf(out, "\n  proposal %s\n", p.ProposalSHA256)
		if p.ApprovalDue && e.Approval == nil {
			fmt.Fprintf(out, "  It needs an approval by %s: %s\n  planwright approve --url %s --execution %s --proposal %s\n  (or reject, with --reason)\n",
				minute(p.ExpiresAt), strings.Join(p.Reasons, " "), address, e.ExecutionID, p.ProposalSHA256)
		}
		if p.ApplyAt.After(p.ExecutedAt) {
			fmt.Fprintf(out, "  It is applied on %s, not before.\n", minute(p.ApplyAt))
		}
	}
	if e.Approval != nil {
		fmt.Fprintf(out, "  approved by %s on %s. %s\n", e.Approval.By, minute(e.Approval.At), e.Approval.Note)
	}
	for _, due := range e.UndoDue {
		fmt.Fprintf(out, "  It is undone by %s on %s.\n", due.ExecutionID, minute(due.At))
	}
	if e.UndoneBy != "" {
		fmt.Fprintf(out, "  It was undone by %s.\n", e.UndoneBy)
	}
}

func showHistory(ctx context.Context, c *web.Client, out io.Writer, args []string) error {
	var found plannerapi.Changes[ledger.SKUChange]
	if err := c.Get(ctx, "/v1/skus/"+url.PathEscape(args[0])+"/changes", &found); err != nil {
		return err
	}
	if len(found.Changes) == 0 {
		fmt.Fprintf(out, "No completed execution has changed %s. A SKU is written exactly as in the table.\n", table.Shown(args[0]))
		return nil
	}
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(lines, "%s\twhen\tbefore\tafter\n", table.Shown(args[0]))
	for _, change := range found.Changes {
		fmt.Fprintf(lines, "%s\t%s\t%s\t%s\n", change.ExecutionID, minute(change.ExecutedAt), change.Before, change.After)
	}
	return lines.Flush()
}

func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

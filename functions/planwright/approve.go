package main

import (
	"context"
	"fmt"
	"net/http"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
)

// proposedError says that a run computed what it would do and may not do it
// yet. It has no line in the audit log.
type proposedError struct {
	job
	record ledger.Execution
}

// proposed is that error, of what was computed and nobody edited since.
func (j job) proposed(ctx context.Context, store *sqlite.Store, record ledger.Execution) error {
	stored, err := ledger.LoadPlan(ctx, store, record.ExecutionID)
	if err != nil {
		return err
	}
	if record.Proposal, err = record.ShownProposal(stored); err != nil {
		return err
	}
	return &proposedError{job: j, record: record}
}

func (e *proposedError) Error() string {
	proposal := e.record.Proposal
	var text strings.Builder
	fmt.Fprintf(&text, "proposed   %s: nothing was written yet\n%s", e.record.ExecutionID, counts(proposal.Explanation, proposal.Summary))
	if proposal.ApplyAt.After(time.Now()) {
		fmt.Fprintf(&text, "\n  It is not to be applied before %s: run the same command again then.", minute(proposal.ApplyAt))
	}
	if approved := e.record.Approval; proposal.ApprovalDue && (approved == nil || approved.ProposalSHA256 != proposal.ProposalSHA256) {
		fmt.Fprintf(&text, "\n  It needs an approval: %s\n  To give it, and then run the same command again:\n  planwright approve --db %s --execution %s --proposal %s",
			strings.Join(proposal.Reasons, " "), near(e.db), e.record.ExecutionID, proposal.ProposalSHA256)
	}
	return text.String()
}

// Unwrap gives the error its kind and its message.
func (e *proposedError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

func approveCommand(env environment) *cobra.Command {
	var db, address, executionID, proposal, note string
	cmd := &cobra.Command{
		Use:   "approve --execution ID --proposal SHA256",
		Short: "Approve of what is proposed",
		Long: `Gives leave to exactly what apply proposed, by its hash: the same apply, run again,
then carries it out. Where another result comes of it by then, as of a table that
was edited, that is proposed anew. Who approved, and when, is recorded.

With --url it gives leave to what a server proposed, under your own name.`,
		Example: `  planwright approve --execution plan_sale_v1 --proposal 9f86d081...
  planwright approve --execution plan_sale_v1 --proposal 9f86d081... --url ` + localPlanner,
		Args: cobra.NoArgs,
		RunE: action(func(ctx context.Context) error {
			if address != "" {
				said := map[string]string{"proposal_sha256": proposal}
				if note != "" {
					said["note"] = note
				}
				return decide(ctx, env, address, executionID, "approve", "approved", said)
			}
			by, err := user.Current()
			if err != nil {
				return err
			}
			ids, err := openPlanIDs(ctx, db)
			if err != nil {
				return err
			}
			defer ids.Close()
			if ids.store == nil {
				return errs.New(errs.Invalid, "There is no %s. Is it the --db that apply wrote?", db)
			}
			given := ledger.Approval{ProposalSHA256: proposal, By: by.Username, At: time.Now().UTC(), Note: note}
			record, err := ledger.Approve(ctx, ids.store, executionID, given)
			if err != nil {
				return err
			}
			fmt.Fprintf(env.stdout, "approved   %s by %s\n", record.ExecutionID, given.By)
			return nil
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&db, "db", "executions.db", "the SQLite file that apply wrote")
	flags.StringVar(&address, "url", "", "address of a planner, such as "+localPlanner+", instead of --db")
	flags.StringVar(&note, "note", "", "why, for the record")
	proposalFlags(cmd, &executionID, &proposal)
	return cmd
}

func rejectCommand(env environment) *cobra.Command {
	var address, executionID, proposal, reason string
	cmd := &cobra.Command{
		Use:   "reject --execution ID --proposal SHA256 --reason TEXT",
		Short: "Reject what a server proposed",
		Long: `Fails an execution whose proposal waits on a server, by its hash, under your own name.
Nothing of it is ever applied. What apply proposed needs no rejection: do not run it
again.`,
		Example: "  planwright reject --execution plan_sale_v1 --proposal 9f86d081... --reason \"Not before Friday.\"",
		Args:    cobra.NoArgs,
		RunE: action(func(ctx context.Context) error {
			return decide(ctx, env, address, executionID, "reject", "rejected", map[string]string{"proposal_sha256": proposal, "reason": reason})
		}),
	}
	cmd.Flags().StringVar(&address, "url", localPlanner, "address of the planner")
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the person who dropped the table")
	proposalFlags(cmd, &executionID, &proposal)
	require(cmd, "reason")
	return cmd
}

func proposalFlags(cmd *cobra.Command, executionID, proposal *string) {
	cmd.Flags().StringVar(executionID, "execution", "", "the execution id")
	cmd.Flags().StringVar(proposal, "proposal", "", "the hash of what is proposed")
	require(cmd, "execution", "proposal")
}

// decide tells a planner what was decided about a proposal.
func decide(ctx context.Context, env environment, address, executionID, verb, done string, said map[string]string) error {
	if err := plan.CheckExecutionID(executionID); err != nil {
		return usagef("%s", errs.Message(err))
	}
	c, err := remote(address)
	if err != nil {
		return err
	}
	if err := c.Send(ctx, http.MethodPost, "/v1/executions/"+executionID+":"+verb, said, &plannerapi.Execution{}); err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "%s   %s\n  What became of it: planwright show %s --url %s\n", done, executionID, executionID, address)
	return nil
}

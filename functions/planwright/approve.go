package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
)

// proposedError says that a run computed what it would do and may not do it
// yet. It has no line in the audit log.
type proposedError struct {
	job
	record ledger.Execution
	same   []string // warnings of others on the same table
}

// proposed is that error, of what was computed and nobody edited since.
func (j job) proposed(ctx context.Context, store *sqlite.Store, record ledger.Execution) error {
	stored, err := plans.Load(ctx, store, record.ExecutionID)
	if err != nil {
		return err
	}
	if record.Proposal, err = record.ShownProposal(stored); err != nil {
		return err
	}
	return &proposedError{
		job:    j,
		record: record,
		same:   plan.Messages(lineage.SameTable(ctx, store, record.Proposal.Input, record.ExecutionID)),
	}
}

func (e *proposedError) Error() string {
	proposal := e.record.Proposal
	var text strings.Builder
	fmt.Fprintf(
		&text,
		"proposed   %s: nothing was written yet\n%s",
		e.record.ExecutionID,
		counts(proposal.Explanation, plannerapi.SummaryOf(proposal.Result), proposal.Effect),
	)
	for _, warning := range e.same {
		fmt.Fprintf(&text, "\n  warning: %s", warning)
	}
	if proposal.ApplyAt.After(time.Now()) {
		fmt.Fprintf(
			&text,
			"\n  It is not to be applied before %s: run the same command again then.",
			minute(proposal.ApplyAt),
		)
	}
	if approved := e.record.Approval; proposal.ApprovalDue &&
		(approved == nil || approved.ProposalSHA256 != proposal.ProposalSHA256) {
		fmt.Fprintf(
			&text,
			"\n  It needs an approval: %s\n  To give it, and then run the same command again:\n  planwright approve %s --proposal %s --db %s",
			strings.Join(proposal.Reasons, " "),
			e.record.ExecutionID,
			proposal.ProposalSHA256,
			near(e.db),
		)
	}
	return text.String()
}

// Unwrap gives the error its kind and its message.
func (e *proposedError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// decisionFlags are the flags of a command that decides about a proposal.
type decisionFlags struct {
	db, address, executionID, proposal, text, approvedBy string

	form form
}

func approveCommand(env environment) *cobra.Command {
	var given decisionFlags
	cmd := &cobra.Command{
		Use:   "approve ID --proposal SHA256",
		Short: "Approve a proposal",
		Long: `Gives leave to exactly what apply or a server proposed, by its hash: the same apply,
run again, then carries it out, and a server does so by itself. Where another result
comes of it by then, as of a table that was edited, that is proposed anew. Who
approved, when, and who could, is recorded.

With --db you decide here, whether or not a server uses these records: APPROVERS and
APPROVAL_BY_ANOTHER say who may, as they do to planwright serve. Where neither is set,
whoever owns the records decides, and the record says "by command". With --url a
planner decides, under your own name.`,
		Example: `  planwright approve plan_sale_v1 --proposal 9f86d081...
  planwright approve plan_sale_v1 --db local/state.db --proposal 9f86d081...
  planwright approve plan_sale_v1 --proposal 9f86d081... --url ` + localPlanner,
		RunE: action(func(ctx context.Context) error { return given.approve(ctx, env) }),
	}
	flags := cmd.Flags()
	flags.StringVar(
		&given.db,
		"db",
		"executions.db",
		"the SQLite file that apply wrote, or the state.db of a server's data folder",
	)
	flags.StringVar(
		&given.address, "url", "", "address of a planner, such as "+localPlanner+", instead of --db",
	)
	flags.StringVar(&given.text, "note", "", "why, for the record")
	given.add(cmd)
	return cmd
}

func rejectCommand(env environment) *cobra.Command {
	var given decisionFlags
	cmd := &cobra.Command{
		Use:   "reject ID --proposal SHA256 --reason TEXT",
		Short: "Reject a proposal",
		Long: `Fails an execution whose proposal waits, by its hash, under your own name. Nothing of
it is ever applied. --db and --url are as for approve.`,
		Example: "  planwright reject plan_sale_v1 --proposal 9f86d081... --reason \"Not before Friday.\"",
		RunE:    action(func(ctx context.Context) error { return given.reject(ctx, env) }),
	}
	cmd.Flags().
		StringVar(
			&given.db,
			"db",
			"",
			"the SQLite file that apply wrote, or the state.db of a server's data folder, instead of --url",
		)
	cmd.Flags().StringVar(&given.address, "url", localPlanner, "address of the planner")
	cmd.Flags().StringVar(&given.text, "reason", "", "why, for the person who dropped the table")
	cmd.Flags().
		StringVar(
			&given.approvedBy, "approved-by", "", "who approved of it, to stop what waits for its time since",
		)
	given.add(cmd)
	require(cmd, "reason")
	return cmd
}

func (f *decisionFlags) add(cmd *cobra.Command) {
	cmd.Flags().
		StringVar(&f.executionID, "execution", "", "the execution id, which may also stand as the argument")
	cmd.Flags().StringVar(&f.proposal, "proposal", "", "the hash of what is proposed")
	require(cmd, "execution", "proposal")
	takesID(cmd)
	f.form.add(cmd)
}

func (f *decisionFlags) approve(ctx context.Context, env environment) error {
	if f.address != "" {
		said := map[string]string{"proposal_sha256": f.proposal}
		if f.text != "" {
			said["note"] = f.text
		}
		return f.send(ctx, env, "approve", "approved", said)
	}
	return f.here(ctx, env, "approved", approveHere)
}

// decision decides about a proposal in records, and returns by whom that is decided.
type decision func(
	ctx context.Context, store ledger.Store, id string, given ledger.Approval,
) (by string, err error)

// approveHere is the decision to approve. Whoever approved of the same before stays on record.
func approveHere(
	ctx context.Context,
	store ledger.Store,
	id string,
	given ledger.Approval,
) (by string, err error) {
	record, err := ledger.Approve(ctx, store, id, given)
	if err != nil {
		return "", err
	}
	return record.Approval.By, nil
}

func (f *decisionFlags) reject(ctx context.Context, env environment) error {
	switch {
	case f.db == "":
		said := map[string]string{"proposal_sha256": f.proposal, "reason": f.text}
		if f.approvedBy != "" {
			said["approved_by"] = f.approvedBy
		}
		return f.send(ctx, env, "reject", "rejected", said)
	case f.text == "":
		return usagef("--reason must not be empty.")
	}
	reject := func(
		ctx context.Context, store ledger.Store, id string, given ledger.Approval,
	) (by string, err error) {
		_, err = ledger.Reject(ctx, store, id, ledger.Rejection{Approval: given, ApprovedBy: f.approvedBy})
		return given.By, err
	}
	if err := f.here(ctx, env, "rejected", reject); err != nil {
		return err
	}
	return f.settle(ctx)
}

// here decides in the records themselves, in the name of the user of the machine and
// under the policy of the environment. A server that uses them goes on from there.
func (f *decisionFlags) here(ctx context.Context, env environment, done string, decide decision) error {
	if err := emulator.CheckFolder(emulator.PlaceOf(f.db)); err != nil {
		return err
	}
	policy, err := decisions(env)
	if err != nil {
		return err
	}
	by, err := decider(policy)
	if err != nil {
		return err
	}
	ids, err := openPlanIDs(ctx, f.db)
	if err != nil {
		return err
	}
	defer ids.Close()
	if ids.store == nil {
		return errs.New(errs.Invalid, "There is no %s. Is it the --db that apply wrote?", f.db)
	}
	given := ledger.Approval{
		ProposalSHA256: f.proposal,
		By:             by,
		At:             time.Now().UTC(),
		Note:           f.text,
		Policy:         policy,
	}
	if by, err = decide(ctx, ids.store, f.executionID, given); err != nil {
		return err
	}
	return f.tell(env, done, by)
}

// settle adds the line of a rejected run to its audit log and signs its outcome, where no
// server does.
func (f *decisionFlags) settle(ctx context.Context) error {
	if emulator.Serving(emulator.PlaceOf(f.db)) {
		return nil
	}
	store, err := emulator.Use(ctx, f.db, false)
	if err != nil {
		return err
	}
	defer store.Close()
	return errors.Join(emulator.WriteLines(ctx, store.Records, "", false), store.Sign(ctx))
}

// decisions reads who may decide, as serve does.
func decisions(env environment) (ledger.Decisions, error) {
	if err := env.loadFile(); err != nil {
		return ledger.Decisions{}, usagef("%s", errs.Message(err))
	}
	reader := config.Read(env.lookup)
	policy := planner.ReadDecisions(reader)
	if err := reader.Err(); err != nil {
		return policy, usagef("%s", errs.Message(err))
	}
	return policy, nil
}

// decider is in whose name a command decides. Where no policy says who may, the name
// tells that of the decision; no proxy names anybody so, since a comma parts names.
func decider(policy ledger.Decisions) (string, error) {
	by, err := emulator.MachineUser()
	if err == nil && !policy.Any() {
		by += ", by command"
	}
	return by, err
}

// send tells a planner what was decided about a proposal.
func (f *decisionFlags) send(
	ctx context.Context,
	env environment,
	verb, done string,
	said map[string]string,
) error {
	if err := plan.CheckExecutionID(f.executionID); err != nil {
		return usagef("%s", errs.Message(err))
	}
	c, err := remote(f.address)
	if err != nil {
		return err
	}
	if err := c.Send(ctx, http.MethodPost, "/v1/executions/"+f.executionID+":"+verb, said,
		&plannerapi.Execution{}); err != nil {
		return err
	}
	return f.tell(env, done, "")
}

// tell says what was decided, and by whom where it was here.
func (f *decisionFlags) tell(env environment, done, by string) error {
	said := map[string]string{"execution_id": f.executionID, "decision": done, "proposal_sha256": f.proposal}
	if by != "" {
		said["by"] = by
	}
	if printed, err := f.form.print(env.stdout, said); printed || err != nil {
		return err
	}
	if by != "" {
		fmt.Fprintf(env.stdout, "%s   %s by %s\n", done, f.executionID, by)
		return nil
	}
	fmt.Fprintf(
		env.stdout,
		"%s   %s\n  What became of it: planwright show %s --url %s\n",
		done,
		f.executionID,
		f.executionID,
		f.address,
	)
	return nil
}

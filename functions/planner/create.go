package planner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

// maxNames is the longest list of names that a request may bring.
const maxNames = 2_000

// createPlan answers POST /v1/plans.
func (h handler) createPlan(w http.ResponseWriter, r *http.Request) (any, error) {
	var request planRequest
	if err := web.ReadJSON(w, r, request.decode); err != nil {
		return nil, err
	}
	author, err := h.author(r)
	if err != nil {
		return nil, err
	}
	creation := &planCreation{handler: h, request: request, author: author}
	if request.table != "" {
		if creation.over, err = h.tableOf(r, request.table); err != nil {
			return nil, err
		}
	}
	return h.answer(creation.run(r.Context()))
}

// planRequest asks for a plan of an instruction, or of rules.
type planRequest struct {
	instruction string           // of rules that came without one: what they do, in plain English
	operations  []plan.Operation // the rules; nil: the instruction is to be planned
	executionID string           // "" leaves the choice to us
	categories  []string         // sorted, each once; nil when they are not known, as brands and tags
	brands      []string
	tags        []string
	table       string // the id of a held table, whose names are known; "": there is none
	zone        *time.Location
	ignored     []string // words of the instruction that the person said to ignore
	draftID     string   // the draft that the rules are of, where a model made some; "": of none
	confirmed   []int    // the rules of that draft that the person confirmed, by their indexes
	terms       plan.Terms
}

// decode reads a request, and reports all that is wrong with it.
func (p *planRequest) decode(data []byte) error {
	problems := strictjson.ReadObject(data, p.read)
	if p.operations != nil {
		problems = append(problems, plan.CheckOperations(p.operations, problems)...)
	}
	if len(problems) == 0 && p.instruction == "" {
		p.instruction = plan.Instruction(p.operations)
	}
	return web.Problems(problems)
}

func (p *planRequest) read(body *strictjson.Object) {
	rules, instruction := body.Optional("operations"), body.Required
	if rules.Given() {
		p.operations, instruction = plan.ReadRules(rules), body.Optional
	}
	field := instruction("instruction")
	var given bool
	p.instruction, given = field.String()
	if n := utf8.RuneCountInString(p.instruction); given &&
		(n < plan.MinInstructionLength || n > plan.MaxInstructionLength) {
		field.Problem("must be %d to %d characters, but is %d",
			plan.MinInstructionLength, plan.MaxInstructionLength, n)
	}
	field = body.Optional("execution_id")
	if p.executionID, given = field.String(); given && !plan.ValidExecutionID(p.executionID) {
		field.Problem("%s", plan.ExecutionIDRule(p.executionID))
	}
	p.terms = plan.ReadTerms(body)
	if p.terms.RevertAt != "" && len(p.executionID) > plan.MaxRevertedIDLength {
		field.Problem("must have at most %d characters where revert_at is given", plan.MaxRevertedIDLength)
	}
	p.categories = readNames(body.Optional("categories"))
	p.brands, p.tags = readNames(body.Optional("brands")), readNames(body.Optional("tags"))
	if rules.Given() && (p.categories != nil || p.brands != nil || p.tags != nil) {
		rules.Problem("say their own names: give no categories, brands or tags beside them")
	}
	p.zone = readZone(body.Optional("time_zone"))
	p.readIgnored(body.Optional("ignored"), rules.Given())
	p.readDraft(body, rules.Given())
	field = body.Optional("table")
	if p.table, given = field.String(); given && (p.categories != nil || p.brands != nil || p.tags != nil) {
		field.Problem("has its own names: give no categories, brands or tags beside it")
	}
}

// maxIgnored is how many words of an instruction a person may ignore, one after another.
const maxIgnored = 100

// readIgnored reads the words of the instruction that a person who finished its rules ignores.
func (p *planRequest) readIgnored(field strictjson.Field, rules bool) {
	p.ignored, _ = field.Strings()
	switch {
	case field.Given() && !rules:
		field.Problem("goes with operations: the words of an instruction that is planned are all read")
	case len(p.ignored) > maxIgnored:
		field.Problem("has more than %d entries", maxIgnored)
	}
	for i, words := range p.ignored {
		if words == "" || !strings.Contains(p.instruction, words) {
			field.Problem("entry %d is not in the instruction", i)
		}
	}
}

// readDraft reads of which draft the rules are, and which of its rules the person confirmed.
func (p *planRequest) readDraft(body *strictjson.Object, rules bool) {
	field := body.Optional("draft_id")
	p.draftID, _ = field.String()
	if field.Given() && !rules {
		field.Problem("goes with operations: it says of which draft they are")
	}
	confirmed := body.Optional("confirmed")
	if confirmed.Given() && !field.Given() {
		confirmed.Problem("goes with draft_id: rules of no draft are the person's own")
	}
	confirmed.Array(func(_ int, item strictjson.Field) {
		index, given := item.Int(0, math.MaxInt32)
		if given && index >= len(p.operations) {
			item.Problem("there is no rule %d: they count from 0", index)
		}
		p.confirmed = append(p.confirmed, index)
	})
}

// checkTimes refuses times of a new plan that are past: what is stored already may be
// asked for again.
func (p planRequest) checkTimes(now time.Time) error {
	if plannerapi.IsPast(&p.terms, now) {
		return &plan.InvalidError{Problems: []strictjson.Problem{{Path: "apply_at", Message: "is " +
			p.terms.ApplyAt + ", which is past: leave it out to apply at once, or choose a later time"}}}
	}
	return p.terms.CheckRevert(now)
}

// readNames reads a list of names: sorted, each once.
func readNames(field strictjson.Field) []string {
	names, _ := field.Strings()
	if len(names) > maxNames {
		field.Problem("has more than %d entries", maxNames)
		return nil
	}
	for i, name := range names {
		if name == "" || len(name) > cell.MaxNameBytes {
			field.Problem("entry %d must be 1 to %d bytes long", i, cell.MaxNameBytes)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isFor reports whether a stored plan may be the answer to the same request.
func (p planRequest) isFor(stored plans.Stored) bool {
	return stored.Instruction == p.instruction && slices.Equal(stored.Categories, p.categories) &&
		stored.Plan.Terms == p.terms
}

// isFor reports whether a stored plan is the answer to the request. What was read in
// a table's words, or with names that are not stored, is read again: the same words
// may mean something else today. Rules are compared with those that are stored.
func (c *planCreation) isFor(ctx context.Context, stored plans.Stored) (bool, error) {
	anew := c.request.table != "" || c.request.brands != nil || c.request.tags != nil ||
		c.request.operations != nil ||
		stored.Planner.Table != nil || stored.Planner.Agreement == planning.AgreementPerson
	if !c.request.isFor(stored) || !anew {
		return c.request.isFor(stored), nil
	}
	made, err := c.make(ctx, stored.ExecutionID, c.Now())
	return err == nil && stored.Is(made.Plan), err
}

// planCreation answers one request. The planner is asked once, however many
// ids turn out to be taken.
type planCreation struct {
	handler
	request planRequest
	author  string
	over    *tableInUse // nil: no table
	draft   *planning.Planned
}

// run returns the plan that is stored for the request, or one that it makes and
// stores.
func (c *planCreation) run(ctx context.Context) (stored plans.Stored, created bool, err error) {
	if c.request.executionID == "" {
		return c.underSlug(ctx)
	}
	stored, created, err = c.under(ctx, c.request.executionID)
	if err != nil || created {
		return stored, created, err
	}
	is, err := c.isFor(ctx, stored)
	if err == nil && !is {
		err = plans.Taken(ctx, c.Store, c.request.executionID)
	}
	return stored, false, err
}

// under returns the plan stored under the id, or makes and stores one. If another was
// quicker, it is theirs.
func (c *planCreation) under(ctx context.Context, executionID string) (plans.Stored, bool, error) {
	stored, err := plans.Load(ctx, c.Store, executionID)
	if errs.KindOf(err) != errs.NotFound {
		return stored, false, err
	}
	return c.create(ctx, executionID)
}

// create makes the plan and stores it under an id that was free just now.
func (c *planCreation) create(ctx context.Context, executionID string) (plans.Stored, bool, error) {
	now := c.Now()
	if err := c.request.checkTimes(now); err != nil {
		return plans.Stored{}, false, err
	}
	logging.Add(ctx, slog.String("execution_id", executionID))
	made, err := c.make(ctx, executionID, now)
	if err != nil {
		return plans.Stored{}, false, err
	}
	stored, created, err := plans.Save(ctx, c.Store, made)
	switch errs.KindOf(err) {
	case "", errs.Conflict:
	default:
		return plans.Stored{}, false, err
	}
	if created {
		web.Log(ctx).InfoContext(ctx, "plan stored",
			"plan_sha256", made.SHA256, "model", made.Planner.Model, "agreement", made.Planner.Agreement)
	}
	return stored, created, nil
}

// make returns the plan of the request under the id.
func (c *planCreation) make(ctx context.Context, executionID string, now time.Time) (plans.Stored, error) {
	if c.draft == nil {
		draft, err := c.drafted(ctx, executionID, now)
		if err != nil {
			return plans.Stored{}, err
		}
		c.draft = &draft
	}
	made := *c.draft.Plan
	made.ExecutionID, made.Terms = executionID, c.request.terms
	if err := made.Validate(); err != nil && c.request.operations != nil {
		return plans.Stored{}, err
	} else if err != nil {
		return plans.Stored{}, errs.Wrap(errs.Internal, err, "The planner made a plan that is not valid.")
	}
	stored := c.newStoredPlan(&made)
	stored.Planner = c.draft.Planner
	stored.Instruction = c.request.instruction
	stored.Categories = c.request.categories
	stored.CreatedBy = c.author
	if c.request.ignored != nil {
		stored.Planner.Confirmed = &plans.Confirmation{By: c.author, LeavesOut: c.request.ignored}
	}
	if c.over != nil {
		stored.Planner.Table = &plans.PlannedOver{Table: c.over.ID, File: c.over.File}
	}
	return stored, nil
}

// drafted has the instruction planned, or takes the rules as they are.
func (c *planCreation) drafted(
	ctx context.Context, executionID string, now time.Time,
) (planning.Planned, error) {
	if c.request.operations != nil {
		return c.ofRules(ctx, now)
	}
	names, err := c.names(ctx)
	if err != nil {
		return planning.Planned{}, err
	}
	request := planning.Request{
		Instruction: c.request.instruction,
		ExecutionID: executionID,
		Names:       names,
		CreatedAt:   now,
		Zone:        c.request.zone,
		Terms:       c.request.terms,
	}
	draft, err := c.Planner.Plan(ctx, request)
	if err != nil {
		return planning.Planned{}, c.clarified(ctx, request, err)
	}
	return draft, nil
}

// ofRules is the plan of rules as they are. They are a person's, unless a model made one that
// nobody has changed or confirmed.
func (c *planCreation) ofRules(ctx context.Context, now time.Time) (planning.Planned, error) {
	made := planning.ByPerson(c.request.instruction, c.request.operations, now)
	if c.request.draftID == "" {
		return made, nil
	}
	if c.Tables == nil {
		return made, errs.New(errs.NotFound, "This planner keeps no drafts: send the rules without draft_id.")
	}
	model, err := c.Tables.Draft(ctx, c.request.draftID, c.author)
	if err != nil {
		return made, err
	}
	if model.Unconfirmed(c.request.operations, c.request.confirmed) {
		made.Planner = model.By
	}
	return made, nil
}

// names are those that the request brings, or its table has.
func (c *planCreation) names(ctx context.Context) (planning.Names, error) {
	if c.over == nil {
		return planning.Names{
			Categories: c.request.categories,
			Brands:     c.request.brands,
			Tags:       c.request.tags,
		}, nil
	}
	return c.namesIn(ctx, c.over, c.request.instruction)
}

// namesIn are those of a table for an instruction: of SKUs and products those that
// share words with it.
func (h handler) namesIn(ctx context.Context, over *tableInUse, instruction string) (planning.Names, error) {
	found, err := h.Tables.Words(ctx, over.Table, over.settings, instruction)
	if err != nil {
		return planning.Names{}, table.On(err, setting.QueryParameter)
	}
	names := tablestore.Names(found)
	if over.Size <= plannerapi.MaxPreviewBytes {
		open := func() (io.ReadCloser, error) { return h.Tables.Open(ctx, over.Table) }
		names.SameHere = func(a, b []plan.Operation) bool {
			return pricing.SameResult(ctx, open, over.settings, a, b)
		}
		names.CountRows = func(filters []plan.Filter) []int64 {
			return pricing.CountRows(ctx, open, over.settings, filters)
		}
	}
	return names, nil
}

// clarified turns a planner's questions into an answer over HTTP. A draft with rules of a
// model's is kept, so that a plan of them is known for one of the model's.
func (c *planCreation) clarified(ctx context.Context, r planning.Request, err error) error {
	var asked *planning.ClarificationError
	if !errors.As(err, &asked) {
		return err
	}
	if asked.Draft != nil && asked.Draft.Model != nil && c.Tables != nil {
		id, err := c.Tables.KeepDraft(ctx, c.author, asked.Draft.Model)
		if err != nil {
			return err
		}
		asked.Draft.ID = id
	}
	return web.Clarify(fmt.Errorf("%s: %w", asked.Class, err), asked.Questions, clarification{
		Class:             asked.Class,
		Draft:             asked.Draft,
		ExecutionID:       r.ExecutionID,
		CreatedAt:         r.CreatedAt.UTC().Format(time.RFC3339),
		SourceInstruction: r.Instruction,
	})
}

// clarification says why a question is asked, with all that was understood as rules and what
// is open. The id is the one that a plan of them would get.
type clarification struct {
	Class             string          `json:"class"`
	Draft             *planning.Draft `json:"draft"`
	ExecutionID       string          `json:"execution_id"`
	CreatedAt         string          `json:"created_at"`
	SourceInstruction string          `json:"source_instruction"`
}

package planner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// Limits of a list of categories.
const (
	maxCategories    = 2_000
	maxCategoryBytes = 512
)

// createPlan answers POST /v1/plans.
func (h handler) createPlan(w http.ResponseWriter, r *http.Request) error {
	var asked order
	if err := web.ReadObject(w, r, asked.read); err != nil {
		return err
	}
	making := &making{handler: h, order: asked}
	record, isNew, err := making.record(r.Context())
	switch {
	case err != nil:
		return err
	case isNew:
		h.answerNew(w, record, making.made)
		return nil
	}
	return h.answerStored(w, record)
}

// order asks for a plan of an instruction.
type order struct {
	instruction string
	executionID string   // "" leaves the choice to us
	categories  []string // sorted, each once; nil when they are not known
}

func (o *order) read(body *strictjson.Object) {
	field := body.Required("instruction")
	var given bool
	o.instruction, given = field.String()
	if n := utf8.RuneCountInString(o.instruction); given && (n < plan.MinInstructionLength || n > plan.MaxInstructionLength) {
		field.Problem("must be %d to %d characters, but is %d", plan.MinInstructionLength, plan.MaxInstructionLength, n)
	}
	field = body.Optional("execution_id")
	if o.executionID, given = field.String(); given && !plan.ValidExecutionID(o.executionID) {
		field.Problem("must be %d to %d letters, digits, _ or -", plan.MinExecutionIDLength, plan.MaxExecutionIDLength)
	}
	o.categories = readCategories(body.Optional("categories"))
}

func readCategories(field strictjson.Field) []string {
	categories, _ := field.Strings()
	if len(categories) > maxCategories {
		field.Problem("has more than %d entries", maxCategories)
		return nil
	}
	for i, category := range categories {
		if category == "" || len(category) > maxCategoryBytes {
			field.Problem("entry %d must be 1 to %d bytes long", i, maxCategoryBytes)
		}
	}
	slices.Sort(categories)
	return slices.Compact(categories)
}

// isFor reports whether a stored plan is the answer to the same order.
func (o order) isFor(record ledger.PlanRecord) bool {
	return record.Instruction == o.instruction && slices.Equal(record.Categories, o.categories)
}

// making is one order being carried out. The planner is asked once, however
// many ids turn out to be taken.
type making struct {
	handler
	order order
	draft *planning.Draft
	made  *plan.Plan // the draft's, under the last id tried
}

// record returns the record of the order's plan: the stored one, or that of
// one that it makes and stores.
func (m *making) record(ctx context.Context) (record ledger.PlanRecord, isNew bool, err error) {
	if m.order.executionID == "" {
		return m.underSlug(ctx)
	}
	record, isNew, err = m.under(ctx, m.order.executionID)
	if err == nil && !m.order.isFor(record) {
		return record, false, m.taken(ctx, m.order.executionID, "for another instruction or other categories")
	}
	return record, isNew, err
}

// under returns the plan stored under the id, or makes and stores one. The
// plan of another who was quicker is theirs, as the stored one is.
func (m *making) under(ctx context.Context, executionID string) (ledger.PlanRecord, bool, error) {
	stored, err := m.Store.Plan(ctx, executionID)
	if errs.KindOf(err) != errs.NotFound {
		return stored, false, err
	}
	logging.Add(ctx, slog.String("execution_id", executionID))
	record, err := m.make(ctx, executionID)
	if err != nil {
		return ledger.PlanRecord{}, false, err
	}
	switch err := m.Store.CreatePlan(ctx, record); errs.KindOf(err) {
	case "":
		web.Log(ctx).InfoContext(ctx, "plan stored", "plan_sha256", record.SHA256, "model", record.Planner.Model, "agreement", record.Planner.Agreement)
		return record, true, nil
	case errs.Conflict:
		stored, err := m.Store.Plan(ctx, executionID)
		return stored, false, err
	default:
		return ledger.PlanRecord{}, false, err
	}
}

// make returns the record of the order's plan under the id.
func (m *making) make(ctx context.Context, executionID string) (ledger.PlanRecord, error) {
	if m.draft == nil {
		asked := planning.Request{Instruction: m.order.instruction, ExecutionID: executionID, Categories: m.order.categories, CreatedAt: m.Now()}
		draft, err := m.Planner.Plan(ctx, asked)
		if err != nil {
			return ledger.PlanRecord{}, clarified(asked, err)
		}
		m.draft = &draft
	}
	made := *m.draft.Plan
	made.ExecutionID = executionID
	if err := made.Validate(); err != nil {
		return ledger.PlanRecord{}, errs.Wrap(errs.Internal, err, "The planner made a plan that is not valid.")
	}
	m.made = &made
	record := m.newRecord(m.made)
	record.Planner, record.Instruction, record.Categories = m.draft.Planner, m.order.instruction, m.order.categories
	return record, nil
}

// clarified turns a planner's questions into an answer over HTTP.
func clarified(r planning.Request, err error) error {
	var asked *planning.ClarificationError
	if !errors.As(err, &asked) {
		return err
	}
	return web.Clarify(fmt.Errorf("%s: %w", asked.Class, err), asked.Questions, clarification{
		Class: asked.Class, Readings: listOf(asked.Readings),
		ExecutionID: r.ExecutionID, CreatedAt: r.CreatedAt.UTC().Format(time.RFC3339), SourceInstruction: r.Instruction,
	})
}

// clarification says why a question is asked, and the readings there are. The
// rest makes a plan of the operations of one of them, for who confirms it.
type clarification struct {
	Class             string             `json:"class"`
	Readings          []planning.Reading `json:"readings"`
	ExecutionID       string             `json:"execution_id"`
	CreatedAt         string             `json:"created_at"`
	SourceInstruction string             `json:"source_instruction"`
}

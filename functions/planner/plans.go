package planner

import (
	"context"
	"net/http"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// validatePlan answers POST /v1/plans:validate.
func (h handler) validatePlan(w http.ResponseWriter, r *http.Request) (any, error) {
	given, err := readPlan(w, r)
	if err != nil {
		return nil, err
	}
	return plannerapi.ValidPlan{
		Valid: true, PlanSHA256: given.SHA256(),
		Explanation: plan.Explain(given), Warnings: strictjson.NotNil(given.Warnings()),
	}, given.CheckRevert(h.now())
}

// putPlan answers PUT /v1/plans/{execution_id}: a plan written by hand, or one once more.
func (h handler) putPlan(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	given, err := readPlan(w, r)
	if err != nil {
		return nil, err
	}
	if given.ExecutionID != executionID {
		return nil, errs.New(errs.Invalid,
			"The plan's execution_id is %s and the address names %s. They must be the same.",
			given.ExecutionID, executionID)
	}
	made := h.newStoredPlan(given)
	if made.CreatedBy, err = h.author(r); err != nil {
		return nil, err
	}
	if made.Planner, err = h.cameAbout(r, given); err != nil {
		return nil, err
	}
	return h.answer(plans.Save(r.Context(), h.Store, made))
}

// cameAbout is how a plan came about that was sent: as the one that it is a copy of, or by
// hand, over the table that is named.
func (h handler) cameAbout(r *http.Request, given *plan.Plan) (plans.PlannedBy, error) {
	var tableID, copyOf string
	err := web.ReadQuery(r, func(q *web.Query) {
		tableID, _ = q.Text("table")
		copyOf, _ = q.Text("copy_of")
	})
	if err != nil {
		return plans.PlannedBy{}, err
	}
	var made plans.PlannedBy
	if copyOf != "" {
		of, err := h.storedPlan(r.Context(), copyOf)
		if err != nil {
			return plans.PlannedBy{}, err
		}
		if of.Plan.SourceInstruction == given.SourceInstruction && planning.Same(of.Plan, given) {
			return of.Planner, nil
		}
		if of.Plan.SourceInstruction == given.SourceInstruction &&
			of.Planner.Agreement == planning.AgreementModel {
			made = of.Planner // whose words nobody vouches for, also with other names in them
		}
	}
	made.Table = nil
	if tableID != "" {
		found, err := h.tableOf(r, tableID)
		if err != nil {
			return plans.PlannedBy{}, err
		}
		made.Table = &plans.PlannedOver{Table: found.ID, File: found.File}
	}
	return made, nil
}

// getPlan answers GET /v1/plans/{execution_id}.
func (h handler) getPlan(_ http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	stored, err := h.storedPlan(r.Context(), executionID)
	return h.answer(stored, false, err)
}

func (h handler) storedPlan(ctx context.Context, executionID string) (plans.Stored, error) {
	stored, err := plans.Load(ctx, h.Store, executionID)
	if errs.KindOf(err) == errs.NotFound {
		return stored, errs.Wrap(errs.NotFound, err, "There is no plan %s.", executionID)
	}
	return stored, err
}

// answer shows a stored plan, and whether it was stored just now.
func (h handler) answer(stored plans.Stored, created bool, err error) (any, error) {
	switch {
	case err != nil:
		return nil, err
	case created:
		return web.Reply{Status: http.StatusCreated, Value: h.describe(stored)}, nil
	}
	return h.describe(stored), nil
}

// newStoredPlan is a plan as it is stored, apart from how it came about.
func (h handler) newStoredPlan(p *plan.Plan) plans.Stored {
	stored := plans.New(p)
	stored.CreatedAt = h.now()
	return stored
}

// author is who sends the request, where it is known, and may have plans made. Where
// another than the author must approve, a plan of nobody's could never be approved:
// it is refused.
func (h handler) author(r *http.Request) (string, error) {
	p := h.person(r)
	return p.name, p.refusal(plannerapi.ActPlan)
}

// readPlan reads the body as a plan.
func readPlan(w http.ResponseWriter, r *http.Request) (p *plan.Plan, err error) {
	err = web.ReadJSON(w, r, func(data []byte) (err error) {
		p, err = plan.Decode(data)
		return err
	})
	return p, err
}

// describe shows a stored plan.
func (h handler) describe(stored plans.Stored) plannerapi.StoredPlan {
	by := stored.Planner
	described := plannerapi.StoredPlan{
		Plan:        stored.Canonical,
		PlanSHA256:  stored.SHA256,
		Explanation: append(plan.Explain(stored.Plan), by.Caveats()...),
		Warnings:    strictjson.NotNil(append(stored.Plan.Warnings(), by.Warnings()...)),
		Agreement:   by.Agreement,
		Planner:     by,
		CreatedAt:   stored.CreatedAt,
		CreatedBy:   stored.CreatedBy,
		Upload: plannerapi.Upload{
			Bucket:  h.InboxBucket,
			Prefix:  stored.ExecutionID + "/",
			Command: h.UploadCommand(stored.ExecutionID),
		},
	}
	described.Planner.Agreement = "" // it is said once
	return described
}

package sqlite

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/strictjson"
)

func (s *Store) CreatePlan(ctx context.Context, plan plans.Record) error {
	return createPlan(ctx, s.db, plan)
}

func createPlan(ctx context.Context, to writer, plan plans.Record) error {
	if err := ledger.CheckID(plan.ExecutionID); err != nil {
		return err
	}
	what := "cannot store the plan of " + plan.ExecutionID
	planner, err := encode(plan.Planner, what)
	if err != nil {
		return err
	}
	categories, err := encode(plan.Categories, what)
	if err != nil {
		return err
	}
	there := errs.New(errs.Conflict, "there is a plan under %s already", plan.ExecutionID)
	return sqlitedb.Once(there, what)(to.ExecContext(ctx, `INSERT INTO plans
		(execution_id, plan_json, plan_sha256, planner, instruction, categories, created_at, created_by)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		plan.ExecutionID, string(plan.Canonical), plan.SHA256, planner, plan.Instruction, categories,
		sqlitedb.Instant(plan.CreatedAt), plan.CreatedBy))
}

func (s *Store) Plan(ctx context.Context, executionID string) (plans.Record, error) {
	if err := ledger.CheckID(executionID); err != nil {
		return plans.Record{}, err
	}
	missing := errs.New(errs.NotFound, "there is no plan under %s", executionID)
	return sqlitedb.One(
		ctx,
		s.db,
		missing,
		"cannot read the plan of "+executionID,
		scanPlan,
		planColumns+` WHERE execution_id = ?`,
		executionID,
	)
}

// PlanVersions implements ledger.Store. The ids of a name's versions lie together in the
// primary key.
func (s *Store) PlanVersions(
	ctx context.Context, name string, request plans.Request,
) (found plans.Versions, err error) {
	what := "cannot read the versions of " + name
	if len(request.Categories) == 0 {
		request.Categories = nil
	}
	categories, err := encode(request.Categories, what)
	if err != nil {
		return found, err
	}
	prefix := plans.VersionName(name) + "_v"
	return sqlitedb.One(ctx, s.db, nil, what, scanVersions, selectVersions,
		prefix, len(prefix)+1, request.Instruction, categories, request.Table, request.ApplyAt,
		request.RevertAt, string(request.Approval))
}

const selectVersions = `WITH versions AS (
		SELECT *, CAST(substr(execution_id, ?2) AS INTEGER) AS version FROM plans
		WHERE execution_id > ?1 AND execution_id < ?1 || ':' -- which follows the digits
		AND length(execution_id) < ?2 + 7 -- digits
		AND substr(execution_id, ?2) GLOB '[1-9]*' AND substr(execution_id, ?2) NOT GLOB '*[^0-9]*'
	)
	SELECT coalesce(max(version), 0), coalesce((
		SELECT execution_id FROM versions
		WHERE instruction = ?3 AND instruction <> ''
		AND replace(categories, '[]', 'null') = ?4
		AND coalesce(planner ->> '$.table.table', '') = ?5
		AND coalesce(plan_json ->> '$.apply_at', '') = ?6
		AND coalesce(plan_json ->> '$.revert_at', '') = ?7
		AND coalesce(plan_json ->> '$.approval', '') = ?8
		ORDER BY version DESC LIMIT 1
	), '') FROM versions`

func scanVersions(row sqlitedb.Row) (found plans.Versions, err error) {
	err = row.Scan(&found.Last, &found.Latest)
	return found, sqlitedb.Error(err, "cannot read the versions of a name")
}

func (s *Store) ListPlans(ctx context.Context, page paging.Page) (paging.List[plans.Record], error) {
	return list(ctx, s.db, "cannot list the plans", "plans", executionPlace{At: last}, page, scanPlan,
		func(last plans.Record) executionPlace {
			return executionPlace{sqlitedb.Instant(last.CreatedAt), last.ExecutionID}
		}, planColumns+` WHERE (created_at, execution_id) < (?1, ?2)
		ORDER BY created_at DESC, execution_id DESC LIMIT ?3`)
}

const planColumns = `SELECT execution_id, plan_json, plan_sha256, planner, instruction, categories, created_at, created_by FROM plans`

func scanPlan(row sqlitedb.Row) (plan plans.Record, err error) {
	var planner, categories string
	if err := row.Scan(&plan.ExecutionID, (*[]byte)(&plan.Canonical), &plan.SHA256, &planner,
		&plan.Instruction, &categories, sqlitedb.Time{Into: &plan.CreatedAt}, &plan.CreatedBy); err != nil {
		return plans.Record{}, sqlitedb.Error(err, "cannot read a plan")
	}
	what := "cannot read the plan of " + plan.ExecutionID
	return plan, errors.Join(
		decode(planner, &plan.Planner, what),
		decode(categories, &plan.Categories, what))
}

func encode(value any, what string) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", errs.Wrap(errs.Internal, err, "%s: it cannot be written as JSON", what)
	}
	return string(text), nil
}

// scanDocument reads the columns of a row, of which the last is the document into is made of.
func scanDocument(row sqlitedb.Row, into any, what string, before ...any) (text string, err error) {
	if err := row.Scan(append(before, &text)...); err != nil {
		return "", sqlitedb.Error(err, "%s", what)
	}
	return text, decode(text, into, what)
}

func decode(text string, into any, what string) error {
	if err := strictjson.Decode([]byte(text), into); err != nil {
		return errs.Wrap(errs.Internal, err, "%s: the database holds something else there", what)
	}
	return nil
}

package firestore

import (
	"context"

	"cloud.google.com/go/firestore"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
)

const snapshotField = "plan_snapshot"

func (s *Store) CreateOutcome(ctx context.Context, outcome ledger.AuditDocument) error {
	c := s.commit("cannot store the outcome of upload " + outcome.Upload.ID)
	c.createOutcome(outcome)
	_, err := c.Run(ctx, errs.New(errs.Conflict, "upload %s has an outcome already", outcome.Upload.ID), nil)
	return err
}

func (c commit) createOutcome(outcome ledger.AuditDocument) {
	id, upload := outcome.ExecutionID, outcome.Upload.ID
	if !c.check(id, upload) {
		return
	}
	plan := outcome.PlanSnapshot
	outcome.PlanSnapshot = nil
	fields := c.Fields(outcome.Rounded())
	fields[snapshotField] = verbatim(plan)
	c.Create(c.store.outcome(id, upload), fields)
	c.Create(c.store.leaf(id, upload), map[string]any{
		"execution_id": id,
		"upload_id":    upload,
		"number":       nil,
		"hash":         "",
	})
}

func (s *Store) Audit(ctx context.Context, executionID string, limit int) ([]ledger.AuditDocument, error) {
	if err := ledger.CheckID(executionID); err != nil {
		return nil, err
	}
	query := s.execution(executionID).Collection(audit).
		OrderBy("executed_at", firestore.Desc).OrderBy(firestore.DocumentID, firestore.Desc)
	if limit > 0 {
		query = query.Limit(limit)
	}
	return collect(ctx, query, "cannot read the audit documents of "+executionID, readOutcome)
}

func readOutcome(snapshot *firestore.DocumentSnapshot) (ledger.AuditDocument, error) {
	fields := snapshot.Data()
	plan := take(fields, snapshotField)
	var document ledger.AuditDocument
	err := firestoredb.Decode(fields, &document, "cannot read the outcome of upload "+snapshot.Ref.ID)
	document.PlanSnapshot = plan
	return document, err
}

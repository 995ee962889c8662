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
	create, err := s.createOutcome(outcome)
	if err != nil {
		return err
	}
	_, err = firestoredb.Commit(ctx, s.client, create)
	if firestoredb.Exists(err) {
		return errs.Wrap(errs.Conflict, err, "upload %s has an outcome already", outcome.Upload.ID)
	}
	return firestoredb.Error(err, "cannot store the outcome of upload %s", outcome.Upload.ID)
}

func (s *Store) createOutcome(outcome ledger.AuditDocument) (firestoredb.Write, error) {
	if err := ledger.CheckID(outcome.ExecutionID); err != nil {
		return nil, err
	}
	if err := ledger.CheckID(outcome.Upload.ID); err != nil {
		return nil, err
	}
	plan := outcome.PlanSnapshot
	outcome.PlanSnapshot = nil
	fields, err := encode(outcome.Rounded(), "cannot store the outcome of upload "+outcome.Upload.ID)
	if err != nil {
		return nil, err
	}
	fields[snapshotField] = verbatim(plan)
	create := firestoredb.Create(s.outcome(outcome.ExecutionID, outcome.Upload.ID), fields)
	leaf := firestoredb.Create(s.leaf(outcome.ExecutionID, outcome.Upload.ID), map[string]any{
		"execution_id": outcome.ExecutionID, "upload_id": outcome.Upload.ID, "number": nil, "hash": ""})
	return firestoredb.All(create, leaf), nil
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
	err := decode(fields, &document, "cannot read the outcome of upload "+snapshot.Ref.ID)
	document.PlanSnapshot = plan
	return document, err
}

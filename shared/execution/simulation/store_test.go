package simulation

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strconv"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// store is a ledger.Store in memory whose state the invariants can see. It
// passes the suite's tests of records, outcomes and claims; the lists that the
// protocol does not use are the embedded nil.
type store struct {
	ledger.Store
	plans    map[string]ledger.PlanRecord
	records  map[string]ledger.Execution
	outcomes map[string]map[string]ledger.AuditDocument
	changes  map[string]map[int]ledger.ChangeDocument
	puts     int64 // counts every write
}

func newStore() *store {
	return &store{
		plans:    map[string]ledger.PlanRecord{},
		records:  map[string]ledger.Execution{},
		outcomes: map[string]map[string]ledger.AuditDocument{},
		changes:  map[string]map[int]ledger.ChangeDocument{},
	}
}

func (s *store) CreatePlan(_ context.Context, p ledger.PlanRecord) error {
	if _, exists := s.plans[p.ExecutionID]; exists {
		return errs.New(errs.Conflict, "there is a plan %s", p.ExecutionID)
	}
	p.Canonical, p.Categories = slices.Clone(p.Canonical), slices.Clone(p.Categories)
	s.puts++
	s.plans[p.ExecutionID] = p.Rounded()
	return nil
}

func (s *store) Plan(_ context.Context, id string) (ledger.PlanRecord, error) {
	p, exists := s.plans[id]
	if !exists {
		return ledger.PlanRecord{}, errs.New(errs.NotFound, "there is no plan %s", id)
	}
	p.Canonical, p.Categories = slices.Clone(p.Canonical), slices.Clone(p.Categories)
	return p, nil
}

func (s *store) CreateExecution(_ context.Context, first ledger.Execution) (ledger.Execution, error) {
	if _, exists := s.records[first.ExecutionID]; exists {
		return ledger.Execution{}, errs.New(errs.Conflict, "there is an execution %s", first.ExecutionID)
	}
	return s.put(first), nil
}

func (s *store) put(e ledger.Execution) ledger.Execution {
	s.puts++
	e = copied(e).Rounded()
	e.Revision = strconv.FormatInt(s.puts, 10)
	s.records[e.ExecutionID] = e
	return copied(e)
}

func (s *store) Execution(_ context.Context, id string) (ledger.Execution, error) {
	e, exists := s.records[id]
	if !exists {
		return ledger.Execution{}, errs.New(errs.NotFound, "there is no execution %s", id)
	}
	return copied(e), nil
}

func (s *store) Snapshot(_ context.Context, id, upload string) (ledger.Snapshot, error) {
	var found ledger.Snapshot
	if e, exists := s.records[id]; exists {
		e = copied(e)
		found.Execution = &e
	}
	if d, exists := s.outcomes[id][upload]; exists {
		d = reread(d)
		found.Outcome = &d
	}
	return found, nil
}

func (s *store) UpdateExecution(_ context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	current, exists := s.records[next.ExecutionID]
	if !exists || current.Revision != next.Revision {
		return ledger.Execution{}, errs.New(errs.Stale, "execution %s was changed", next.ExecutionID)
	}
	if with.Outcome != nil {
		if err := s.createOutcome(*with.Outcome); err != nil {
			return ledger.Execution{}, err
		}
	}
	for _, d := range with.Changes {
		s.putChange(d)
	}
	return s.put(next), nil
}

func (s *store) CreateOutcome(_ context.Context, outcome ledger.AuditDocument) error {
	return s.createOutcome(outcome)
}

func (s *store) createOutcome(d ledger.AuditDocument) error {
	if _, exists := s.outcomes[d.ExecutionID][d.Upload.ID]; exists {
		return errs.New(errs.Conflict, "upload %s has an outcome", d.Upload.ID)
	}
	s.putOutcome(d)
	return nil
}

func (s *store) putOutcome(d ledger.AuditDocument) {
	s.puts++
	if s.outcomes[d.ExecutionID] == nil {
		s.outcomes[d.ExecutionID] = map[string]ledger.AuditDocument{}
	}
	s.outcomes[d.ExecutionID][d.Upload.ID] = reread(d.Rounded())
}

func (s *store) PutChanges(_ context.Context, _ string, documents iter.Seq2[ledger.ChangeDocument, error]) error {
	for d, err := range documents {
		if err != nil {
			return err
		}
		s.putChange(d)
	}
	return nil
}

func (s *store) putChange(d ledger.ChangeDocument) {
	s.puts++
	if s.changes[d.ExecutionID] == nil {
		s.changes[d.ExecutionID] = map[int]ledger.ChangeDocument{}
	}
	d.Changes = slices.Clone(d.Changes)
	s.changes[d.ExecutionID][d.Number] = d.Rounded()
}

// Audit, Changes and Executions are for the suite.

func (s *store) Audit(_ context.Context, id string, limit int) ([]ledger.AuditDocument, error) {
	var found []ledger.AuditDocument
	for _, d := range s.outcomes[id] {
		found = append(found, reread(d))
	}
	slices.SortFunc(found, func(a, b ledger.AuditDocument) int { return b.ExecutedAt.Compare(a.ExecutedAt) })
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

func (s *store) Changes(_ context.Context, id string, _ ledger.Page) (ledger.Changes, error) {
	if s.records[id].Status != ledger.Completed {
		return ledger.Changes{}, nil
	}
	return ledger.Changes{Changes: s.allChanges(id)}, nil
}

// allChanges are the changes of an execution's documents in their order.
func (s *store) allChanges(id string) []ledger.Change {
	var all []ledger.Change
	for number := range len(s.changes[id]) {
		var changes []ledger.Change
		if err := json.Unmarshal(s.changes[id][number].Changes, &changes); err != nil {
			return nil // which no completed execution with changes has
		}
		all = append(all, changes...)
	}
	return all
}

// copied shares no memory with e.
func copied(e ledger.Execution) ledger.Execution {
	if e.Seal != nil {
		seal := *e.Seal
		seal.Summary = copiedSummary(seal.Summary)
		seal.Explanation = slices.Clone(seal.Explanation)
		e.Seal = &seal
	}
	if e.Summary != nil {
		summary := copiedSummary(*e.Summary)
		e.Summary = &summary
	}
	if e.Error != nil {
		failure := *e.Error
		failure.Details = slices.Clone(failure.Details)
		e.Error = &failure
	}
	return e
}

func copiedSummary(s ledger.Summary) ledger.Summary {
	s.Operations, s.Warnings = slices.Clone(s.Operations), slices.Clone(s.Warnings)
	return s
}

// reread is a document as it comes back from storage.
func reread(d ledger.AuditDocument) ledger.AuditDocument {
	var read ledger.AuditDocument
	if err := json.Unmarshal(d.Line(), &read); err != nil {
		panic(err)
	}
	return read
}

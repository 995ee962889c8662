package simulation

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/pricing"
)

// store is a ledger.Store in memory whose state the invariants can see. It
// passes the suite's tests of records, outcomes and claims; the lists that the
// protocol does not use are the embedded nil.
type store struct {
	ledger.Store
	plans    map[string]plans.Record
	records  map[string]ledger.Execution
	outcomes map[string]map[string]ledger.AuditDocument
	changes  map[string]map[int]changelog.Document
	puts     int64            // counts every write
	written  map[string]int64 // the last write to each execution
	postings map[string]postings.Posting
	leases   map[string]postings.ShopLease
}

func newStore() *store {
	return &store{
		plans:    map[string]plans.Record{},
		records:  map[string]ledger.Execution{},
		outcomes: map[string]map[string]ledger.AuditDocument{},
		changes:  map[string]map[int]changelog.Document{},
		written:  map[string]int64{},
		postings: map[string]postings.Posting{},
		leases:   map[string]postings.ShopLease{},
	}
}

// count counts a write to an execution.
func (s *store) count(id string) {
	s.puts++
	s.written[id] = s.puts
}

func (s *store) CreatePlan(_ context.Context, p plans.Record) error {
	if _, exists := s.plans[p.ExecutionID]; exists {
		return errs.New(errs.Conflict, "there is a plan %s", p.ExecutionID)
	}
	p.Canonical, p.Categories = slices.Clone(p.Canonical), slices.Clone(p.Categories)
	s.count(p.ExecutionID)
	s.plans[p.ExecutionID] = p.Rounded()
	return nil
}

func (s *store) Plan(_ context.Context, id string) (plans.Record, error) {
	p, exists := s.plans[id]
	if !exists {
		return plans.Record{}, errs.New(errs.NotFound, "there is no plan %s", id)
	}
	p.Canonical, p.Categories = slices.Clone(p.Canonical), slices.Clone(p.Categories)
	return p, nil
}

func (s *store) PlanVersions(_ context.Context, name string, request plans.Request) (found plans.Versions, err error) {
	for id := range s.plans {
		if of, version, ok := plans.SplitVersion(id); ok && of == plans.VersionName(name) {
			found.Last = max(found.Last, version)
		}
	}
	if request.Instruction != "" {
		return found, errs.New(errs.Internal, "no execution asks for the plan of a request")
	}
	return found, nil
}

func (s *store) CreateExecution(_ context.Context, first ledger.Execution) (ledger.Execution, error) {
	if _, exists := s.records[first.ExecutionID]; exists {
		return ledger.Execution{}, errs.New(errs.Conflict, "there is an execution %s", first.ExecutionID)
	}
	return s.put(first), nil
}

func (s *store) put(e ledger.Execution) ledger.Execution {
	s.count(e.ExecutionID)
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

// ExecutionsOn finds what is sealed with an input of these bytes.
func (s *store) ExecutionsOn(_ context.Context, input ledger.File) (found []ledger.Execution, err error) {
	for _, id := range slices.Sorted(maps.Keys(s.records)) {
		e := s.records[id]
		if e.Seal != nil && e.Seal.Input.Size == input.Size && e.Seal.Input.CRC32C == input.CRC32C {
			found = append(found, copied(e))
		}
	}
	return found, nil
}

func (s *store) Snapshot(_ context.Context, id, upload string) (ledger.Snapshot, error) {
	var found ledger.Snapshot
	if e, exists := s.records[id]; exists {
		e = copied(e)
		found.Execution = &e
	}
	if d, exists := s.outcomes[id][upload]; exists {
		found.Outcome = &d // nobody changes what its slices hold
	}
	return found, nil
}

func (s *store) UpdateExecution(_ context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	current, exists := s.records[next.ExecutionID]
	if !exists || current.Revision != next.Revision {
		return ledger.Execution{}, errs.New(errs.Stale, "execution %s was changed", next.ExecutionID)
	}
	if also := with.Also; also != nil && s.records[also.ExecutionID].Revision != also.Revision {
		return ledger.Execution{}, errs.New(errs.Stale, "execution %s was changed", also.ExecutionID)
	}
	if with.Plan != nil {
		if _, exists := s.plans[with.Plan.ExecutionID]; exists {
			return ledger.Execution{}, errs.New(errs.Conflict, "there is a plan %s", with.Plan.ExecutionID)
		}
	}
	if with.Posting != nil {
		if _, exists := s.postings[with.Posting.ExecutionID]; exists {
			return ledger.Execution{}, errs.New(errs.Conflict, "there is a posting %s", with.Posting.ExecutionID)
		}
	}
	if with.Outcome != nil {
		if err := s.createOutcome(*with.Outcome); err != nil {
			return ledger.Execution{}, err
		}
	}
	if with.Plan != nil {
		s.plans[with.Plan.ExecutionID] = with.Plan.Rounded()
	}
	if with.Posting != nil {
		s.putPosting(*with.Posting)
	}
	if with.Also != nil {
		s.put(*with.Also)
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
	s.count(d.ExecutionID)
	if s.outcomes[d.ExecutionID] == nil {
		s.outcomes[d.ExecutionID] = map[string]ledger.AuditDocument{}
	}
	s.outcomes[d.ExecutionID][d.Upload.ID] = reread(d.Rounded())
}

func (s *store) PutChanges(_ context.Context, _ string, documents iter.Seq2[changelog.Document, error]) error {
	for d, err := range documents {
		if err != nil {
			return err
		}
		s.putChange(d)
	}
	return nil
}

func (s *store) putChange(d changelog.Document) {
	s.count(d.ExecutionID)
	if s.changes[d.ExecutionID] == nil {
		s.changes[d.ExecutionID] = map[int]changelog.Document{}
	}
	d.Changes = slices.Clone(d.Changes)
	s.changes[d.ExecutionID][d.Number] = d.Rounded()
}

func (s *store) Due(_ context.Context, at time.Time, page paging.Page) (paging.List[ledger.Execution], error) {
	place := func(e ledger.Execution) string { return e.DueAt.Format("2006-01-02T15:04:05.000000Z ") + e.ExecutionID }
	return s.listed(page, place, func(e ledger.Execution) bool { return !e.DueAt.IsZero() && !e.DueAt.After(at) })
}

// listed is a page of some of the records, in the order of their places.
func (s *store) Executions(_ context.Context, status ledger.Status, page paging.Page) (paging.List[ledger.Execution], error) {
	place := func(e ledger.Execution) string { return e.ExecutionID }
	return s.listed(page, place, func(e ledger.Execution) bool { return e.Status == status })
}

func (s *store) listed(page paging.Page, place func(ledger.Execution) string, listed func(ledger.Execution) bool) (paging.List[ledger.Execution], error) {
	var found []ledger.Execution
	for _, e := range s.records {
		if listed(e) && place(e) > page.Token {
			found = append(found, copied(e))
		}
	}
	slices.SortFunc(found, func(a, b ledger.Execution) int { return strings.Compare(place(a), place(b)) })
	var next string
	if limit := page.Limit(); len(found) > limit {
		found = found[:limit]
		next = place(found[limit-1])
	}
	return paging.List[ledger.Execution]{Items: found, NextPageToken: next}, nil
}

// Audit and Changes are for the suite.

func (s *store) Audit(_ context.Context, id string, limit int) ([]ledger.AuditDocument, error) {
	var found []ledger.AuditDocument
	for _, d := range s.outcomes[id] {
		found = append(found, d)
	}
	slices.SortFunc(found, func(a, b ledger.AuditDocument) int { return b.ExecutedAt.Compare(a.ExecutedAt) })
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

func (s *store) Changes(_ context.Context, id string, _ paging.Page) (paging.List[pricing.Change], error) {
	if s.records[id].Status != ledger.Completed {
		return paging.List[pricing.Change]{}, nil
	}
	return paging.List[pricing.Change]{Items: s.allChanges(id)}, nil
}

// allChanges are the changes of an execution's documents in their order.
func (s *store) allChanges(id string) []pricing.Change {
	var all []pricing.Change
	for number := range len(s.changes[id]) {
		var changes []pricing.Change
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
		seal := copiedSeal(*e.Seal)
		e.Seal = &seal
	}
	if e.Proposal != nil {
		proposal := *e.Proposal
		proposal.Seal = copiedSeal(proposal.Seal)
		proposal.Reasons = slices.Clone(proposal.Reasons)
		e.Proposal = &proposal
	}
	if e.Approval != nil {
		approval := *e.Approval
		e.Approval = &approval
	}
	e.Owed, e.UndoDue = slices.Clone(e.Owed), slices.Clone(e.UndoDue)
	for i, owed := range e.Owed {
		if owed.Upload != nil {
			e.Owed[i].Upload = new(*owed.Upload)
		}
	}
	if e.Error != nil {
		failure := *e.Error
		failure.Details = slices.Clone(failure.Details)
		e.Error = &failure
	}
	return e
}

func copiedSeal(s ledger.Seal) ledger.Seal {
	s.Summary.Operations, s.Warnings = slices.Clone(s.Summary.Operations), slices.Clone(s.Warnings)
	s.Explanation = slices.Clone(s.Explanation)
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

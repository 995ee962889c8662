package ledger

import (
	"slices"

	"github.com/planwright/planwright/shared/ledger/internal/stored"
)

// Rounded returns the record with its times in UTC and whole microseconds, and with its hash.
func (e Execution) Rounded() Execution {
	e.LeaseUntil = stored.Time(e.LeaseUntil)
	e.CreatedAt = stored.Time(e.CreatedAt)
	e.DueAt = stored.Time(e.DueAt)
	e.Source = e.Source.rounded()
	e.Approval = e.Approval.rounded()
	if e.Proposal != nil {
		proposal := *e.Proposal
		proposal.Seal = proposal.Seal.rounded()
		proposal.ApplyAt, proposal.ExpiresAt = stored.Time(proposal.ApplyAt), stored.Time(proposal.ExpiresAt)
		proposal.RemindedAt = stored.Time(proposal.RemindedAt)
		e.Proposal = &proposal
	}
	if e.Seal != nil {
		seal := e.Seal.rounded()
		e.Seal = &seal
	}
	e.Error = e.Error.rounded()
	e.UndoDue = slices.Clone(e.UndoDue)
	for i := range e.UndoDue {
		e.UndoDue[i].At = stored.Time(e.UndoDue[i].At)
	}
	e.Owed = slices.Clone(e.Owed)
	for i := range e.Owed {
		e.Owed[i].At, e.Owed[i].PostAt = stored.Time(e.Owed[i].At), stored.Time(e.Owed[i].PostAt)
	}
	e.SHA256 = e.hash()
	return e
}

func (s Source) rounded() Source {
	s.UploadedAt, s.FoundAt = stored.Time(s.UploadedAt), stored.Time(s.FoundAt)
	return s
}

func (s Seal) rounded() Seal {
	s.ExecutedAt = stored.Time(s.ExecutedAt)
	return s
}

func (a *Approval) rounded() *Approval {
	if a == nil {
		return nil
	}
	approval := *a
	approval.At, approval.ProposedAt = stored.Time(approval.At), stored.Time(approval.ProposedAt)
	return &approval
}

func (f *Failure) rounded() *Failure {
	if f == nil {
		return nil
	}
	failure := *f
	failure.At = stored.Time(failure.At)
	return &failure
}

// Rounded returns the document with its times in UTC and whole microseconds.
// The hash is of the rounded document.
func (d AuditDocument) Rounded() AuditDocument {
	d.ExecutedAt = stored.Time(d.ExecutedAt)
	d.CreatedAt = stored.Time(d.CreatedAt)
	d.Upload.Source = d.Upload.Source.rounded()
	d.Approval = d.Approval.rounded()
	d.Failure = d.Failure.rounded()
	return d
}

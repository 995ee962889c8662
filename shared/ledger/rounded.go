package ledger

import (
	"slices"
	"time"
)

// rounded is t as every store keeps it: in UTC, in whole microseconds, which
// is the precision of a Firestore timestamp.
func rounded(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// Rounded returns the record with its times in UTC and whole microseconds.
// Every store writes it, so that what is read back equals it.
func (p PlanRecord) Rounded() PlanRecord {
	p.CreatedAt = rounded(p.CreatedAt)
	return p
}

// Rounded returns the record with its times in UTC and whole microseconds, and with its hash.
func (e Execution) Rounded() Execution {
	e.LeaseUntil = rounded(e.LeaseUntil)
	e.CreatedAt = rounded(e.CreatedAt)
	e.DueAt = rounded(e.DueAt)
	e.Source = e.Source.rounded()
	e.Approval = e.Approval.rounded()
	if e.Proposal != nil {
		proposal := *e.Proposal
		proposal.Seal = proposal.Seal.rounded()
		proposal.ApplyAt, proposal.ExpiresAt = rounded(proposal.ApplyAt), rounded(proposal.ExpiresAt)
		proposal.RemindedAt = rounded(proposal.RemindedAt)
		e.Proposal = &proposal
	}
	if e.Seal != nil {
		seal := e.Seal.rounded()
		e.Seal = &seal
	}
	e.Error = e.Error.rounded()
	e.UndoDue = slices.Clone(e.UndoDue)
	for i := range e.UndoDue {
		e.UndoDue[i].At = rounded(e.UndoDue[i].At)
	}
	e.Owed = slices.Clone(e.Owed)
	for i := range e.Owed {
		e.Owed[i].At, e.Owed[i].PostAt = rounded(e.Owed[i].At), rounded(e.Owed[i].PostAt)
	}
	e.SHA256 = e.hash()
	return e
}

func (s Source) rounded() Source {
	s.UploadedAt, s.FoundAt = rounded(s.UploadedAt), rounded(s.FoundAt)
	return s
}

func (s Seal) rounded() Seal {
	s.ExecutedAt = rounded(s.ExecutedAt)
	return s
}

func (a *Approval) rounded() *Approval {
	if a == nil {
		return nil
	}
	approval := *a
	approval.At, approval.ProposedAt = rounded(approval.At), rounded(approval.ProposedAt)
	return &approval
}

func (f *Failure) rounded() *Failure {
	if f == nil {
		return nil
	}
	failure := *f
	failure.At = rounded(failure.At)
	return &failure
}

// Rounded returns the document with its times in UTC and whole microseconds.
// The hash is of the rounded document.
func (d AuditDocument) Rounded() AuditDocument {
	d.ExecutedAt = rounded(d.ExecutedAt)
	d.CreatedAt = rounded(d.CreatedAt)
	d.Upload.Source = d.Upload.Source.rounded()
	d.Approval = d.Approval.rounded()
	d.Failure = d.Failure.rounded()
	return d
}

// Rounded returns the document with its time in UTC and whole microseconds.
func (d ChangeDocument) Rounded() ChangeDocument {
	d.ExecutedAt = rounded(d.ExecutedAt)
	return d
}

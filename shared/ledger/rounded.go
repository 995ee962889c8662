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
	e.DueAt, e.PostAt = rounded(e.DueAt), rounded(e.PostAt)
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
	if e.Error != nil {
		failure := *e.Error
		failure.At = rounded(failure.At)
		e.Error = &failure
	}
	e.UndoDue = slices.Clone(e.UndoDue)
	for i := range e.UndoDue {
		e.UndoDue[i].At = rounded(e.UndoDue[i].At)
	}
	e.Posts = slices.Clone(e.Posts)
	for i := range e.Posts {
		e.Posts[i].At, e.Posts[i].DueAt = rounded(e.Posts[i].At), rounded(e.Posts[i].DueAt)
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
	s.Approval = s.Approval.rounded()
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

// Rounded returns the document with its times in UTC and whole microseconds.
// The hash is of the rounded document.
func (d AuditDocument) Rounded() AuditDocument {
	d.CreatedAt = rounded(d.CreatedAt)
	d.ExecutedAt = rounded(d.ExecutedAt)
	d.Upload.Source = d.Upload.Source.rounded()
	d.Approval = d.Approval.rounded()
	return d
}

// Rounded returns the document with its time in UTC and whole microseconds.
func (d ChangeDocument) Rounded() ChangeDocument {
	d.ExecutedAt = rounded(d.ExecutedAt)
	return d
}

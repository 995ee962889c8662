package ledger

import "time"

// rounded is t as every store keeps it: in UTC, in whole microseconds, which
// is the precision of a Firestore timestamp.
func rounded(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// Rounded returns the record with its times in UTC and whole microseconds.
// Every store writes it, so that what is read back equals it.
func (p PlanRecord) Rounded() PlanRecord {
	p.CreatedAt = rounded(p.CreatedAt)
	return p
}

// Rounded returns the record with its times in UTC and whole microseconds.
func (e Execution) Rounded() Execution {
	e.LeaseUntil = rounded(e.LeaseUntil)
	e.CreatedAt = rounded(e.CreatedAt)
	e.Source.UploadedAt = rounded(e.Source.UploadedAt)
	if e.Seal != nil {
		seal := *e.Seal
		seal.ExecutedAt = rounded(seal.ExecutedAt)
		e.Seal = &seal
	}
	return e
}

// Rounded returns the document with its times in UTC and whole microseconds.
// The hash is of the rounded document.
func (d AuditDocument) Rounded() AuditDocument {
	d.ExecutedAt = rounded(d.ExecutedAt)
	d.Upload.UploadedAt = rounded(d.Upload.UploadedAt)
	return d
}

// Rounded returns the document with its time in UTC and whole microseconds.
func (d ChangeDocument) Rounded() ChangeDocument {
	d.ExecutedAt = rounded(d.ExecutedAt)
	return d
}

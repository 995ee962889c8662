package planner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
)

// seen is everything that decides what a preview shows, and the figures that it shows.
// Two previews with the same hash show the same.
type seen struct {
	Done     string         `json:"done"` // the stored plan's hash, or that of canonical operations
	Settings table.Settings `json:"settings"`
	Table    string         `json:"table"` // the BLAKE3 of its bytes
	Summary  ledger.Summary `json:"summary"`
	Effect   pricing.Effect `json:"effect"`
}

// lookAndHash runs the plan over the table as look does, and returns the hash of what it saw.
// Done is what the engine does: the plan's hash, or that of canonical operations.
func (s *tableSource) lookAndHash(
	ctx context.Context, done string, engine *pricing.Engine, see func(pricing.Seen) error,
) (pricing.Summary, string, error) {
	in, err := s.open()
	if err != nil {
		return pricing.Summary{}, "", err
	}
	defer in.Close()
	read := bucket.NewFingerprint()
	summary, err := engine.Look(ctx, io.TeeReader(in, read), see)
	if err != nil {
		return pricing.Summary{}, "", err
	}
	sum := sha256.Sum256(strictjson.Line(seen{
		Done: done, Settings: s.settings, Table: read.BLAKE3(), Summary: ledger.NewSummary(summary), Effect: summary.Effect,
	}))
	return summary, hex.EncodeToString(sum[:]), nil
}

// checkPreview refuses to do something else than what a caller saw. Its error is a
// previewChangedError where a preview has another hash now, or none.
func (s *tableSource) checkPreview(ctx context.Context, stored ledger.StoredPlan, wanted string) error {
	engine, err := pricing.Compile(stored.Plan, s.settings)
	if err != nil {
		return err
	}
	_, now, err := s.lookAndHash(ctx, stored.SHA256, engine, func(pricing.Seen) error { return nil })
	switch {
	case errs.KindOf(err) == errs.Invalid: // as it is read now, the table is refused
		return &previewChangedError{err}
	case err != nil:
		return err
	case now != wanted:
		return &previewChangedError{}
	}
	return nil
}

// previewChangedError refuses to carry out what would do something else than was seen. It
// is errs.Conflict.
type previewChangedError struct{ cause error }

func (e *previewChangedError) Error() string { return errs.Message(e.Unwrap()) }

func (e *previewChangedError) Unwrap() error {
	return errs.Wrap(errs.Conflict, e.cause, "%s", plannerapi.PreviewChanged)
}

// Code is the error's code for programs.
func (e *previewChangedError) Code() string { return plannerapi.CodePreviewChanged }

package planner

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
)

// previewed is what a look at a table found, and its hash.
type previewed struct {
	pricing.Preview
	sha256 string
	engine *pricing.Engine
}

// preview runs a plan's rules over the table, and hands their changes to see, but for those
// that skip passes over; nil: none.
func (s *tableSource) preview(
	ctx context.Context, of *plan.Plan, see func(pricing.Seen) error, skip func(*pricing.Seen) bool,
) (previewed, error) {
	engine, err := pricing.Compile(of, s.settings)
	if err != nil {
		return previewed{}, err
	}
	in, err := s.open()
	if err != nil {
		return previewed{}, err
	}
	defer in.Close()
	read := bucket.NewFingerprint()
	var found pricing.Preview
	err = s.named(ctx, see, func(see func(pricing.Seen) error) error {
		found, err = engine.Skipping(skip).Preview(ctx, io.TeeReader(in, read), s.open, see)
		return err
	})
	if err != nil {
		return previewed{}, err
	}
	return previewed{
		found, ledger.PreviewSHA256(of.Operations, s.settings, read.BLAKE3(), &found.Summary), engine,
	}, nil
}

// checkPreview refuses to do something else than what a caller saw. Its error is a
// previewChangedError where a preview has another hash now, or none.
func (s *tableSource) checkPreview(ctx context.Context, p *plan.Plan, wanted string) error {
	now, err := s.preview(ctx, p, nil, nil)
	switch {
	case p.Undo != nil: // which has no preview
		return err
	case errs.KindOf(err) == errs.Invalid: // as it is read now, the table is refused
		return &previewChangedError{err}
	case err != nil:
		return err
	case now.sha256 != wanted:
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

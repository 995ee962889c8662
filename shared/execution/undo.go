package execution

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
)

// checkUndo reads the execution that the plan undoes, and refuses settings of the upload by
// which its table would be read otherwise.
func (a *attempt) checkUndo(ctx context.Context) error {
	if err := a.readUndone(ctx); err != nil {
		return err
	}
	if _, err := undoSettings(a.source.Settings, a.undone); err != nil {
		return refuse("other_settings", "%s", errs.Message(table.On(err, a.Surface)))
	}
	return nil
}

// readUndone reads the execution that the plan undoes, and refuses what cannot be undone.
func (a *attempt) readUndone(ctx context.Context) error {
	undo := a.plan.Plan.Undo
	if undo == nil {
		return nil
	}
	record, err := a.Ledger.Execution(ctx, undo.ExecutionID)
	if err != nil && errs.KindOf(err) != errs.NotFound {
		return err
	}
	record.ExecutionID = undo.ExecutionID // also of one that is not found
	failure := lineage.Refuse(ctx, a.Ledger, record, a.executionID)
	if sealed := a.lease.Execution().Seal != nil; failure != nil &&
		!(sealed && failure.Code == ledger.CodeUndoneAlready) {
		return &refusal{*failure} // what is sealed was undone by this one, and by others since
	}
	if record.Seal.Changes.SHA256 != undo.ChangesSHA256 {
		return refuse("other_changes",
			"The plan undoes changes with the hash %s; those of execution %s have %s.",
			undo.ChangesSHA256, undo.ExecutionID, record.Seal.Changes.SHA256)
	}
	a.undone = &record
	return nil
}

// undoSettings are those by which the table of an undo is read: as that of the
// execution was. Settings of its own that say otherwise are refused.
func undoSettings(own table.Settings, undone *ledger.Execution) (table.Settings, error) {
	return undone.Seal.Summary.Table.ReadAgain(undone.Seal.ReadBy(undone.Source), own)
}

// undoTask finds the rows of an undo in its table.
type undoTask struct {
	Buckets
	source   ledger.Source
	settings table.Settings
	undone   *ledger.Execution
	meter    func(io.Reader) io.Reader // nil: nobody hears how far a table has been read
}

// findRows prepares the engine for the table: as it is for the very one that the
// execution wrote, else by the SKUs of the rows.
func (u *undoTask) findRows(ctx context.Context, e *pricing.Engine) (*pricing.Engine, error) {
	if written, err := u.holds(ctx, u.Input(u.source), u.source.Object, u.source.Reads(),
		u.undone.Seal.Output); err != nil || written {
		return e, err
	}
	now, err := u.open(ctx, u.Input(u.source), u.source.Object, u.source.Reads())
	if err != nil {
		return nil, err
	}
	defer now.Close()
	before, err := u.before(ctx)
	if err != nil {
		return nil, err
	}
	defer before.Close()
	if err := u.checkDialect(before, now); err != nil {
		return nil, err
	}
	return e.BySKU(ctx, before, now)
}

// before opens a table that has the rows of the one that the execution wrote: that
// one, or the one that it read.
func (u *undoTask) before(ctx context.Context) (*opened, error) {
	seal, source := u.undone.Seal, u.undone.Source
	generation := int64(0) // none has it
	if object, err := u.Outbox.Stat(ctx, seal.Output.Object); err == nil {
		generation = object.Generation
	}
	for _, table := range []struct {
		bucket     bucket.Bucket
		generation int64
		file       ledger.File
	}{{u.Outbox, generation, seal.Output}, {u.Input(source), source.Reads(), seal.Input}} {
		has, err := u.holds(ctx, table.bucket, table.file.Object, table.generation, table.file)
		switch {
		case errs.KindOf(err) == errs.NotFound || errs.KindOf(err) == errs.Invalid:
		case err != nil:
			return nil, err
		case has:
			return u.open(ctx, table.bucket, table.file.Object, table.generation)
		}
	}
	return nil, errs.New(errs.Unavailable, "The table of execution %s has been edited since. To tell which of its rows is which takes the table from before: put %s back as it was read, or %s as it was written.",
		u.undone.ExecutionID, seal.Input, seal.Output)
}

// opened is a table that is open, of which the beginning can be looked at.
type opened struct {
	*bufio.Reader
	io.Closer
	object bucket.Object
}

func (u *undoTask) open(
	ctx context.Context, from bucket.Bucket, name string, generation int64,
) (*opened, error) {
	file, object, err := from.Open(ctx, name, generation)
	if err != nil {
		return nil, err
	}
	reader := io.Reader(file)
	if u.meter != nil {
		reader = u.meter(file)
	}
	return &opened{bufio.NewReaderSize(reader, dialect.HeadBytes), file, object}, nil
}

// holds reports whether an object has a sealed file's content.
func (u *undoTask) holds(
	ctx context.Context, in bucket.Bucket, name string, generation int64, file ledger.File,
) (bool, error) {
	found, err := u.open(ctx, in, name, generation)
	if err != nil {
		return false, err
	}
	defer found.Close()
	return hasContent(found.object, file), nil
}

// checkDialect refuses a table that is not in the encoding of the one from before, in
// which what it gets back is written, or has its fields parted by something else.
func (u *undoTask) checkDialect(before, now *opened) error {
	shown, err := before.dialect()
	if err != nil {
		return err
	}
	is, err := now.dialect()
	if err != nil {
		return err
	}
	was := u.settings.Dialect
	if is.Delimiter != was.Delimiter && shown.Delimiter == was.Delimiter {
		return errs.New(errs.Invalid, "The table of execution %s has its fields separated by %s, and this one by %s: export it as that was, so that its rows get back what they had.", u.undone.ExecutionID, was.Delimiter, is.Delimiter)
	}
	encoding := is.Encoding
	switch {
	case encoding == was.Encoding,
		encoding == shown.Encoding && encoding != "",
		encoding == "" && was.Encoding != dialect.UTF16LE && was.Encoding != dialect.UTF16BE:
		return nil
	case encoding == "":
		encoding = "another encoding"
	}
	return errs.New(errs.Invalid, "The table of execution %s was in %s, and this one is in %s: save it in %s, so that its rows get back what they had.", u.undone.ExecutionID, was.Encoding, encoding, was.Encoding)
}

// dialect is the one that a table's beginning shows, without an encoding where it is ASCII.
func (o *opened) dialect() (dialect.Dialect, error) {
	head, err := o.Peek(dialect.HeadBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return dialect.Dialect{}, err
	}
	shown := dialect.Detect(head, dialect.Dialect{})
	if shown.Encoding == dialect.UTF8 &&
		!slices.ContainsFunc(head, func(b byte) bool { return b >= utf8.RuneSelf }) {
		shown.Encoding = ""
	}
	return shown, nil
}

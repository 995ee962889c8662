package planner

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/web"
)

// formatImport asks for the changes of a completed execution as the platform's importer
// takes them.
const formatImport = "import"

// writeImportFile answers with the rows that an execution changed, of what it wrote: the
// columns by which the platform's importer finds them, and those that changed.
func (h handler) writeImportFile(w http.ResponseWriter, r *http.Request, record ledger.Execution) error {
	record, err := h.completed(r.Context(), record.ExecutionID)
	if err != nil {
		return err
	}
	changed, err := h.changedBy(r.Context(), record)
	if err != nil {
		return err
	}
	roles, err := changed.roles(r.Context())
	switch {
	case err != nil:
		return err
	case len(roles) == 0:
		return errs.New(errs.Conflict, "%s changed nothing, so there is nothing to import.",
			record.ExecutionID)
	}
	output, err := h.outputOf(r.Context(), record)
	if err != nil {
		return err
	}
	in, _, err := h.Outbox.Open(r.Context(), output.Name, output.Generation)
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := overview.OpenImportFile(in, record.Seal.ReadBy(record.Source), roles, table.UsualWorkload())
	if err != nil {
		return err
	}
	name := path.Base(output.Name)
	contentType, _ := files.ContentType(name)
	end := path.Ext(name)
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Disposition", mime.FormatMediaType(
		"attachment", map[string]string{"filename": strings.TrimSuffix(name, end) + "-changes" + end},
	))
	if err := file.Write(r.Context(), changed.rows(r.Context()), w, table.UsualWorkload()); err != nil {
		web.Log(r.Context()).WarnContext(r.Context(), "the changes broke off", "cause", err)
		panic(http.ErrAbortHandler) // half a file must not look whole
	}
	return nil
}

// changesFile is the file of all that an execution changed.
type changesFile struct {
	in     bucket.Bucket
	object bucket.Object
}

// changedBy finds the changes file of a completed execution that is not undone.
func (h handler) changedBy(ctx context.Context, record ledger.Execution) (changesFile, error) {
	if record.UndoneBy != "" {
		undos, err := lineage.Follow(ctx, h.Store, record)
		if err != nil {
			return changesFile{}, err
		}
		if undos.Again() {
			return changesFile{}, errs.New(errs.Conflict,
				"These changes of %s are not imported any more. %s Import what %s wrote.",
				record.ExecutionID, undos, undos.Newest())
		}
		return changesFile{}, errs.New(errs.Conflict,
			"%s was undone by %s: to import its changes would bring back what was taken back.",
			record.ExecutionID, record.UndoneBy)
	}
	if _, err := h.outputOf(ctx, record); err != nil {
		return changesFile{}, err
	}
	wrote := record.Seal.Changes
	object, err := h.Audit.Stat(ctx, wrote.Object)
	if err == nil && (object.Size != wrote.Size || object.CRC32C != wrote.CRC32C) {
		err = errs.New(errs.Conflict, "%s has other bytes than %s wrote: somebody replaced it.",
			wrote.Object, record.ExecutionID)
	}
	return changesFile{h.Audit, object}, err
}

// each goes through the changes, in the order of their rows.
func (f changesFile) each(ctx context.Context) iter.Seq2[pricing.Change, error] {
	return func(yield func(pricing.Change, error) bool) {
		in, _, err := f.in.Open(ctx, f.object.Name, f.object.Generation)
		if err != nil {
			yield(pricing.Change{}, err)
			return
		}
		defer in.Close()
		lines := json.NewDecoder(bufio.NewReaderSize(in, 64<<10))
		for {
			var change pricing.Change
			err := lines.Decode(&change)
			if err == io.EOF || !yield(change, err) || err != nil {
				return
			}
		}
	}
}

// rows are the numbers of the rows that changed.
func (f changesFile) rows(ctx context.Context) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		for change, err := range f.each(ctx) {
			if !yield(change.Row, err) {
				return
			}
		}
	}
}

// roles are those of the columns that changed, in no row's order.
func (f changesFile) roles(ctx context.Context) (roles []recognize.Role, err error) {
	found := map[recognize.Role]bool{}
	for change, err := range f.each(ctx) {
		if err != nil {
			return nil, errs.Wrap(errs.KindOf(err), err, "The file of the changes cannot be read.")
		}
		change.Before.EachOther(change.After, func(role recognize.Role) {
			if !found[role] {
				found[role], roles = true, append(roles, role)
			}
		})
	}
	return roles, nil
}

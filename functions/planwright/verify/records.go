package verify

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// everyDocument is more audit documents than one execution has.
const everyDocument = 1 << 20

// chain follows the hash chain from the record's head to its beginning.
func (c *comparison) chain(ctx context.Context) error {
	documents, err := c.Ledger.Audit(ctx, c.record.ExecutionID, everyDocument)
	if err != nil {
		return err
	}
	linked := map[string]ledger.AuditDocument{}
	for _, document := range documents {
		if !document.Intact() {
			return differs("the %s document of upload %s does not have the content it was written with", document.Status, document.Upload.ID)
		}
		if document.Status == ledger.Skipped {
			if document.PreviousSHA256 != c.record.AuditHead {
				return differs("the skipped document of upload %s does not point at the completed one", document.Upload.ID)
			}
			continue
		}
		linked[document.SHA256] = document
	}
	for at := c.record.AuditHead; at != ""; {
		document, ok := linked[at]
		if !ok {
			return differs("the chain is broken: there is no document with the hash %s", at)
		}
		if at == c.record.AuditHead {
			c.completed = &document
		}
		delete(linked, at)
		at = document.PreviousSHA256
	}
	if len(linked) > 0 {
		return differs("%d documents are not part of the chain", len(linked))
	}
	if c.completed == nil || c.completed.Status != ledger.Completed {
		return differs("the chain does not end in a completed document")
	}
	return nil
}

// document builds the completed document again from the record and the
// changes file, and compares.
func (c *comparison) document(ctx context.Context) error {
	if c.completed == nil {
		return differs("there is none to compare")
	}
	stored, err := c.storedPlan(ctx)
	if err != nil {
		return err
	}
	file, err := c.open(ctx, c.Audit, c.seal.Changes)
	if err != nil {
		return err
	}
	defer file.Close()
	listing, err := ledger.ListChanges(file)
	if err != nil {
		return err
	}
	want := ledger.CompletedDocument(c.record.ExecutionID, c.record.Source, c.seal, stored, listing)
	if want.SHA256 != c.completed.SHA256 {
		return differs("it does not say what was sealed")
	}
	return nil
}

// plan checks the stored plan against the hash that was sealed.
func (c *comparison) plan(ctx context.Context) error {
	_, err := c.storedPlan(ctx)
	return err
}

func (c *comparison) storedPlan(ctx context.Context) (ledger.StoredPlan, error) {
	stored, err := ledger.LoadPlan(ctx, c.Ledger, c.record.ExecutionID)
	if errs.KindOf(err) == errs.Internal || err == nil && stored.SHA256 != c.seal.PlanSHA256 {
		return stored, differs("it is not the plan with the sealed hash %s", c.seal.PlanSHA256)
	}
	return stored, err
}

// documents compares the change documents with the changes file, in order.
func (c *comparison) documents(ctx context.Context) error {
	if c.NoDocuments {
		return errNotKept
	}
	file, err := c.open(ctx, c.Audit, c.seal.Changes)
	if err != nil {
		return err
	}
	defer file.Close()
	page := ledger.Page{Size: ledger.MaxPageSize}
	found, err := c.Ledger.Changes(ctx, c.record.ExecutionID, page)
	if err != nil {
		return err
	}
	for change, err := range ledger.ReadChanges(file) {
		if err != nil {
			return err
		}
		for len(found.Changes) == 0 && found.NextPageToken != "" {
			page.Token = found.NextPageToken
			if found, err = c.Ledger.Changes(ctx, c.record.ExecutionID, page); err != nil {
				return err
			}
		}
		if len(found.Changes) == 0 || !reflect.DeepEqual(found.Changes[0], change) {
			return differs("the change of row %d is missing or another", change.Row)
		}
		found.Changes = found.Changes[1:]
	}
	if len(found.Changes) > 0 || found.NextPageToken != "" {
		return differs("there are more changes than in the changes file")
	}
	return nil
}

// auditFile looks for the completed document's line.
func (c *comparison) auditFile(ctx context.Context) error {
	if c.completed == nil {
		return differs("there is no document to look for")
	}
	file, err := c.open(ctx, c.Audit, ledger.File{Object: c.Names.Audit(c.record.ExecutionID)})
	if err != nil {
		return err
	}
	defer file.Close()
	want := c.completed.Line()
	lines := bufio.NewReaderSize(file, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if bytes.Equal(line, want) {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return differs("it does not have the line of the completed document")
		}
		if err != nil {
			return err
		}
	}
}

package verify

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"reflect"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
)

// everyDocument is more audit documents than one execution has.
const everyDocument = 1 << 20

// chain follows the hash chain from the record's head to its beginning.
func (c *comparison) chain(ctx context.Context) error {
	documents, err := c.Ledger.Audit(ctx, c.record.ExecutionID, everyDocument)
	if err != nil {
		return err
	}
	c.documents = documents
	if c.head, err = ledger.CheckChain(documents, c.record.AuditHead); err != nil {
		return differs("%s", err)
	}
	if c.head != nil && c.head.Status != c.record.Status && c.recordEnded() {
		return differs("the chain ends in a %s document, and the record is %s",
			c.head.Status, c.record.Status)
	}
	return nil
}

// document builds the completed document again from the record and the
// changes file, and compares.
func (c *comparison) document(ctx context.Context) error {
	if c.head == nil {
		return differs("there is none to compare")
	}
	stored, err := c.storedPlan(ctx)
	if err != nil {
		return err
	}
	file, _, err := bucket.OpenLive(ctx, c.Audit, c.seal.Changes.Object)
	if err != nil {
		return err
	}
	defer file.Close()
	listing, err := changelog.List(file)
	if err != nil {
		return err
	}
	want := ledger.CompletedDocument(c.record, stored, listing)
	if want.SHA256 != c.head.SHA256 {
		return differs("it does not say what was sealed")
	}
	return nil
}

// plan checks the stored plan against the hash that was sealed.
func (c *comparison) plan(ctx context.Context) error {
	_, err := c.storedPlan(ctx)
	return err
}

func (c *comparison) storedPlan(ctx context.Context) (plans.Stored, error) {
	stored, err := plans.Load(ctx, c.Ledger, c.record.ExecutionID)
	if errs.KindOf(err) == errs.Internal || err == nil && stored.SHA256 != c.seal.PlanSHA256 {
		return stored, differs("it is not the plan with the sealed hash %s", c.seal.PlanSHA256)
	}
	return stored, err
}

// changeDocuments compares the change documents with the changes file, in order.
func (c *comparison) changeDocuments(ctx context.Context) error {
	if c.Indexed != nil {
		if indexed, err := c.Indexed(ctx, c.record.ExecutionID); err != nil || !indexed {
			return cmp.Or(err, errNotKept)
		}
	}
	file, _, err := bucket.OpenLive(ctx, c.Audit, c.seal.Changes.Object)
	if err != nil {
		return err
	}
	defer file.Close()
	page := paging.Page{Size: paging.MaxSize}
	found, err := c.Ledger.Changes(ctx, c.record.ExecutionID, page)
	if err != nil {
		return err
	}
	for change, err := range changelog.Read(file) {
		if err != nil {
			return err
		}
		for len(found.Items) == 0 && found.NextPageToken != "" {
			page.Token = found.NextPageToken
			if found, err = c.Ledger.Changes(ctx, c.record.ExecutionID, page); err != nil {
				return err
			}
		}
		if len(found.Items) == 0 || !reflect.DeepEqual(found.Items[0], change) {
			return differs("the change of row %d is missing or another", change.Row)
		}
		found.Items = found.Items[1:]
	}
	if len(found.Items) > 0 || found.NextPageToken != "" {
		return differs("there are more changes than in the changes file")
	}
	return nil
}

// auditFile compares the audit file with the completed document's line, which also stands in
// the log that the upload names.
func (c *comparison) auditFile(ctx context.Context) error {
	if c.head == nil {
		return differs("there is no document to look for")
	}
	file, _, err := bucket.OpenLive(ctx, c.Audit, execution.AuditName(c.record.ExecutionID))
	if err != nil {
		return err
	}
	defer file.Close()
	want := c.head.Line()
	has, others := false, false
	lines := bufio.NewReaderSize(file, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		has = has || bytes.Equal(line, want)
		others = others || len(line) > 0 && !bytes.Equal(line, want)
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
	}
	switch {
	case !has:
		return differs("it does not have the line of the completed document")
	case others:
		return differs("it has more than the line of the completed document")
	case c.Line != nil && c.head.Upload.Log != "":
		return c.Line(ctx, *c.head)
	default:
		return nil
	}
}

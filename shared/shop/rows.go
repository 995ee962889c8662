package shop

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/pricing"
)

// Titles of a fetched table that a publisher needs, as WooCommerce's own export has them.
const (
	TitleID        = "ID"
	TitleParent    = "Parent"
	TitleName      = "Name"
	TitleRegular   = "Regular price"
	TitleSale      = "Sale price"
	TitleSaleFrom  = "Date sale price starts"
	TitleSaleUntil = "Date sale price ends"
)

// ParentPrefix stands before a parent's id in the table.
const ParentPrefix = "id:"

// rowReader reads the rows that an execution changed: the changes file says which they
// are and what they become, and the fetched table, read beside it, where the shop has them.
type rowReader struct {
	changes *bufio.Reader
	table   *csv.Reader
	columns map[string]int
	record  []string
	number  int64 // of the record
	end     int64 // of the last line read of the changes
}

// newRowReader begins behind so many bytes of the changes file.
func newRowReader(table, changes io.Reader, from int64) (*rowReader, error) {
	r := &rowReader{
		changes: bufio.NewReaderSize(changes, 64<<10),
		table:   csv.NewReader(bufio.NewReaderSize(table, 64<<10)),
		end:     from,
	}
	r.table.FieldsPerRecord = -1
	if _, err := io.CopyN(io.Discard, r.changes, from); err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The changes file is shorter than what was written of it.")
	}
	header, err := r.nextRecord()
	if err != nil {
		return nil, err
	}
	r.columns = map[string]int{}
	for _, title := range []string{
		TitleID, TitleParent, TitleName, TitleRegular, TitleSale, TitleSaleFrom, TitleSaleUntil,
	} {
		place := slices.Index(header, title)
		if place < 0 {
			return nil, errs.New(errs.Internal, "The fetched table has no column %q.", title)
		}
		r.columns[title] = place
	}
	return r, nil
}

func (r *rowReader) nextRecord() ([]string, error) {
	record, err := r.table.Read()
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err,
			"The fetched table cannot be read to the rows that were changed.")
	}
	r.number++
	r.record = record
	return record, nil
}

// next returns the next row; io.EOF behind the last.
func (r *rowReader) next() (changedRow, error) {
	line, err := r.changes.ReadBytes('\n')
	if err == io.EOF && len(line) == 0 {
		return changedRow{}, io.EOF
	}
	var change pricing.Change
	if err == nil {
		err = json.Unmarshal(line, &change)
	}
	if err != nil {
		return changedRow{}, errs.Wrap(errs.Internal, err, "The changes file cannot be read.")
	}
	r.end += int64(len(line))
	for r.number < change.Row {
		if _, err := r.nextRecord(); err != nil {
			return changedRow{}, err
		}
	}
	if r.number != change.Row {
		return changedRow{}, errs.New(errs.Internal, "The changes are not in the order of their rows.")
	}
	return r.row(change), nil
}

func (r *rowReader) cell(title string) string {
	if place := r.columns[title]; place < len(r.record) {
		return r.record[place]
	}
	return ""
}

// row is the changed row: its prices as they were fetched, and as the change has them.
func (r *rowReader) row(change pricing.Change) changedRow {
	row := changedRow{
		Row: change.Row, SKU: change.SKU, Name: r.cell(TitleName), ID: r.cell(TitleID), End: r.end,
		Group: strings.TrimPrefix(r.cell(TitleParent), ParentPrefix),
		Before: Prices{
			Regular:   r.cell(TitleRegular),
			Sale:      r.cell(TitleSale),
			SaleFrom:  r.cell(TitleSaleFrom),
			SaleUntil: r.cell(TitleSaleUntil),
		},
	}
	row.After = row.Before
	for _, cell := range []struct {
		before, after *string
		to            *string
	}{
		{change.Before.Price, change.After.Price, &row.After.Regular},
		{change.Before.SalePrice, change.After.SalePrice, &row.After.Sale},
		{change.Before.SaleFrom, change.After.SaleFrom, &row.After.SaleFrom},
		{change.Before.SaleUntil, change.After.SaleUntil, &row.After.SaleUntil},
	} {
		if cell.after != nil && (cell.before == nil || *cell.before != *cell.after) {
			*cell.to = *cell.after
		}
	}
	return row
}

// batcher cuts rows into batches: rows that follow each other, of one group, and at most
// so many. What it cuts depends on the rows and on that number alone.
type batcher struct {
	rows *rowReader
	kept *changedRow // was read, and begins the next batch
}

// next returns the next batch; io.EOF behind the last.
func (b *batcher) next(most int) (batch []changedRow, err error) {
	for len(batch) < most {
		row, err := b.take()
		if err == io.EOF && len(batch) > 0 {
			return batch, nil
		}
		if err != nil {
			return nil, err
		}
		if len(batch) > 0 && row.Group != batch[0].Group {
			b.kept = &row
			return batch, nil
		}
		batch = append(batch, row)
	}
	return batch, nil
}

func (b *batcher) take() (changedRow, error) {
	if b.kept != nil {
		row := *b.kept
		b.kept = nil
		return row, nil
	}
	return b.rows.next()
}

package tablestore

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/table"
)

// fetchedFile is what a table is called that was fetched from a shop of a kind.
func fetchedFile(kind string) string { return kind + ".csv" }

// Fetch holds a shop's catalogue for somebody, and returns the table's id. What comes of
// the table is written back to that shop. Errors are those of shop.Publisher.Fetch and Hold.
func (s *Tables) Fetch(ctx context.Context, from *shop.Publisher, kind, by string, settings table.Settings) (id string, err error) {
	_, err = from.Fetch(ctx, func(in io.Reader, of ledger.SourceShop) error {
		found, err := s.Hold(ctx, in, Sent{By: by, File: fetchedFile(kind), Settings: map[string]string{}, Shop: &of}, settings)
		id = found.Table
		return err
	})
	return id, err
}

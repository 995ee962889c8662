package tablestore

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/table"
)

// Fetch holds a shop's catalogue for somebody, and returns the table's id. The table is called
// after the kind of the shop, such as woocommerce.csv. What comes of
// the table is written back to that shop. Errors are those of shop.Publisher.Fetch and Hold.
func (s *Tables) Fetch(
	ctx context.Context, from *shop.Publisher, by string, settings table.Settings,
) (id string, err error) {
	_, err = from.Fetch(ctx, func(in io.Reader, of postings.Shop) error {
		found, err := s.Hold(ctx, in, Sent{
			By:       by,
			File:     from.Shop.Kind() + ".csv",
			Settings: map[string]string{},
			Shop:     &of,
		}, settings)
		id = found.Table
		return err
	})
	return id, err
}

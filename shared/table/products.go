package table

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/profile"
)

// Product is a row as a shop's people know it. What the table does not say is "".
type Product struct {
	Row   int64
	SKU   string // or what the platform has where that is blank
	Label        // its name, and its picture's text
	Brand string
	// Price is what customers pay now, as it stands in the table, and Regular the price
	// without the sale, where the row is on sale.
	Price   string
	Regular string
	// SaleFrom and SaleUntil are the dates of its sale as the table has them; one cell that
	// has both is SaleFrom.
	SaleFrom, SaleUntil string
}

// errEnough ends a scan whose rows are all that is asked for.
var errEnough = errors.New("table: that is enough")

// ReadProducts calls yield with a table's rows, in their order, until it returns false. Rows
// that are no products, such as those of pictures, are left out.
func ReadProducts(ctx context.Context, in io.Reader, s Settings, w Workload, yield func(Product) bool) error {
	needs := Needs{IfThere: true, AsText: true, Findings: true}
	for _, r := range roles {
		needs.Reads = append(needs.Reads, r.Role)
	}
	t, err := Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return err
	}
	v := &lister{labeller: labeller{table: t, picture: pictureColumn(t.Header)}, yield: yield}
	_, err = t.Scan(ctx, NewQuery(Query{Needs: needs, Unchecked: true}), io.Discard, w, func() Visitor { return v })
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// lister reads rows as products, in their order.
type lister struct {
	labeller
	products []Product // of the block
	yield    func(Product) bool
}

func (v *lister) Begin() { v.products = v.products[:0] }

func (v *lister) Row(r *Row) Problem {
	t, s := v.table, r.s
	if t.skip.Has(s.Block, r.record) {
		return Problem{}
	}
	sku := v.cell(r, t.sku)
	p := Product{Row: r.Number, SKU: sku, Label: v.label(r), Brand: v.named(r, RoleBrand), Price: v.cell(r, t.money[Price].index)}
	if sku == "" {
		r.identity = t.identify(r.identity[:0], s.Block, r.record)
		p.SKU = t.Dialect.Text(r.identity)
	}
	v.readSale(r, &p)
	if p.Price != "" || sku != "" {
		v.products = append(v.products, p)
	}
	return Problem{}
}

// readSale reads what customers pay where the row is on sale.
func (v *lister) readSale(r *Row, p *Product) {
	t, s := v.table, r.s
	if !t.tellsSales() || r.Money[Price].at.Empty() || s.readMoney(Price).Kind != Fine {
		return
	}
	sale := r.sale(0)
	if sale.Problem.Kind != Fine || !sale.OnSale() {
		return
	}
	c := &t.sales[0]
	other := v.cell(r, t.money[c.Money].index)
	if c.Form == profile.SaleBeside {
		p.Price, p.Regular = other, p.Price
	} else {
		p.Regular = other
	}
	p.SaleFrom, p.SaleUntil = v.cell(r, c.Texts[SaleFrom]), v.cell(r, c.Texts[SaleUntil])
}

// cell is what a column says of the row; "" where there is no such column.
func (v *lister) cell(r *Row, column int) string {
	if column < 0 || r.record.Lacks(column) {
		return ""
	}
	return v.text(r, r.record.Content(r.s.Block, column).Of(r.s.Block))
}

// named is what the row's cells of a role say, or its product's.
func (v *lister) named(r *Row, role Role) string {
	s := r.s
	for i := range s.names.columns {
		if c := &s.names.columns[i]; nameRoles[i].Role == role && len(c.cells) > 0 {
			content, _ := s.names.content(c, 0, r.record)
			return v.text(r, content)
		}
	}
	return ""
}

func (v *lister) Done(int64) error {
	for _, p := range v.products {
		if !v.yield(p) {
			return errEnough
		}
	}
	return nil
}

// pictureColumn is the column of products' pictures; below 0: there is none.
func pictureColumn(header []string) int {
	return slices.IndexFunc(header, func(title string) bool {
		return slices.Contains(pictures, strings.ToLower(strings.TrimSpace(title)))
	})
}

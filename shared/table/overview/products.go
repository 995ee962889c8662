package overview

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
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
func ReadProducts(
	ctx context.Context, in io.Reader, s setting.Settings, w row.Workload, yield func(Product) bool,
) error {
	needs := recognize.Needs{IfThere: true, AsText: true, Findings: true}
	for _, r := range recognize.Roles {
		needs.Reads = append(needs.Reads, r.Role)
	}
	t, err := row.Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return err
	}
	v := &lister{labeller: labeller{table: t, picture: pictureColumn(t.Header)}, yield: yield}
	_, err = t.Scan(ctx, row.NewQuery(row.Query{
		Needs:     needs,
		Unchecked: true,
	}), io.Discard, w, func() row.Visitor { return v })
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

func (v *lister) Row(r *row.Row) row.Problem {
	t := v.table
	sku := v.cell(r, t.Column(recognize.RoleSKU))
	p := Product{
		Row:   r.Number,
		SKU:   sku,
		Label: v.label(r),
		Brand: v.named(r, recognize.RoleBrand),
		Price: v.cell(r, t.Column(recognize.RolePrice)),
	}
	if sku == "" {
		p.SKU = r.StandIn()
	}
	v.readSale(r, &p)
	if p.Price != "" || sku != "" {
		v.products = append(v.products, p)
	}
	return row.Problem{}
}

// readSale reads what customers pay where the row is on sale.
func (v *lister) readSale(r *row.Row, p *Product) {
	t := v.table
	if has, found := r.ReadPrice(); !t.TellsSales() || !has || found.Kind != faults.Fine {
		return
	}
	sale := r.ReadSale(0)
	if sale.Problem.Kind != faults.Fine || !sale.OnSale() {
		return
	}
	money, was := t.Sale()
	other := v.cell(r, t.Column(money.Role()))
	if !was {
		p.Price, p.Regular = other, p.Price
	} else {
		p.Regular = other
	}
	p.SaleFrom = v.cell(r, t.Column(recognize.RoleSaleFrom))
	p.SaleUntil = v.cell(r, t.Column(recognize.RoleSaleUntil))
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

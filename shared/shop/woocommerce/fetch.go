package woocommerce

import (
	"context"
	"encoding/csv"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/shop"
)

// About reads the shop's settings.
func (c *Client) About(ctx context.Context) (about shop.About, err error) {
	var settings []struct {
		ID    string `json:"id"`
		Value any    `json:"value"`
	}
	if _, err := c.call(ctx, http.MethodGet, "wc/v3/settings/general", url.Values{"_fields": {"id,value"}},
		nil, &settings); err != nil {
		return about, err
	}
	about.Decimals = -1
	for _, s := range settings {
		value, _ := s.Value.(string)
		switch s.ID {
		case "woocommerce_currency":
			about.Currency = value
		case "woocommerce_price_num_decimals":
			if about.Decimals, err = strconv.Atoi(value); err != nil {
				about.Decimals = -1
			}
		}
	}
	if about.Currency == "" || about.Decimals < 0 {
		return about, errs.New(errs.Unusable, "The shop does not say its currency, or how many decimals it keeps: its settings are not readable by these keys.")
	}
	return about, nil
}

// fetch is one reading of a catalogue.
type fetch struct {
	*Client
	out        *csv.Writer
	categories map[int64]term
	fetched    shop.Fetched
}

// titles are those of WooCommerce's own export in English, by which it is recognized.
var titles = []string{
	shop.TitleID, "Type", "SKU", shop.TitleName, "Published", shop.TitleParent, "Categories", "Tags",
	"Brands",
	shop.TitleRegular, shop.TitleSale, shop.TitleSaleFrom, shop.TitleSaleUntil, "In stock?", "Stock",
	"Attributes",
}

// Fetch writes the products in the order of their ids, and then the variations. It holds
// one page, and the categories.
func (c *Client) Fetch(ctx context.Context, w io.Writer) (shop.Fetched, error) {
	f := &fetch{Client: c, out: csv.NewWriter(w), categories: map[int64]term{}}
	f.out.UseCRLF = true
	err := f.out.Write(titles)
	if err == nil {
		err = f.readCategories(ctx)
	}
	if err == nil {
		err = f.all(ctx, "wc/v3/products", productFields, nil, f.product)
	}
	if err == nil {
		err = f.variations(ctx)
	}
	if f.out.Flush(); err == nil {
		err = f.out.Error()
	}
	return f.fetched, err
}

const (
	perPage       = 100
	productFields = priceFields +
		",name,type,status,sku,stock_status,manage_stock,stock_quantity,categories,tags,brands"
	variationFields = priceFields +
		",parent_id,name,status,sku,stock_status,manage_stock,stock_quantity,attributes"
)

// variations lists those of all products at once where the shop can, else product by
// product.
func (f *fetch) variations(ctx context.Context) error {
	for _, path := range []string{"wc/v3/variations", "wc-analytics/variations"} {
		rows := f.fetched.Rows
		err := f.all(ctx, path, variationFields, nil, f.variation)
		if errs.KindOf(err) != errs.NotFound || f.fetched.Rows != rows {
			return err
		}
	}
	return f.all(ctx, "wc/v3/products", "id", url.Values{"type": {"variable"}}, func(parent item) error {
		path := "wc/v3/products/" + strconv.FormatInt(parent.ID, 10) + "/variations"
		return f.all(ctx, path, variationFields, nil, func(v item) error {
			v.ParentID = parent.ID
			return f.variation(v)
		})
	})
}

// all goes through a list in the order of ids. Each page begins with the last element of
// the one before: where that is another, something before it came or went, and an
// element was passed over or would come twice. So does a count that changes, and an id
// that is not greater than the one before.
func (f *fetch) all(ctx context.Context, path, fields string, more url.Values, each func(item) error) error {
	var last int64
	seen, total := 0, -1
	for {
		query := url.Values{
			"orderby": {"id"}, "order": {"asc"}, "per_page": {strconv.Itoa(perPage)},
			"offset": {strconv.Itoa(max(0, seen-1))}, "_fields": {fields},
		}
		for name, values := range more {
			query[name] = values
		}
		var page []item
		header, err := f.call(ctx, http.MethodGet, path, query, nil, &page)
		if err != nil {
			return err
		}
		f.fetched.Requests++
		counted, err := strconv.Atoi(header.Get("X-WP-Total"))
		switch {
		case err != nil:
			return errs.New(errs.Unusable, "The shop does not say how many products it has (X-WP-Total): something before the shop takes the header away.")
		case total >= 0 && counted != total:
			return moved("it had %d rows, and then %d", total, counted)
		case seen > 0 && (len(page) == 0 || page[0].ID != last):
			return moved("a row came or went before %d", last)
		case seen > 0:
			page = page[1:]
		}
		total = counted
		for _, one := range page {
			if one.ID <= last {
				return moved("%d came twice, or in another order", one.ID)
			}
			last = one.ID
			seen++
			if err := each(one); err != nil {
				return err
			}
		}
		if f.out.Flush(); f.out.Error() != nil {
			return f.out.Error()
		}
		if seen >= total || len(page) == 0 {
			break
		}
	}
	if seen != total {
		return moved("it has %d rows, and %d came", total, seen)
	}
	return nil
}

func moved(format string, args ...any) error {
	return errs.New(errs.Stale,
		"The shop's catalogue changed while it was read: "+format+". Fetch again.", args...)
}

// readCategories reads the tree of categories: of a product the API tells the leaves alone.
func (f *fetch) readCategories(ctx context.Context) error {
	for page := 1; ; page++ {
		query := url.Values{
			"orderby":  {"id"},
			"order":    {"asc"},
			"per_page": {strconv.Itoa(perPage)},
			"page":     {strconv.Itoa(page)},
			"_fields":  {"id,name,parent"},
		}
		var found []term
		if _, err := f.call(ctx, http.MethodGet, "wc/v3/products/categories", query, nil,
			&found); err != nil {
			return err
		}
		f.fetched.Requests++
		for _, category := range found {
			f.categories[category.ID] = category
		}
		if len(found) < perPage {
			return nil
		}
	}
}

// escaped is a name within a list, as the exporter writes it. The API answers names
// with HTML's entities.
func escaped(name string) string {
	return strings.ReplaceAll(html.UnescapeString(name), ",", `\,`)
}

// maxDepth is deeper than categories are nested; a circle is cut there.
const maxDepth = 16

func (f *fetch) paths(terms []term) string {
	paths := make([]string, 0, len(terms))
	for _, t := range terms {
		steps := []string{escaped(t.Name)}
		for at := f.categories[t.ID].Parent; at != 0 && len(steps) < maxDepth; at = f.categories[at].Parent {
			steps = append(steps, escaped(f.categories[at].Name))
		}
		slices.Reverse(steps)
		paths = append(paths, strings.Join(steps, " > "))
	}
	return strings.Join(paths, ", ")
}

func names(terms []term) string {
	all := make([]string, len(terms))
	for i, t := range terms {
		all[i] = escaped(t.Name)
	}
	return strings.Join(all, ", ")
}

func (f *fetch) product(p item) error {
	return f.row(p, p.Type, "", f.paths(p.Categories), names(p.Tags), names(p.Brands))
}

// variation writes a row that inherits from the row of its product, by the product's id.
func (f *fetch) variation(v item) error {
	if v.ParentID == 0 {
		return errs.New(errs.Unusable,
			"The shop does not say which product the variation %d belongs to.", v.ID)
	}
	return f.row(v, "variation", shop.ParentPrefix+strconv.FormatInt(v.ParentID, 10), "", "", "")
}

func (f *fetch) row(i item, kind, parent, categories, tags, brands string) error {
	f.fetched.Rows++
	published := "0"
	if i.Status == "publish" {
		published = "1"
	}
	stock := map[string]string{"instock": "1", "outofstock": "0", "onbackorder": "backorder"}[i.StockStatus]
	quantity := ""
	if managed, _ := i.ManageStock.(bool); managed && i.StockQuantity != nil {
		quantity = i.StockQuantity.String()
	}
	var attributes []string
	for _, a := range i.Attributes {
		attributes = append(attributes, html.UnescapeString(a.Name)+": "+html.UnescapeString(a.Option))
	}
	return f.out.Write([]string{
		strconv.FormatInt(i.ID, 10), kind, string(i.SKU), html.UnescapeString(i.Name), published, parent,
		categories, tags, brands,
		string(i.Regular), string(i.Sale), string(i.SaleFrom), string(i.SaleUntil), stock, quantity,
		strings.Join(attributes, ", "),
	})
}

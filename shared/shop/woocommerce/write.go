package woocommerce

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/shop"
)

// item is a product or a variation, as the API gives it.
type item struct {
	ID            int64        `json:"id"`
	ParentID      int64        `json:"parent_id"`
	Name          string       `json:"name"`
	Type          string       `json:"type"`
	Status        string       `json:"status"`
	SKU           text         `json:"sku"`
	Regular       text         `json:"regular_price"`
	Sale          text         `json:"sale_price"`
	SaleFrom      text         `json:"date_on_sale_from"`
	SaleUntil     text         `json:"date_on_sale_to"`
	StockStatus   string       `json:"stock_status"`
	ManageStock   any          `json:"manage_stock"` // a variation's may be "parent"
	StockQuantity *json.Number `json:"stock_quantity"`
	Categories    []term       `json:"categories"`
	Tags          []term       `json:"tags"`
	Brands        []term       `json:"brands"`
	Attributes    []attribute  `json:"attributes"`
	Error         *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type attribute struct {
	Name   string `json:"name"`
	Option string `json:"option"`
}

type term struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Parent int64  `json:"parent"`
}

// text is a string; plugins make numbers and nothing of some.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	switch value := value.(type) {
	case string:
		*t = text(value)
	case float64:
		*t = text(data)
	default:
		*t = ""
	}
	return nil
}

func (i item) prices() shop.Prices {
	return shop.Prices{
		Regular:   string(i.Regular),
		Sale:      string(i.Sale),
		SaleFrom:  string(i.SaleFrom),
		SaleUntil: string(i.SaleUntil),
	}
}

// priceFields are all that is asked of a variant whose price is to be compared.
const priceFields = "id,regular_price,sale_price,date_on_sale_from,date_on_sale_to"

// listPath is where the variants of a group are: products, or those of one product.
func listPath(group string) (string, error) {
	if group == "" {
		return "wc/v3/products", nil
	}
	if _, err := strconv.ParseUint(group, 10, 63); err != nil {
		return "", errs.New(errs.Internal, "%q is no product's id.", group)
	}
	return "wc/v3/products/" + group + "/variations", nil
}

func (c *Client) Read(ctx context.Context, group string, ids []string) ([]shop.State, error) {
	path, err := listPath(group)
	if err != nil {
		return nil, err
	}
	var found []item
	query := url.Values{"include": {strings.Join(ids, ",")}, "per_page": {"100"}, "_fields": {priceFields}}
	_, err = c.call(ctx, http.MethodGet, path, query, nil, &found)
	if group != "" && errs.KindOf(err) == errs.NotFound {
		return c.readOrphans(ctx, err)
	} else if err != nil {
		return nil, err
	}
	states := make([]shop.State, len(found))
	for i, one := range found {
		states[i] = shop.State{ID: strconv.FormatInt(one.ID, 10), Prices: one.prices()}
	}
	return states, nil
}

// readOrphans is for variations whose product is gone, with them: WooCommerce answers 404
// then. So does a shop whose API is gone, whose prices are not.
func (c *Client) readOrphans(ctx context.Context, missing error) ([]shop.State, error) {
	if _, err := c.About(ctx); err != nil {
		return nil, missing
	}
	return nil, nil
}

// update is what is sent of a variant: nothing but what is to be set.
type update struct {
	ID        int64   `json:"id"`
	Regular   *string `json:"regular_price,omitempty"`
	Sale      *string `json:"sale_price,omitempty"`
	SaleFrom  *string `json:"date_on_sale_from,omitempty"`
	SaleUntil *string `json:"date_on_sale_to,omitempty"`
}

// plain is a price that WooCommerce stores as it is sent. It takes any text: "9,99"
// becomes 999, "abc" and "" erase the price, "-5" is stored.
var plain = regexp.MustCompile(`^[0-9]{1,18}(\.[0-9]{1,9})?$`)

func (c *Client) Write(ctx context.Context, group string, set []shop.Set) ([]shop.Result, error) {
	path, err := listPath(group)
	if err != nil {
		return nil, err
	}
	var results []shop.Result
	var updates []update
	for _, s := range set {
		id, err := strconv.ParseInt(s.ID, 10, 64)
		switch {
		case err != nil || s.Regular != nil && !plain.MatchString(*s.Regular) ||
			s.Sale != nil && *s.Sale != "" && !plain.MatchString(*s.Sale):
			results = append(results,
				shop.Result{ID: s.ID, Refused: "It is no price that WooCommerce stores as it is sent."})
		default:
			updates = append(updates, update{id, s.Regular, s.Sale, s.SaleFrom, s.SaleUntil})
		}
	}
	if len(updates) == 0 {
		return results, nil
	}
	var answer struct {
		Update []item `json:"update"`
	}
	if _, err := c.call(ctx, http.MethodPost, path+"/batch", nil, map[string][]update{"update": updates},
		&answer); err != nil {
		return nil, err
	}
	for _, one := range answer.Update {
		result := shop.Result{ID: strconv.FormatInt(one.ID, 10), Now: one.prices()}
		if one.Error != nil {
			result.Refused = "The shop refuses it: " + c.message(one.Error.Message)
		}
		results = append(results, result)
	}
	return results, nil
}

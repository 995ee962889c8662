package planner

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/web"
)

// listProducts answers GET /v1/products: the rows of a held table as people know them, those
// of which all words that are looked for stand in the name, the SKU or the brand.
func (h handler) listProducts(_ http.ResponseWriter, r *http.Request) (any, error) {
	var id, search string
	var size int
	var after int64
	err := web.ReadQuery(r, func(q *web.Query) {
		id, _ = q.Text("table")
		search, _ = q.Text("q")
		page := readPage(q)
		size = page.Limit()
		var err error
		if after, err = strconv.ParseInt(page.Token, 10, 64); page.Token != "" && (err != nil || after < 0) {
			q.Problem("page_token", "is not one that a list gave")
		}
		if id == "" {
			q.Problem("table", "is required: the id of a table that is held")
		}
	})
	if err != nil {
		return nil, err
	}
	over, err := h.tableOf(r, id)
	if err != nil {
		return nil, err
	}
	in, err := h.Tables.Open(r.Context(), over.Table)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	words := strings.Fields(fold.Letters(search))
	answer := plannerapi.ProductList{Products: []plannerapi.Product{}}
	err = overview.ReadProducts(r.Context(), in, over.settings, table.UsualWorkload(),
		func(p overview.Product) bool {
			switch {
			case p.Row <= after || !isLike(p, words):
				return true
			case len(answer.Products) == size:
				answer.NextPageToken = strconv.FormatInt(answer.Products[size-1].Row, 10)
				return false
			}
			answer.Products = append(answer.Products, shownProduct(p))
			return true
		})
	return answer, table.On(err, setting.QueryParameter)
}

func isLike(p overview.Product, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := fold.Letters(p.Name + "\n" + p.SKU + "\n" + p.Brand)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

func shownProduct(p overview.Product) plannerapi.Product {
	return plannerapi.Product{
		Row: p.Row, SKU: p.SKU, Name: p.Name, Brand: p.Brand, Picture: p.Picture,
		Price: p.Price, RegularPrice: p.Regular, SaleFrom: p.SaleFrom, SaleUntil: p.SaleUntil,
	}
}

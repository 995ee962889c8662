package overview_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/test/expect"
)

func TestProductsAsPeopleKnowThem(t *testing.T) {
	for name, test := range map[string]struct {
		table string
		want  []overview.Product
	}{
		"plain": {"sku,name,brand,price\nA,Hat,Nike,1.50\n,,,\nB,Cap,,2\n", []overview.Product{
			{Row: 2, SKU: "A", Label: overview.Label{Name: "Hat"}, Brand: "Nike", Price: "1.50"},
			{Row: 4, SKU: "B", Label: overview.Label{Name: "Cap"}, Price: "2"},
		}},
		"a variant has its product's name, and a picture's row is no product": {
			"Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price,Image Src\n" +
				"hat,Hat,N,Size,S,H1,5,,i1\nhat,,,,M,,6,9,\nhat,,,,,,,,i2\n", []overview.Product{
				{Row: 2, SKU: "H1", Label: overview.Label{Name: "Hat", Picture: "i1"}, Brand: "N", Price: "5"},
				{Row: 3, SKU: "hat / M", Label: overview.Label{Name: "Hat"}, Brand: "N", Price: "6", Regular: "9"},
			}},
		"a sale with its dates": {
			"ID,Type,SKU,Name,Regular price,Categories,Parent,Sale price,Date sale price starts,Date sale price ends,In stock?\n" +
				"1,simple,P,Shirt,10,Tops,,8,2026-01-01,2026-02-01,1\n2,simple,Q,Sock,3,Tops,,,,,1\n", []overview.Product{
				{Row: 2, SKU: "P", Label: overview.Label{Name: "Shirt"}, Price: "8", Regular: "10", SaleFrom: "2026-01-01", SaleUntil: "2026-02-01"},
				{Row: 3, SKU: "Q", Label: overview.Label{Name: "Sock"}, Price: "3"},
			}},
		"without a price that can be read": {"sku,price\nA,P.O.A.\n", []overview.Product{{Row: 2, SKU: "A", Price: "P.O.A."}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []overview.Product
			expect.NoError(t, overview.ReadProducts(t.Context(), strings.NewReader(test.table), setting.Settings{}, row.UsualWorkload(), func(p overview.Product) bool {
				got = append(got, p)
				return true
			}))
			expect.Equal(t, "the products", test.want, got)
		})
	}
}

func TestProductsEndWhenItIsEnough(t *testing.T) {
	seen := 0
	text := "sku,price\n" + strings.Repeat("A,1\n", 100_000)
	expect.NoError(t, overview.ReadProducts(t.Context(), strings.NewReader(text), setting.Settings{}, row.UsualWorkload(), func(overview.Product) bool {
		seen++
		return seen < 10
	}))
	expect.Equal(t, "those that were asked for", 10, seen)
}

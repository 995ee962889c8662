package setting

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table/recognize"
)

func TestParseColumns(t *testing.T) {
	for _, test := range []struct {
		text string
		want Columns
		back string
	}{
		{"", Columns{}, ""},
		{"  ", Columns{}, ""},
		{"sku=Variant SKU,category=Type,price=Variant Price,in_stock=Published", Columns{SKU: "Variant SKU", Category: "Type", Price: "Variant Price", InStock: "Published"}, "sku=Variant SKU,category=Type,price=Variant Price,in_stock=Published"},
		{" price = Net price , sku=id", Columns{SKU: "id", Price: "Net price"}, "sku=id,price=Net price"},
		{`"price=Price, EUR",sku=a=b`, Columns{SKU: "a=b", Price: "Price, EUR"}, `sku=a=b,"price=Price, EUR"`},
		{`sku=SKU, "price=Price, EUR"`, Columns{SKU: "SKU", Price: "Price, EUR"}, `sku=SKU,"price=Price, EUR"`},
		{"brand=Hersteller,tags=Labels,name=Titel", Columns{Brand: "Hersteller", Tags: "Labels", Name: "Titel"}, "brand=Hersteller,tags=Labels,name=Titel"},
		{"category=Kategorie/Größe", Columns{Category: "Kategorie/Größe"}, "category=Kategorie/Größe"},
	} {
		got, err := ParseColumns(test.text)
		if err != nil || got != test.want || written(got) != test.back {
			t.Errorf("%q: %+v, %v, back %q", test.text, got, err, written(got))
		}
	}
}

// TestMapped: what a mapping names is what ParseColumns takes.
func TestMapped(t *testing.T) {
	for _, role := range []recognize.Role{recognize.RoleSKU, recognize.RoleCategory, recognize.RolePrice, recognize.RoleInStock, recognize.RoleIdentity} {
		if _, err := ParseColumns(string(role) + "=x"); recognize.Mapped(role) != (err == nil) {
			t.Errorf("%s is mapped: %t, but ParseColumns says %v", role, recognize.Mapped(role), err)
		}
	}
}

// written returns the mapping as ParseColumns reads it.
func written(c Columns) string {
	var pairs []string
	for _, r := range recognize.Roles {
		if title := *c.Title(r.Role); title != "" {
			pairs = append(pairs, string(r.Role)+"="+title)
		}
	}
	if len(pairs) == 0 {
		return ""
	}
	var text strings.Builder
	writer := csv.NewWriter(&text)
	_ = writer.Write(pairs) // a strings.Builder accepts everything
	writer.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}

func TestParseColumnsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"sku":                     "must be written as name=column",
		"sku=":                    "must be written as name=column",
		"SKU=x":                   `"SKU" is not one of sku, category, brand, tags, name, price, cost, sale_price, compare_at, in_stock`,
		"sku=a,sku=b":             "sku is named twice",
		"sku=a,category= A ":      "sku and category are both read",
		`"sku=a`:                  "is not a list",
		"sku=a\ncategory=b":       "is not a list",
		"sku=a,\"category=b\nc\"": "on one line",
	} {
		columns, err := ParseColumns(text)
		if errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), want) {
			t.Errorf("%q: %+v, %v; want %q", text, columns, err, want)
		}
	}
}

// FuzzParseColumns: what is read can be written and read again.
func FuzzParseColumns(f *testing.F) {
	for _, text := range []string{"", "sku=Variant SKU,category=Type", `"price=Price, EUR",sku="x"`, "in_stock==", `"sku=""a"""`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		columns, err := ParseColumns(text)
		if err != nil {
			return
		}
		again, err := ParseColumns(written(columns))
		if err != nil || again != columns {
			t.Errorf("%q gives %+v, which is written %q and gives %+v, %v", text, columns, written(columns), again, err)
		}
	})
}

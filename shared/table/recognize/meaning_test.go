package recognize

import "testing"

func TestMeaningOf(t *testing.T) {
	for _, test := range []struct {
		title string
		want  Meaning
	}{
		{"Price [Centro]", Meaning{Role: "price", Rank: 1}},
		{"Price (₹)", Meaning{Role: "price", Rank: 1}},
		{"Verkaufspreis EUR", Meaning{Role: "price"}},
		{"Prix de vente TTC", Meaning{Role: "price"}},
		{"PrixVente", Meaning{Role: "price"}},
		{"Libelle", Meaning{Role: "name"}},
		{"UnitPrice", Meaning{Role: "price", Rank: 1}},
		{"precio_venta", Meaning{Role: "price"}},
		{"vkNetto", Meaning{Role: "price"}},
		{"STOCKONHAND", Meaning{Role: "in_stock", Counts: true}},
		{"Product Price (USD)", Meaning{Role: "price", Rank: 1}},
		{"価格（円）", Meaning{Role: "price", Rank: 1}},
		{"商品价格(元)", Meaning{Role: "price", Rank: 1}},
		{"SATIŞ FİYATI", Meaning{Role: "price"}},
		{"Listino", Meaning{Role: "price", Rank: 2}},
		{"Availability", Meaning{Role: "in_stock"}},
		{"ID", Meaning{Role: "sku", Rank: 3}},
		{"Price [Mini Special Shop]", Meaning{Role: "price", Rank: 1}},
		{"Price ((old) x)", Meaning{Mark: "compare_at"}},
		{"Price (", Meaning{Role: "price", Rank: 1}},
		{"Price (old)", Meaning{Mark: "compare_at"}},
		{"Sale Price", Meaning{Mark: "sale_price"}},
		{"Sales Price", Meaning{Role: "price"}},
		{"Cost Price", Meaning{Mark: "cost"}},
		{"Tax Rate", Meaning{Mark: "other"}},
		{"Min Stock", Meaning{Mark: "other"}},
		{"Product group", Meaning{Role: "category", Rank: 1}},
		{"PVPR", Meaning{Role: "price", Rank: 2}},
		{"PVPR (€)", Meaning{Role: "price", Rank: 2}},
		{"VKP", Meaning{Role: "price"}},
		{"VKP brutto", Meaning{Role: "price"}},
		{"VKP EUR", Meaning{Role: "price"}},
		{"PV TTC", Meaning{Role: "price"}},
		{"PV_TTC", Meaning{Role: "price"}},
		{"PV HT", Meaning{Role: "price"}},
		{"Giá", Meaning{Role: "price", Rank: 1}},
		{"giá bán", Meaning{Role: "price"}},
		{"GIÁ (VND)", Meaning{Role: "price", Rank: 1}},
		{"Đơn giá", Meaning{Role: "price", Rank: 1}},
		{"Giá vốn", Meaning{Mark: "cost"}},
		{"Giá khuyến mãi", Meaning{Mark: "sale_price"}},
		{"Giá gốc", Meaning{Mark: "compare_at"}},
		{"Harga", Meaning{Role: "price", Rank: 1}},
		{"Harga Jual", Meaning{Role: "price"}},
		{"Harga (Rp)", Meaning{Role: "price", Rank: 1}},
		{"Harga Produk", Meaning{Role: "price", Rank: 1}},
		{"Harga Beli", Meaning{Mark: "cost"}},
		{"Harga Promo", Meaning{Mark: "sale_price"}},
		{"Harga Grosir", Meaning{Mark: "other"}},
		{"Price 2", Meaning{}},
		{"category_id", Meaning{}},
		{"Price per kg", Meaning{}},
		{"₹", Meaning{}},
		{"", Meaning{}},
	} {
		if got := meaningOf(test.title); got != test.want {
			t.Errorf("MeaningOf(%q) = %+v, want %+v", test.title, got, test.want)
		}
	}
}

// TestTitlesMeanOneThing reads all titles: none says two things.
func TestTitlesMeanOneThing(t *testing.T) {
	means := map[string]string{}
	for code, language := range Languages() {
		if len(language.Source) == 0 {
			t.Errorf("%s has no source", code)
		}
		note := func(phrase, what string) {
			word := joined(titleWords(phrase))
			if other := means[word]; word == "" || other != "" && other != what {
				t.Errorf("%s: %q is %s and %s", code, phrase, what, other)
			}
			means[word] = what
		}
		for role, ranks := range language.Roles {
			for rank, titles := range ranks {
				for _, title := range titles {
					note(title, role+string(rune('0'+rank)))
				}
			}
		}
		for mark, phrases := range language.Marks {
			for _, phrase := range phrases {
				note(phrase, mark)
			}
		}
	}
}

package row_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestFoundByTitle reads headers that no profile knows: what is found, or asked.
func TestFoundByTitle(t *testing.T) {
	needs := recognize.Needs{Reads: []recognize.Role{recognize.RoleCategory, recognize.RolePrice, recognize.RoleInStock}, Names: map[recognize.Role][]string{recognize.RoleCategory: {"sport"}}}
	for _, test := range []struct {
		name, text, want string
		says             []string // of a refusal
	}{
		{"a shop's own list", "ID,Title,Price,Availability,Category\n1,Mat,9.50,in stock,Fitness\n2,Rope,4.00,out of stock,Fitness\n",
			"sku=ID*; category=Category; price=Price; in_stock=Availability*", nil},
		{"a sign in brackets", "Name;Group;Price (₹);Qty\nMat;Fitness;9,50;3\n", "identity=Name; category=Group*; price=Price (₹)*; in_stock=Qty*", nil},
		{"French words in one", "Reference;Libelle;PrixVente;Famille;Quantite\nA1;Tapis;9,50;Sport;3\n", "sku=Reference*; category=Famille*; price=PrixVente*; in_stock=Quantite*", nil},
		{"capitals", "STOCKCODE,DESCRIPTION,PRICE,DEPARTMENT,CATEGORY,STOCKONHAND\nA,Mat,9.50,Default,Fitness,2\n", "sku=STOCKCODE*; category=CATEGORY; price=PRICE; in_stock=STOCKONHAND*", nil},
		{"Turkish", "barkod_no,urun_adi,kategori,fiyat,stok_adedi\n8690277460824,Mat,Spor,31.66,27\n", "sku=barkod_no*; category=kategori*; price=fiyat*; in_stock=stok_adedi*", nil},
		{"Japanese", "商品コード,商品名,カテゴリー,販売価格(円),在庫数\nA,マット,運動,950,2\n", "sku=商品コード*; category=カテゴリー*; price=販売価格(円)*; in_stock=在庫数*", nil},
		{"what customers pay goes before a list's", "Item,Category,MRP,Selling Price,Stock\nMat,Fitness,12.00,9.50,2\n", "identity=Item*; category=Category; price=Selling Price*(MRP); in_stock=Stock", nil},
		{"countries, of which one is a small word too", "Name,Category,price_us,price_de,price_fr,Stock\nMat,Sport,9.50,9.00,8.50,2\n", "", []string{`could be "price_de" (9.00) or "price_us" (9.50) or "price_fr" (8.50)`}},
		{"countries beside their currencies", "Name,Category,EUR DE Price,USD US Price,Stock\nMat,Sport,9.50,9.00,2\n", "", []string{`could be "EUR DE Price" (9.50) or "USD US Price" (9.00)`}},
		{"a currency and a country", "Name,Category,Price EUR,Price US,Stock\nMat,Sport,9.50,9.00,2\n", "", []string{`could be "Price EUR" (9.50) or "Price US" (9.00)`}},
		{"versions", "Name,Category,price_pro,price_basic,Stock\nMat,Sport,9.50,9.00,2\n", "", []string{`could be "price_pro" (9.50) or "price_basic" (9.00)`}},
		{"stock in countries", "Name,Category,Price,stock_us,stock_de\nMat,Sport,9.50,9,2\n", "", []string{`could be "stock_de" (2) or "stock_us" (9)`}},
		{"categories in languages", "Name,Price,category_fr,category_de,Stock\nMat,9.50,sport,sport,2\n", "", []string{`could be "category_de" (sport) or "category_fr" (sport)`}},
		{"a word beside a small one that is no price", "Name,Category,price_de,price_note,Stock\nMat,Sport,9.50,each,2\n", "price=price_de*", nil},
		{"codes are no prices", "Name,Category,Rate,Price each,Stock\nMat,Fitness,871234567,9.50,2\nRope,Fitness,871234568,4.50,2\n", "identity=Name; category=Category; price=Price each*; in_stock=Stock", nil},
		{"net and gross", "Name;Kategorie;vkNetto;vkBrutto;Bestand\nMat;Sport;10,00;11,90;2\n", "", []string{`could be "vkNetto" (10,00) or "vkBrutto" (11,90): say which, with the setting columns=price=vkNetto`}},
		{"list and offer", "Name,Category,MRP,Discounted Price,Stock\nMat,Fitness,12.00,9.50,2\n", "", []string{`could be "MRP" (12.00) or "Discounted Price" (9.50)`}},
		{"a known title and a list", "Nome;Categoria;Prezzo;Listino;Giacenza\nMat;Sport;9,50;12,00;2\n", "", []string{`could be "Prezzo" (9,50) or "Listino" (12,00)`}},
		{"a sale's price is not guessed", "Name,Category,Sale Price,Cost Price,Stock\nMat,Fitness,9.50,5.00,2\n", "",
			[]string{`it may be "Sale Price" (9.50)`, "Sale Price (9.50): a sale's price, by its title, which is not guessed at", "Cost Price (5.00): a cost, by its title"}},
		{"a title that its cells belie", "Nombre,Categoría,Precio,Disponible,Existencias\nMat,Sport,9.50,1 a 3 días,2\nRope,Sport,9.50,5 días,0\n", "category=Categoría; price=Precio; in_stock=Existencias", nil},
		{"words of several languages", "Nome,Categoria,Preço,Disponibilidade,Availability\nMat,Sport,9.50,x,Disponível\nRope,Sport,9.50,y,Indisponível\n", "category=Categoria; price=Preço*; in_stock=Availability*", nil},
		{"words beside one that is known", "Nome,Preço Cx,Preço Uni,Categoria,Stock\nMat,\"36,00\",\"3,00\",Sport,2\n", "", []string{`it may be "Preço Cx" (36,00) or "Preço Uni" (3,00)`}},
		{"a list of categories", "Title,Categories,Rate,Stock\nMat,\"Sport, Yoga\",9.50,2\n", "category=Categories*; price=Rate*; in_stock=Stock", nil},
		{"a title of what is sold, and numbers", "Item,Description,Category,Rate,Stock\n1001,Mat,Sport,9.50,2\n1002,Rope,Sport,4.50,1\n", "category=Category; price=Rate*; in_stock=Stock", nil},
		{"a code that stands twice", "Product code,Name,Category,Rate,Stock\nA,Mat,Sport,9.50,2\nB,Rope,Sport,4.50,1\nA,Mat,Sport,9.50,2\n", "sku=Product code*; category=Category; price=Rate*", nil},
		{"a code of groups", "Code,Name,Category,Rate,Stock\nA,Mat,Sport,9.50,2\nA,Rope,Sport,4.50,1\nA,Ball,Sport,9.50,2\n", "identity=Name; category=Category; price=Rate*", nil},
		{"a category that no title tells", "Name,Aisle,Price,Stock\nMat,Sport,9.50,2\nRope,Garden,4.50,1\n", "",
			[]string{`"sport" stands in "Aisle" (Sport, Garden): if that is the category, say so, with the setting columns=category=Aisle`}},
		{"a category that two may be", "Name,Aisle,Shelf,Price,Stock\nMat,Sport,Sport,9.50,2\n", "", []string{"the header has no title that is known for it: say which column it is, with the setting columns=category=TITLE"}},
		{"main and sub", "Name,main_category,sub_category,Price,Stock\nMat,Sport,Yoga,9.50,2\n", "category=main_category*", nil},
		{"what is there now", "Ürün Adı,Kategori,Satış Fiyatı,Güncel Stok,Raf Adet\nMat,Spor,9.50,2,1\n", "in_stock=Güncel Stok*; price=Satış Fiyatı*", nil},
		{"a star is one", "SKU*,Price*,Price per unit,Category*,Stock*\nA,9.50,1.00,Sport,2\n", "sku=SKU**; category=Category**; price=Price**; in_stock=Stock**", nil},
		{"a title that stands twice", "Name,Category,Rate,Rate,Stock\nMat,Sport,9.50,each,2\n", "", []string{"column Rate: the header has this column more than once"}},
		{"a report's headings", "Stock list of May,,,\n,,,\nName,Category,Price,Stock\nMat,Sport,9.50,2\n", "", []string{"the titles seem to stand in row 3: remove the rows above it"}},
		{"a heading alone", "Stock list of May\nName;Category;Price;Stock\nMat;Sport;9,50;2\n", "", []string{"the titles seem to stand in row 2: remove the rows above it"}},
		{"what is published may be out of stock", "Handle,Title,Type,Published,Option1 Name,Variant SKU,Variant Inventory Tracker,Variant Price\nmat,Mat,sport,true,Size,A1,shopify,9.50\n", "",
			[]string{"column in_stock: the header has no title that is known for it"}},
		{"numbers are no words", "Name,Category,Price,Availability,Colour\nMat,Fitness,9.50,soon,red\n", "",
			[]string{"Availability (soon): not in_stock, which its title says: its cells are neither quantities nor words for in stock and out of it", "Colour (red): not known"}},
	} {
		opened, err := row.Open(strings.NewReader(test.text), setting.Settings{}, needs, dialect.HeadBytes)
		if refused, ok := errors.AsType[*row.InputError](err); ok {
			for _, says := range test.says {
				if !strings.Contains(refused.Error(), says) {
					t.Errorf("%s: %s\nwant %s", test.name, refused, says)
				}
			}
			if test.says == nil {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err != nil || test.says != nil {
			t.Errorf("%s: read, error %v, want %q", test.name, err, test.says)
			continue
		}
		got := map[recognize.Role]string{}
		for _, c := range opened.Columns {
			got[c.Role] = string(c.Role) + "=" + c.Title
			if c.Found == recognize.ByTitle {
				got[c.Role] += "*"
			}
			if len(c.PassedOver) > 0 {
				got[c.Role] += "(" + strings.Join(c.PassedOver, ",") + ")"
			}
		}
		for want := range strings.SplitSeq(test.want, "; ") {
			role, _, _ := strings.Cut(want, "=")
			if have := got[recognize.Role(role)]; have != want {
				t.Errorf("%s: %q, want %q", test.name, have, want)
			}
		}
	}
}

// TestFindings tells of each column what it is, whatever a plan needs.
func TestFindings(t *testing.T) {
	opened, err := row.Open(strings.NewReader("Code,Title,Rate,Dept,Note\nA,Mat,9.50,Fitness,\nB,Rope,4.50,Fitness,\n"), setting.Settings{Columns: setting.Columns{Category: "Dept"}}, recognize.Needs{Findings: true}, dialect.HeadBytes)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range opened.Findings {
		got = append(got, f.Title+"="+string(f.Role)+"/"+string(f.Found)+"/"+strings.Join(f.Samples, "+")+"/"+f.WhyNot)
	}
	want := "Code=sku/title/A+B/, Title=name/profile/Mat+Rope/, Rate=price/title/9.50+4.50/, Dept=category/setting/Fitness/, Note=///not known"
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("found %s\nwant %s", all, want)
	}
}

// TestATitleThatASettingNames: where two columns have the title that a setting gives
// one role, the second has no other role.
func TestATitleThatASettingNames(t *testing.T) {
	text := "Name,在庫有無,在庫有無,Price\nMat,yes,no,9.50\n"
	_, err := row.Open(strings.NewReader(text), setting.Settings{Columns: setting.Columns{Tags: "在庫有無"}}, recognize.Needs{Reads: []recognize.Role{recognize.RolePrice, recognize.RoleInStock}}, dialect.HeadBytes)
	if err == nil || !strings.Contains(err.Error(), "column in_stock: the header has no title that is known for it") {
		t.Errorf("%v", err)
	}
	opened, err := row.Open(strings.NewReader("SKU*,Price*,Price per unit\nA,9.50,1.00\n"), setting.Settings{Columns: setting.Columns{Price: "price*"}}, recognize.Needs{Reads: []recognize.Role{recognize.RolePrice}}, dialect.HeadBytes)
	if err != nil || opened.Columns[len(opened.Columns)-1].Title != "Price*" {
		t.Errorf("a star in a setting: %v", err)
	}
	_, err = row.Open(strings.NewReader(text), setting.Settings{Columns: setting.Columns{InStock: "在庫有無"}}, recognize.Needs{Reads: []recognize.Role{recognize.RolePrice, recognize.RoleInStock}}, dialect.HeadBytes)
	if err == nil || !strings.Contains(err.Error(), "在庫有無: the header has this column more than once") {
		t.Errorf("%v", err)
	}
}

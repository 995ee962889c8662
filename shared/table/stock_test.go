package table

import (
	"slices"
	"strings"
	"testing"
)

func TestStockForms(t *testing.T) {
	for in, out := range map[string]string{
		"true": "false", "TRUE": "FALSE", "True": "False", "1": "0", "yes": "no", "YES": "NO", "Yes": "No", "tRUE": "false", "yeS": "no",
	} {
		if got := string(appendStock(nil, []byte(in), false)); got != out {
			t.Errorf("%s out of stock is written %s, want %s", in, got, out)
		}
	}
	for in, out := range map[string]string{
		"false": "true", "FALSE": "TRUE", "False": "True", "0": "1", "no": "yes", "NO": "YES", "No": "Yes", "nO": "yes", "fALSE": "true",
	} {
		if got := string(appendStock(nil, []byte(in), true)); got != out {
			t.Errorf("%s in stock is written %s, want %s", in, got, out)
		}
	}
}

// TestWordsOfThePairs: which words are written, the column's first rows tell.
func TestWordsOfThePairs(t *testing.T) {
	for _, test := range []struct{ cells, old, out, in string }{ // "": refused
		{"ja nein", "ja", "nein", "ja"},
		{"Ja Nein ja", "JA", "Nein", "Ja"},
		{"JA NEE", "JA", "NEE", "JA"},
		{"nej", "nej", "nej", "ja"},
		{"OUI", "OUI", "NON", "OUI"},
		{"Non", "Non", "Non", "Oui"},
		{"ja", "ja", "", ""},           // nein, nee, nej or nei
		{"ja nein oui", "oui", "", ""}, // a column of two languages
		{"sí no", "no", "no", "sí"},
		{"Si No", "No", "No", "Si"},
		{"no yes", "no", "no", "yes"},
		{"no", "no", "no", "yes"}, // as every column may have
		{"sí si no", "no", "", ""},
		{"是 否", "是", "否", "是"},
		{"ja yes", "yes", "no", "yes"},
		{"true false", "ja", "", ""}, // met behind the first rows
	} {
		first := []sampled{}
		for i, text := range strings.Fields(test.cells) {
			first = append(first, sampled{int64(i) + 2, []byte(text)})
		}
		s := Stock{dialect: Dialect{Encoding: UTF8}}
		s.findForm(plainProfile(t).StockPairs, first)
		for inStock, want := range map[bool]string{false: test.out, true: test.in} {
			got, ok := s.Write(nil, []byte(test.old), inStock)
			if string(got) != want || ok != (want != "") {
				t.Errorf("%s: %s becomes %q (%t) in stock %t, want %q", test.cells, test.old, got, ok, inStock, want)
			}
		}
	}
}

// TestWordsOfNoPairShown: a pair of which the first rows have no word says
// nothing of how it is written.
func TestWordsOfNoPairShown(t *testing.T) {
	s := Stock{dialect: Dialect{Encoding: UTF8}}
	s.findForm([][2]string{{"ja", "nein"}}, []sampled{{2, []byte("true")}})
	if got, ok := s.Write(nil, []byte("ja"), false); ok {
		t.Errorf("ja becomes %q", got)
	}
}

func plainProfile(t *testing.T) Profile {
	t.Helper()
	all := Profiles()
	return all[slices.IndexFunc(all, func(p Profile) bool { return p.Name == Plain })]
}

// TestThreeDigitsBehindAPoint: 1.299 is less than two where a platform documents
// a decimal point, and no title of plain columns does.
func TestThreeDigitsBehindAPoint(t *testing.T) {
	for text, clear := range map[string]bool{
		"sku,price\nA,1.299\n": false,
		"sku,PRICE\nA,1.299\n": false,
		"sku,Preis\nA,1.299\n": false,
		"sku;price\nA;1.299\n": false,
		"Handle,Option1 Name,Variant SKU,Variant Price\na,Size,A,1.299\n": true,
	} {
		if _, err := Open(strings.NewReader(text), Settings{}, Needs{Reads: []Role{RolePrice}}, 1<<10); (err == nil) != clear {
			t.Errorf("%q: %v, want it read: %t", text, err, clear)
		}
	}
}

func TestQuantitiesInStock(t *testing.T) {
	for text, want := range map[string]bool{"0": false, "00": false, "0.0": false, "0,00": false, "0.5": true, "1": true, "10": true, "10.0": true, "-1": false, "-0.5": false, "26.067,00": true, "1,234.5": true, "-1.234.567": false, "12 345": true, "1'000": true} {
		if got, fault := (Dialect{Encoding: UTF8}).quantity([]byte(text)); got != want || fault != Fine {
			t.Errorf("%s in stock: %v (%v), want %v", text, got, fault, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.", ".5", "1.2.3", "1 2", "0.123.456", "1,23,456.0", "--1", "1-", strings.Repeat("1", 19)} {
		if _, fault := (Dialect{Encoding: UTF8}).quantity([]byte(text)); fault != BadQuantity {
			t.Errorf("%q: %v, want it refused", text, fault)
		}
	}
}

// TestQuantitiesAtTheHeadsEnd: where only a part of a table is looked at, its
// last row may be cut off anywhere.
func TestQuantitiesAtTheHeadsEnd(t *testing.T) {
	for pad := range 20 {
		text := "sku,category,price,in_stock\n" + strings.Repeat("x", pad) + ",c,5,1.5\n" + strings.Repeat("A,c,5,1.5\n", HeadBytes/5)
		opened, err := Open(strings.NewReader(text), Settings{}, Needs{Reads: []Role{RoleInStock}}, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		if !opened.Counts() {
			t.Errorf("behind %d bytes the column has no quantities", pad)
		}
	}
}

// TestAStockColumnThatIsSaid is read as its platform writes it.
func TestAStockColumnThatIsSaid(t *testing.T) {
	const text = "Handle,Option1 Name,Variant Price,Published,Variant Inventory Qty\na,Size,5,true,1\n"
	for column, quantity := range map[string]bool{"Published": false, "Variant Inventory Qty": true} {
		opened, err := Open(strings.NewReader(text), Settings{Columns: Columns{InStock: column}}, Needs{Reads: []Role{RoleInStock}}, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		if opened.Counts() != quantity {
			t.Errorf("%s has quantities: %t", column, !quantity)
		}
	}
}

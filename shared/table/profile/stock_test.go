package profile

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
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
		{"ja", "ja", "", "ja"},         // nein, nee, nej or nei
		{"ja nein oui", "oui", "", ""}, // a column of two languages
		{"sí no", "no", "no", "sí"},
		{"Si No", "No", "No", "Si"},
		{"no yes", "no", "no", "yes"},
		{"no", "no", "no", "yes"}, // as every column may have
		{"sí si no", "no", "", ""},
		{"是 否", "是", "否", "是"},
		{"ja yes", "yes", "no", "yes"},
		{"true false", "ja", "", ""}, // met behind the first rows
		{"in_stock out_of_stock", "in_stock", "out_of_stock", "in_stock"},
		{"IN_STOCK", "IN_STOCK", "OUT_OF_STOCK", "IN_STOCK"},
		{"in-stock", "in-stock", "out-of-stock", "in-stock"},
		{"Disponibile Esaurito", "Disponibile", "Esaurito", "Disponibile"}, // of two pairs
	} {
		first := []Sampled{}
		for i, text := range strings.Fields(test.cells) {
			first = append(first, Sampled{int64(i) + 2, []byte(text)})
		}
		s := NewStock(dialect.Dialect{Encoding: dialect.UTF8}, StockColumn{}, StockPairs, StockSettings{}, []int{0}, first)
		for inStock, want := range map[bool]string{false: test.out, true: test.in} {
			got, ok := s.Write(nil, []byte(test.old), inStock)
			if string(got) != want || ok != (want != "") {
				t.Errorf("%s: %s becomes %q (%t) in stock %t, want %q", test.cells, test.old, got, ok, inStock, want)
			}
		}
	}
}

// TestQuestions: what a column's words mean is asked where it does not show both.
func TestQuestions(t *testing.T) {
	for cells, want := range map[string]string{
		"Lagernd Weg Weg Weg":    "neither known for in stock nor for out of stock; the column has Weg (3), Lagernd (1): say which two words it has, with {stock_words=in=Weg,out=Lagernd} or {stock_words=in=Lagernd,out=Weg}",
		"Disponibile Finito":     "neither known for in stock nor for out of stock; the column has Disponibile (1), Finito (1): say which two words it has, with {stock_words=in=Disponibile,out=Finito}",
		"Weg":                    "neither known for in stock nor for out of stock; the column has Weg (1): say which two words it has, with {stock_words=in=Weg,out=WORD} or {stock_words=in=WORD,out=Weg}",
		"yes no perhaps":         "",
		"Disponibile Esaurito x": "",
		"5 10 0":                 "",
	} {
		first := []Sampled{}
		for i, text := range strings.Fields(cells) {
			first = append(first, Sampled{int64(i) + 2, []byte(text)})
		}
		s := NewStock(dialect.Dialect{Encoding: dialect.UTF8}, StockColumn{}, StockPairs, StockSettings{}, []int{0}, first)
		got := ""
		if fault := s.Question(false); fault != nil {
			got = fault.Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", cells, got, want)
		}
	}
}

// TestStockWordsSetting: two words that somebody said are all that is read but the usual ones,
// which they may contradict.
func TestStockWordsSetting(t *testing.T) {
	column := func(in, out string) *Stock {
		return NewStock(dialect.Dialect{Encoding: dialect.UTF8}, StockColumn{}, nil, StockSettings{Words: StockWords{in, out}}, []int{0}, nil)
	}
	for _, test := range []struct {
		stock *Stock
		cells map[string]string
	}{
		{column("Da", "Weg"), map[string]string{"Da": "in", "da": "in", "WEG": "out", "yes": "in", "Fort": "fault"}},
		{column("no", "yes"), map[string]string{"no": "in", "Yes": "out", "true": "fault", "1": "fault"}},
	} {
		for text, want := range test.cells {
			block, at := cell.Block(text)
			got := map[bool]string{true: "in", false: "out"}
			in, fault := test.stock.Read(block, at)
			if said := got[in]; fault != faults.Fine && want != "fault" || fault == faults.Fine && said != want {
				t.Errorf("%s: %t, %v, want %s", text, in, fault, want)
			}
		}
	}
	if text, ok := column("no", "yes").Write(nil, []byte("no"), false); string(text) != "yes" || !ok {
		t.Errorf("out of stock is written %q", text)
	}
}

// TestWordsOfNoPairShown: a pair of which the first rows have no word says
// nothing of how it is written.
func TestWordsOfNoPairShown(t *testing.T) {
	s := NewStock(dialect.Dialect{Encoding: dialect.UTF8}, StockColumn{}, [][2]string{{"ja", "nein"}}, StockSettings{}, []int{0}, []Sampled{{2, []byte("true")}})
	if got, ok := s.Write(nil, []byte("ja"), false); ok {
		t.Errorf("ja becomes %q", got)
	}
}

func TestQuantitiesInStock(t *testing.T) {
	for text, want := range map[string]bool{"0": false, "00": false, "0.0": false, "0,00": false, "0.5": true, "1": true, "10": true, "10.0": true, "-1": false, "-0.5": false, "26.067,00": true, "1,234.5": true, "-1.234.567": false, "'-5": false, "'-0.5": false, "12 345": true, "1'000": true} {
		if got, fault := quantityIn(dialect.Dialect{Encoding: dialect.UTF8}, []byte(text)); got != want || fault != faults.Fine {
			t.Errorf("%s in stock: %v (%v), want %v", text, got, fault, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.", ".5", "1.2.3", "1 2", "0.123.456", "1,23,456.0", "--1", "1-", "'5", "'--5", "'", strings.Repeat("1", 19)} {
		if _, fault := quantityIn(dialect.Dialect{Encoding: dialect.UTF8}, []byte(text)); fault != faults.BadQuantity {
			t.Errorf("%q: %v, want it refused", text, fault)
		}
	}
}

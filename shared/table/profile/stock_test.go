package profile

import (
	"slices"
	"strings"
	"testing"

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
		first := []Sampled{}
		for i, text := range strings.Fields(test.cells) {
			first = append(first, Sampled{int64(i) + 2, []byte(text)})
		}
		s := Stock{dialect: dialect.Dialect{Encoding: dialect.UTF8}}
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
	s := Stock{dialect: dialect.Dialect{Encoding: dialect.UTF8}}
	s.findForm([][2]string{{"ja", "nein"}}, []Sampled{{2, []byte("true")}})
	if got, ok := s.Write(nil, []byte("ja"), false); ok {
		t.Errorf("ja becomes %q", got)
	}
}

func plainProfile(t *testing.T) Profile {
	t.Helper()
	all := Profiles()
	return all[slices.IndexFunc(all, func(p Profile) bool { return p.Name == Plain })]
}

func TestQuantitiesInStock(t *testing.T) {
	for text, want := range map[string]bool{"0": false, "00": false, "0.0": false, "0,00": false, "0.5": true, "1": true, "10": true, "10.0": true, "-1": false, "-0.5": false, "26.067,00": true, "1,234.5": true, "-1.234.567": false, "12 345": true, "1'000": true} {
		if got, fault := quantityIn(dialect.Dialect{Encoding: dialect.UTF8}, []byte(text)); got != want || fault != faults.Fine {
			t.Errorf("%s in stock: %v (%v), want %v", text, got, fault, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.", ".5", "1.2.3", "1 2", "0.123.456", "1,23,456.0", "--1", "1-", strings.Repeat("1", 19)} {
		if _, fault := quantityIn(dialect.Dialect{Encoding: dialect.UTF8}, []byte(text)); fault != faults.BadQuantity {
			t.Errorf("%q: %v, want it refused", text, fault)
		}
	}
}

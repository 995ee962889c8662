package table

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

func pricesOf(said PriceForm, documented bool, cells []string) (*moneyForm, *Fault) {
	var samples []sampled
	for i, text := range cells {
		samples = append(samples, sampled{content: []byte(text), row: int64(i + 2)})
	}
	return newMoneyForm(Dialect{Delimiter: Semicolon, LineEnd: LF, Encoding: UTF8}, said, documented, samples)
}

func TestFormOfPrices(t *testing.T) {
	const unclear = "could be"
	for _, test := range []struct {
		cells      string // by |
		said       PriceForm
		documented bool
		want       string
	}{
		{"1234.56", "", false, "1234.56"},
		{"1.234,56", "", false, "1.234,56"},
		{"1,234.56", "", false, "1,234.56"},
		{"1 234,56", "", false, "1 234,56"},
		{"1'234.56", "", false, "1'234.56"},
		{"1 234", "", false, "1 234,56"},
		{"1,234,567", "", false, "1,234.56"},
		{"1.234.567", "", false, "1.234,56"},
		{"12.5", "", false, "1234.56"},
		{"12,5", "", false, "1234,56"},
		{"x", "", false, "1234.56"},
		{"12,34,567.50|12.5", "", false, "1234.56"},
		{"12.34.567,50|12,5", "", false, "1234,56"},
		{"1.299", "", false, unclear},
		{"1.299", "", true, "1234.56"},
		{"1,299", "", true, unclear},
		{"1.299|12", "", false, unclear},
		{"1.299|3,50", "", false, "1234,56"},
		{"3.5|1,299", "", false, "1234.56"},
		{"3.5|1,299,000", "", false, "1,234.56"},
		{"3.5|€ 12", "", false, "1234.56 €"},
		{"3.5|$ 12", "", false, "1234.56 $"},
		{"$1,234.50|£3", "", false, "1,234.56 $"},
		{"12.50 €", "", false, "1234.56 €"},
		{"1\u00a0234,56", "1 234,56", false, "1\u00a0234,56"},
		{"1’234.56", "1'234.56", false, "1’234.56"},
		{"1.234,56", "1 234,56", false, "1 234,56"},
		{"1 234.56", "1,234.56", false, "1,234.56"},
		{"1,299", "1234,56", false, "1234,56"},
	} {
		p, fault := pricesOf(test.said, test.documented, strings.Split(test.cells, "|"))
		got := ""
		if fault != nil {
			got, _, _ = strings.Cut(fault.Message, " 1")
		} else {
			got = p.String()
		}
		if got != test.want {
			t.Errorf("%s, said %q: %q, want %q", test.cells, test.said, got, test.want)
		}
	}
}

func TestPriceCells(t *testing.T) {
	for _, test := range []struct {
		column, cell, becomes string // becomes is written once the price is
		price                 string
		want                  Kind
	}{
		{"1234.56", "12.50", "1234567.50", "1234567.50", Fine},
		{"1,234.56", "12.50", "1,234,567.50", "1234567.50", Fine},
		{"1,234.56", "999.99", "1,234", "1234", Fine},
		{"1,234.56", "1000.00", "1234.00", "1234.00", Fine},
		{"1,234.56", "1,000.00", "123.00", "123.00", Fine},
		{"1,234.56", "9,999.00", "12,345.00", "12345.00", Fine},
		{"1,234.56", "123,456.00", "1,000.00", "1000.00", Fine},
		{"1.234,56", "1.000,00", "123.456,00", "123456.00", Fine},
		{"$1,234.56", "$12.50", "$1,234,567.50", "1234567.50", Fine},
		{"$1,234.56", "12.50 USD", "1.00 USD", "1.00", Fine},
		{"1234.56 zł", "9.99 zł", "0.50 zł", "0.50", Fine},
		{"1234.56", "US$5", "US$6", "6", Fine},
		{"1234.56", "ABC$5", "ABC$6", "6", Fine},
		{"1234.56", "$5.00 ", "$6 ", "6", Fine},
		{"$1,234.56 ", " $1,005.00 ", " $6 ", "6", Fine},
		{"1234.56", " 5 € ", " 6 € ", "6", Fine},
		{"1234.56", " 5", " 6", "6", Fine},
		{"1,234.56 ", "5.00 ", "1,006 ", "1006", Fine},
		{"1234.56", "\t5", "", "", BadPrice},
		{"1234.56", "-5", "", "", NegativePrice},
		{"1234.56", "($5.00)", "", "", NegativePrice},
		{"1234.56", "(5)", "", "", NegativePrice},
		{"1234.56", "5 (net)", "", "", BadPrice},
		{"1234.56", "5-6", "", "", BadPrice},
		{"1234.56", "ABCD$5", "", "", BadPrice},
		{"1234.56", "É$5", "", "", BadPrice},
		{"1234.56", "A1$5", "", "", BadPrice},
		{"$1,234.56", "$", "", "", BadPrice},
		{"1234.56", "", "", "", EmptyPrice},
		{"1,234.56", "1.234,56", "", "", OtherPriceForm},
		{"1,234.56", "1 234.56", "", "", OtherPriceForm},
		{"1,234.56", "12.34.56", "", "", BadPrice},
		{"1,234.56", "0,123.50", "", "", BadPrice},
		{"1,234.56", "1234,567.50", "", "", BadPrice},
		{"1,234.56", "12,34,567.50", "", "", BadPrice},
		{"1,234.56", "1,234 567.50", "", "", BadPrice},
		{"1,234.56", "1,23.50", "", "", BadPrice},
		{"12", "$1.299", "", "", UnclearPrice},
	} {
		p, fault := pricesOf("", false, []string{test.column})
		if fault != nil {
			t.Fatal(fault)
		}
		text, at := cell.Block(test.cell)
		price, kind := p.Read(text, at)
		if kind != test.want {
			t.Errorf("%q in a column of %s: %v, want %v", test.cell, test.column, kind, test.want)
		}
		if kind != Fine {
			continue
		}
		next, _ := amount.Long([]byte(test.price), '.')
		if got := string(p.Write(nil, at.Of(text), price, next)); got != test.becomes {
			t.Errorf("%q in a column of %s becomes %q, want %q", test.cell, test.column, got, test.becomes)
		}
	}
}

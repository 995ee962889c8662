package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

func pricesOf(said PriceForm, documented bool, cells []string) (*MoneyForm, *faults.Fault) {
	var samples []Sampled
	for i, text := range cells {
		samples = append(samples, Sampled{Content: []byte(text), Row: int64(i + 2)})
	}
	return NewMoneyForm(dialect.Dialect{Delimiter: dialect.Semicolon, LineEnd: dialect.LF, Encoding: dialect.UTF8}, said, documented, samples)
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
		want                  faults.Kind
	}{
		{"1234.56", "12.50", "1234567.50", "1234567.50", faults.Fine},
		{"1,234.56", "12.50", "1,234,567.50", "1234567.50", faults.Fine},
		{"1,234.56", "999.99", "1,234", "1234", faults.Fine},
		{"1,234.56", "1000.00", "1234.00", "1234.00", faults.Fine},
		{"1,234.56", "1,000.00", "123.00", "123.00", faults.Fine},
		{"1,234.56", "9,999.00", "12,345.00", "12345.00", faults.Fine},
		{"1,234.56", "123,456.00", "1,000.00", "1000.00", faults.Fine},
		{"1.234,56", "1.000,00", "123.456,00", "123456.00", faults.Fine},
		{"$1,234.56", "$12.50", "$1,234,567.50", "1234567.50", faults.Fine},
		{"$1,234.56", "12.50 USD", "1.00 USD", "1.00", faults.Fine},
		{"1234.56 zł", "9.99 zł", "0.50 zł", "0.50", faults.Fine},
		{"1234.56", "US$5", "US$6", "6", faults.Fine},
		{"1234.56", "ABC$5", "ABC$6", "6", faults.Fine},
		{"1234.56", "$5.00 ", "$6 ", "6", faults.Fine},
		{"$1,234.56 ", " $1,005.00 ", " $6 ", "6", faults.Fine},
		{"1234.56", " 5 € ", " 6 € ", "6", faults.Fine},
		{"1234.56", " 5", " 6", "6", faults.Fine},
		{"1,234.56 ", "5.00 ", "1,006 ", "1006", faults.Fine},
		{"1234.56", "\t5", "\t6", "6", faults.Fine},
		{"1234.56", "5 €\t", "6 €\t", "6", faults.Fine},
		{"1234.56", "-5", "", "", faults.NegativePrice},
		{"1234.56", "($5.00)", "", "", faults.NegativePrice},
		{"1234.56", "(5)", "", "", faults.NegativePrice},
		{"1234.56", "5 (net)", "", "", faults.BadPrice},
		{"1234.56", "5-6", "", "", faults.BadPrice},
		{"1234.56", "ABCD$5", "", "", faults.BadPrice},
		{"1234.56", "É$5", "", "", faults.BadPrice},
		{"1234.56", "A1$5", "", "", faults.BadPrice},
		{"$1,234.56", "$", "", "", faults.BadPrice},
		{"1234.56", "", "", "", faults.EmptyPrice},
		{"1,234.56", "1.234,56", "", "", faults.OtherPriceForm},
		{"1,234.56", "1 234.56", "", "", faults.OtherPriceForm},
		{"1,234.56", "12.34.56", "", "", faults.BadPrice},
		{"1,234.56", "0,123.50", "", "", faults.BadPrice},
		{"1,234.56", "1234,567.50", "", "", faults.BadPrice},
		{"1,234.56", "12,34,567.50", "", "", faults.BadPrice},
		{"1,234.56", "1,234 567.50", "", "", faults.BadPrice},
		{"1,234.56", "1,23.50", "", "", faults.BadPrice},
		{"12", "$1.299", "", "", faults.UnclearPrice},
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
		if kind != faults.Fine {
			continue
		}
		next, _ := amount.Long([]byte(test.price), '.')
		if got := written(p, at.Of(text), price, next); got != test.becomes {
			t.Errorf("%q in a column of %s becomes %q, want %q", test.cell, test.column, got, test.becomes)
		}
	}
}

// written is what a column writes in place of a cell. One that shows no decimal mark gets a
// point, as opening a table finds one for it.
func written(p *MoneyForm, text []byte, price Figure, becomes amount.Amount) string {
	if p.Unmarked() {
		p.Mark('.')
	}
	got, fault := p.Write(nil, text, price, becomes)
	if fault != faults.Fine {
		return fmt.Sprint(fault)
	}
	return string(got)
}

// TestUnknownMark: nothing shows which mark a column of whole prices takes.
func TestUnknownMark(t *testing.T) {
	p, fault := pricesOf("", false, []string{"5"})
	if fault != nil {
		t.Fatal(fault)
	}
	if got, kind := p.Write(nil, []byte("5"), Figure{}, amount.Amount{Units: 15, Scale: 1}); kind != faults.UnknownMark || len(got) > 0 {
		t.Errorf("1.5 is written as %q, %v", got, kind)
	}
	if got, kind := p.Write(nil, []byte("5"), Figure{}, amount.Amount{Units: 6}); kind != faults.Fine || string(got) != "6" {
		t.Errorf("6 is written as %q, %v", got, kind)
	}
}

// TestFillingABlankCell: what stands in a cell that was blank looks as the
// column's others do.
func TestFillingABlankCell(t *testing.T) {
	for column, becomes := range map[string]string{
		"1.234,56 €": "12.345,60 €",
		"$5":         "$12345.60",
		"5,10":       "12345,60",
		"":           "12345.60",
	} {
		p, fault := pricesOf("", false, []string{column})
		if fault != nil {
			t.Fatal(fault)
		}
		next, _ := amount.Long([]byte("12345.60"), '.')
		if got := written(p, nil, Figure{}, next); got != becomes {
			t.Errorf("a blank cell in a column of %q becomes %q, want %q", column, got, becomes)
		}
	}
}

// TestColumnsThatShowNoMark write the decimal mark of the prices, and still read
// no cell by it that could be two numbers.
func TestColumnsThatShowNoMark(t *testing.T) {
	for column, writes := range map[string]string{"2": "1,5", "2.5": "1.5", "": "1,5"} {
		prices, _ := pricesOf("", false, []string{"9,99"})
		p, fault := pricesOf("", false, []string{column})
		if fault != nil {
			t.Fatal(fault)
		}
		p.WriteLike(prices)
		p.WriteLike(nil)
		if got := written(p, []byte("2"), Figure{}, amount.Amount{Units: 15, Scale: 1}); got != writes {
			t.Errorf("a column of %q beside prices with a comma: %s, want %s", column, got, writes)
		}
		if _, kind := p.Read(cell.Block("1,299")); column == "2" && kind != faults.UnclearPrice {
			t.Errorf("1,299 in a column of %q: %v", column, kind)
		}
	}
}

package pricing

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/scan"
	"github.com/planwright/planwright/shared/table/setting"
)

// butCodes compares refusals by what they tell people: codes are told elsewhere.
var butCodes = cmp.Options{
	cmpopts.IgnoreFields(table.Fault{}, "Code"),
	cmpopts.IgnoreUnexported(table.InputError{}),
}

// tenPercent is the plan of most tests: fitness in stock is 10% dearer.
func tenPercent() plan.Operation {
	return plan.Operation{
		OperationID: "op1",
		Filter:      plan.Filter{Categories: []string{"fitness"}, InStock: ptr(true)},
		Action:      plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}
}

const header = "sku,category,price,in_stock\n"

// TestPreservedBytes has a table for every rule about what a table may look like.
// Of each only the prices change, and only those of the rows that match.
func TestPreservedBytes(t *testing.T) {
	shopify := table.Settings{Columns: setting.Columns{SKU: "Variant SKU", Category: "Type", Price: "Variant Price", InStock: "Published"}}
	for _, test := range []struct {
		name     string
		settings table.Settings
		in, out  string
		changed  int64
	}{
		{"LF", table.Settings{}, header + "A,fitness,10,true\n", header + "A,fitness,11.00,true\n", 1},
		{"CRLF", table.Settings{}, "sku,category,price,in_stock\r\nA,fitness,10,true\r\n", "sku,category,price,in_stock\r\nA,fitness,11.00,true\r\n", 1},
		{"no final newline", table.Settings{}, header + "A,fitness,10,true", header + "A,fitness,11.00,true", 1},
		{"byte-order mark", table.Settings{}, "\ufeff" + header + "A,fitness,10,true\n", "\ufeff" + header + "A,fitness,11.00,true\n", 1},
		{"byte-order mark before a quoted name", table.Settings{}, "\ufeff\"sku\",category,price,in_stock\nA,fitness,10,true\n", "\ufeff\"sku\",category,price,in_stock\nA,fitness,11.00,true\n", 1},
		{"header in any order", table.Settings{}, "price,in_stock,sku,category\n10,true,A,fitness\n", "price,in_stock,sku,category\n11.00,true,A,fitness\n", 1},
		{"header in any case", table.Settings{}, "SKU,Category,PRICE,In_Stock\nA,fitness,10,true\n", "SKU,Category,PRICE,In_Stock\nA,fitness,11.00,true\n", 1},
		{"blanks around names", table.Settings{}, " sku ,category,\tprice,in_stock\nA,fitness,10,true\n", " sku ,category,\tprice,in_stock\nA,fitness,11.00,true\n", 1},
		{"more columns", table.Settings{}, "x,sku,,category,x,price,in_stock\n\"a,b\",A,,fitness,,10,true\n", "x,sku,,category,x,price,in_stock\n\"a,b\",A,,fitness,,11.00,true\n", 1},
		{"mapped columns", shopify, "Type,VARIANT SKU,variant price,price,Published\nfitness,A,10,20,TRUE\n", "Type,VARIANT SKU,variant price,price,Published\nfitness,A,11.00,20,TRUE\n", 1},
		{"quoted price stays quoted", table.Settings{}, header + "A,fitness,\"10\",true\n", header + "A,fitness,\"11.00\",true\n", 1},
		{"quotes around a comma that the price gets", table.Settings{}, header + "A,fitness,10,true\nB,fitness,\"9,50\",true\n", header + "A,fitness,\"11,00\",true\nB,fitness,\"10,45\",true\n", 2},
		{"quoted category", table.Settings{}, header + "A,\"fitness\",10,\"true\"\n", header + "A,\"fitness\",11.00,\"true\"\n", 1},
		{"newline, comma and doubled quote in quotes", table.Settings{}, "note,sku,category,price,in_stock\n\"a\n\"\"b\"\",\r\nc\",A,fitness,10,true\n", "note,sku,category,price,in_stock\n\"a\n\"\"b\"\",\r\nc\",A,fitness,11.00,true\n", 1},
		{"newline in the header", table.Settings{}, "\"a\nb\",sku,category,price,in_stock\n,A,fitness,10,true\n", "\"a\nb\",sku,category,price,in_stock\n,A,fitness,11.00,true\n", 1},
		{"empty lines at the end", table.Settings{}, header + "A,fitness,10,true\n\n\r\n\n", header + "A,fitness,11.00,true\n\n\r\n\n", 1},
		{"category in another case is another", table.Settings{NearNames: table.NearNamesExact}, header + "A,Fitness,10,true\n", header + "A,Fitness,10,true\n", 0},
		{"out of stock", table.Settings{}, header + "A,fitness,10,false\n", header + "A,fitness,10,false\n", 0},
		{"in_stock as 1", table.Settings{}, header + "A,fitness,10,1\n", header + "A,fitness,11.00,1\n", 1},
		{"in_stock as YES", table.Settings{}, header + "A,fitness,10,YES\n", header + "A,fitness,11.00,YES\n", 1},
		{"invalid UTF-8 elsewhere", table.Settings{}, "x,sku,category,price,in_stock\n\xff\xfe,A,fitness,10,true\n", "x,sku,category,price,in_stock\n\xff\xfe,A,fitness,11.00,true\n", 1},
		{"SKU and category empty", table.Settings{}, header + ",,10,true\n", header + ",,10,true\n", 0},
		{"512 bytes of SKU", table.Settings{}, header + strings.Repeat("é", 256) + ",fitness,10,true\n", header + strings.Repeat("é", 256) + ",fitness,11.00,true\n", 1},
		{"a formula in a SKU at which no plan looks", table.Settings{}, header + "=A,fitness,10,true\n", header + "=A,fitness,11.00,true\n", 1},
		{"what begins like a formula", table.Settings{}, header + "--5-oz,=x,10,true\n@A,\t=y,10,true\n\"\r+A\",@z,10,true\nA,fitness,10,true\n", header + "--5-oz,=x,10,true\n@A,\t=y,10,true\n\"\r+A\",@z,10,true\nA,fitness,11.00,true\n", 1},
		{"invalid UTF-8 in such a SKU", table.Settings{}, header + "Ü\xff,fitness,10,true\n", header + "Ü\xff,fitness,11.00,true\n", 1},
		{"empty lines", table.Settings{}, header + "\nA,fitness,10,true\n\n\nB,fitness,20,true\n", header + "\nA,fitness,11.00,true\n\n\nB,fitness,22.00,true\n", 2},
		{"CR CR LF", table.Settings{}, strings.ReplaceAll(header+"A,fitness,10,true\n\nB,fitness,20,true\n", "\n", "\r\r\n"), strings.ReplaceAll(header+"A,fitness,11.00,true\n\nB,fitness,22.00,true\n", "\n", "\r\r\n"), 2},
		{"a quote in a column that nobody needs", table.Settings{}, "name,sku,category,price,in_stock\n2\" pipe,A,fitness,10,true\n\"a, b\",B,fitness,20,true\n", "name,sku,category,price,in_stock\n2\" pipe,A,fitness,11.00,true\n\"a, b\",B,fitness,22.00,true\n", 2},
		{"no header", table.Settings{Header: recognize.HeaderNone, Columns: setting.Columns{Category: "2", Price: "3", InStock: "4"}}, "A,fitness,10.50,true\nB,yoga,9.00,true\n", "A,fitness,11.55,true\nB,yoga,9.00,true\n", 1},
		{"a tab before a name", table.Settings{}, header + "\tA,fitness,10,true\n", header + "\tA,fitness,11.00,true\n", 1},
		{"words for prices", table.Settings{OddRows: table.OddRowsLeave}, header + "A,fitness,Variable,true\nB,fitness,10,true\nC,fitness, n/a ,true\n", header + "A,fitness,Variable,true\nB,fitness,11.00,true\nC,fitness, n/a ,true\n", 1},
		{"blank stock is in stock", table.Settings{BlankStock: profile.BlankStockIn}, header + "A,fitness,10,\nB,fitness,10,false\n", header + "A,fitness,11.00,\nB,fitness,10,false\n", 1},
		{"blank stock is out of stock", table.Settings{BlankStock: profile.BlankStockOut}, header + "A,fitness,10,\nB,fitness,10,5\n", header + "A,fitness,10,\nB,fitness,11.00,5\n", 1},
		{"inch marks", table.Settings{}, "sku\tname\tcategory\tprice\tin_stock\nA\t3/4\" valve\tfitness\t10.00\ttrue\n", "sku\tname\tcategory\tprice\tin_stock\nA\t3/4\" valve\tfitness\t11.00\ttrue\n", 1},
		{"inch marks and a tab at the end", table.Settings{}, "sku;name;category;price;in_stock\nA;3/4\" valve;fitness;10;true;\nB;1\" valve;fitness;20;true;\n", "sku;name;category;price;in_stock\nA;3/4\" valve;fitness;11,00;true;\nB;1\" valve;fitness;22,00;true;\n", 2},
		{"formula characters elsewhere", table.Settings{}, "x,sku,category,price,in_stock\n=1+1,A-1,fitness,10,true\n", "x,sku,category,price,in_stock\n=1+1,A-1,fitness,11.00,true\n", 1},
		{"blank price kept", table.Settings{BlankPrice: profile.BlankPriceKeep}, header + "A,fitness,,true\nB,fitness,\"\",\nC,fitness,10,true\n", header + "A,fitness,,true\nB,fitness,\"\",\nC,fitness,11.00,true\n", 1},
		{"unchanged value keeps its bytes", table.Settings{}, header + "A,fitness,0.01,true\nB,fitness,000.0,true\n", header + "A,fitness,0.01,true\nB,fitness,000.0,true\n", 0},
		{"18 digits and 9", table.Settings{}, header + "A,fitness,900000000000000000.123456789,true\n", header + "A,fitness,990000000000000000.14,true\n", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runTable(t, compile(t, test.settings, tenPercent()), test.in)
			if diff := cmp.Diff(test.out, got.Out); diff != "" {
				t.Error(diff)
			}
			if lines := int64(strings.Count(got.Changes, "\n")); got.Summary.RowsChanged != test.changed || lines != test.changed {
				t.Errorf("%d rows changed in %d lines, want %d", got.Summary.RowsChanged, lines, test.changed)
			}
		})
	}
}

// TestRefused has a table for every rule that refuses one, with what is said.
func TestRefused(t *testing.T) {
	long := strings.Repeat("x", table.MaxNameBytes+1)
	for _, test := range []struct {
		name string
		in   string
		want table.Fault // its message: a part of it
	}{
		{"a NUL first", "\x00" + header + "A,b,1,true\n", fault(1, "", `"\x00sku,category,price,in_stock"`, "NUL")},
		{"half a character at the end", "\xff\xfe" + wide(header+"A,b,1,true") + "\n", fault(2, "", `"A,b,1,true\x00"`, "cut off")},
		{"half of a pair in a category", "\xff\xfe" + wide(header+"A,b") + "\x3d\xd8" + wide(",1,true\n"), fault(2, "category", `"b\xed\xa0\xbd"`, "encoding")},
		{"category no UTF-8", header + "Ü,Ü,1,true\nA,more than sixteen bytes \xff,1,true\n", fault(3, "category", `"more than sixteen bytes \xff"`, "encoding")},
		{"empty file", "", fault(1, "", "", "the file is empty")},
		{"header alone", header, fault(1, "", "", "no rows below the header")},
		{"byte-order mark alone", "\ufeff", fault(1, "", "", "one column alone")},
		{"workbook", "PK\x03\x04\x14\x00", fault(1, "", "", "workbook")},
		{"Hangul in UTF-16, no more UTF-8 than a workbook is", "\xd1\xc9\x11\xc9" + wide("\tsku\tprice\tin_stock\nx\tA\t1\ttrue\n"), fault(1, "category", "", "no title that is known for it")},
		{"old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", fault(1, "", "", "workbook")},
		{"PDF", "%PDF-1.7\n%\xe2\xe3\n1 0 obj\n<< /Type /Catalog >>\n", fault(1, "", "", "a PDF")},
		{"page", "<!DOCTYPE html>\n<html><body>Please log in</body></html>\n", fault(1, "", "", "a web page")},
		{"second byte-order mark", "\ufeff\ufeff" + header, fault(1, "", "", "there are no rows below the header")},
		{"missing column", "sku,category,price\nA,b,1\n", fault(1, "in_stock", "", "no title that is known for it: say which column it is, with {columns=in_stock=TITLE}")},
		{"column named twice", "sku,category,price,in_stock,Price\n", fault(1, "price", "", "more than once")},
		{"empty first line", "\n" + header, fault(1, "sku", "", "first line empty?")},
		{"NUL in the header", "\"a\nb\x00\",sku,category,price,in_stock\n", fault(1, "", `"\"a\nb\x00\",sku,category,price,in_stock"`, "NUL")},
		{"too few fields", header + "A,b,1\n", fault(2, "", "A,b,1", "has 3 fields where the header has 4")},
		{"cut off in the last row", header + "A,b,1,true\nB,b", fault(3, "", "B,b", "the file ends within this row, which has 2 fields of 4, and seems to be cut off")},
		{"cut off in the only row", header + "A", fault(2, "", "A", "seems to be cut off")},
		{"too few fields at the end of a line", header + "A,b,1,true\nB,b\n", fault(3, "", "B,b", "put quotes around")},
		{"too many fields at the end", header + "A,b,1,true,", fault(2, "", "A,b,1,true,", "put quotes around")},
		{"too many fields", header + "A,b,1,true,\n", fault(2, "", "A,b,1,true,", "has 5 fields where the header has 4")},
		{"stray quote", header + "\"A\",4\" pipe,1,true\n", fault(2, "category", `"4\" pipe"`, "quotes around the whole value")},
		{"stray quote at the end of a line", header + "\"A\",b,1,true\"\n", fault(2, "in_stock", `"true\""`, "say which two words it has")},
		{"text after a quote", header + "A,\"b\"c,1,true\n", fault(2, "category", `"\"b\"c"`, "written twice")},
		{"blank after a quote", header + "A,\"b\" ,1,true\n", fault(2, "category", `"\"b\" "`, "written twice")},
		{"unclosed quote", header + "A,b,1,true\nB,\"b,1,true\n", fault(3, "category", `"\"b,1,true\n"`, "never closed")},
		{"lone carriage return", header + "A,b\rc,1,true\n", fault(2, "category", `"b\rc"`, "carriage return")},
		{"NUL", header + "A,b\x00,1,true\n", fault(2, "", `"A,b\x00,1,true"`, "NUL")},
		{"NUL in quotes elsewhere", "x," + header + "\"\x00\",A,b,1,true\n", fault(2, "", `"\"\x00\",A,b,1,true"`, "NUL")},
		{"long SKU", header + long + ",b,1,true\n", fault(2, "sku", `"`+long[:100]+`"...`, "512 bytes")},
		{"long category", header + "A," + long + ",1,true\n", fault(2, "category", `"`+long[:100]+`"...`, "512 bytes")},
		{"what seems to be below 0", header + "A,b,1,true\nB,other,AB-5,true\n", fault(3, "price", "AB-5", "it is below 0")},
		{"an article number for a price", header + "A,b,5-1,true\n", fault(2, "price", "5-1", "write at most 18 digits")},
		{"blank stock", header + "A,b,1,\n", fault(2, "in_stock", "", "empty")},
		{"bad stock", header + "A,b,1,some\n", fault(2, "in_stock", "some", "say which two words it has")},
		{"stock with a blank", header + "A,b,1, true\n", fault(2, "in_stock", `" true"`, "say which two words it has")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := refusal(t, compile(t, table.Settings{}, tenPercent()), test.in).Faults[0]
			if !strings.Contains(got.Message, test.want.Message) {
				t.Errorf("message %q lacks %q", got.Message, test.want.Message)
			}
			got.Message = test.want.Message
			if diff := cmp.Diff(test.want, got, butCodes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// wide writes ASCII as UTF-16LE.
func wide(text string) string { return strings.Join(strings.Split(text, ""), "\x00") + "\x00" }

// refusal returns the *InputError of a table that must be refused.
func refusal(t testing.TB, e *Engine, text string) *table.InputError {
	t.Helper()
	var out, changes bytes.Buffer
	_, err := e.Run(t.Context(), strings.NewReader(text), &out, &changes)
	var refused *table.InputError
	if !errors.As(err, &refused) || !errors.Is(err, errs.Invalid) || errs.Message(err) != refused.Error() {
		t.Fatalf("Run: %v, want an InputError that is errs.Invalid", err)
	}
	return refused
}

func TestRefusedPrices(t *testing.T) {
	for _, price := range []string{"AB-1", "-5 things", "1,23,4", "+1", "1e3", "1.", ".5", "\t", "$5$", "5 things", "1.2.3", "1..2", "..", ".", "NaN", "0x10", "1_000", "٣", "a", "1234567890123456789", "1.123456789012345678901", "12345678.", "1234567a", "/", ":", "1:", "\x10"} {
		t.Run(price, func(t *testing.T) {
			text := header + "A,b,\"" + price + "\",true\n"
			fault := refusal(t, compile(t, table.Settings{}, tenPercent()), text).Faults[0]
			if fault.Row != 2 || fault.Column != "price" || !strings.Contains(fault.Message, "not a price") {
				t.Errorf("refused as %+v", fault)
			}
		})
	}
}

func TestRecordLength(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	e := compile(t, table.Settings{}, tenPercent())
	e.load.ReadBytes = 1 << 20
	row := func(size int) string {
		const rest = "A,fitness,10,true,\"\""
		return "A,fitness,10,true,\"" + strings.Repeat("\n", size-len(rest)) + "\"\r\n"
	}
	const wide = "sku,category,price,in_stock,note\r\n"
	last := "B,fitness,10,true,\n"
	if got := runTable(t, e, wide+row(scan.MaxRecordBytes)+last); got.Summary.RowsChanged != 2 {
		t.Errorf("a record of 4 MiB: %+v", got.Summary)
	}
	for name, text := range map[string]string{
		"one byte over":     wide + last + row(scan.MaxRecordBytes+1) + last,
		"far over":          wide + last + row(9<<20) + last,
		"unclosed and over": wide + last + "C,\"" + strings.Repeat("\n", 5<<20),
	} {
		t.Run(name, func(t *testing.T) {
			refused := refusal(t, e, text)
			if fault := refused.Faults[0]; fault.Row != 3 || !strings.Contains(fault.Message, "4 MiB") || len(fault.Value) > 4*faults.MaxValueBytes {
				t.Errorf("refused as %+v", fault)
			}
		})
	}
}

// TestFirstTwentyOfAKind: each kind is told up to twenty times, the rest are
// counted, and a fault of one kind does not hide those of another.
func TestFirstTwentyOfAKind(t *testing.T) {
	var text strings.Builder
	text.WriteString(header)
	for i := range 30 {
		fmt.Fprintf(&text, "\"A%d\",b,x,true\nB%d,\"b\"c,1,true\n\n", i, i)
	}
	text.WriteString("C,d,1,perhaps\n")
	for _, size := range []int{1, 7, 64, table.UsualWorkload().ReadBytes} {
		e := compile(t, table.Settings{}, tenPercent())
		e.load.ReadBytes = size
		refused := refusal(t, e, text.String())
		kinds := map[string]int{}
		for _, fault := range refused.Faults {
			kinds[fault.Message]++
		}
		want := map[string]int{faults.Advice[faults.BadPrice] + faults.LeaveOdd: 20, faults.Advice[faults.TextAfterQuote]: 20, faults.Advice[faults.BadStock] + faults.LeaveOdd: 1}
		if diff := cmp.Diff(want, kinds); diff != "" || refused.More != 20 {
			t.Errorf("blocks of %d: %d more, %s", size, refused.More, diff)
		}
		if last := refused.Faults[len(refused.Faults)-1]; last.Row != 92 || last.Column != "in_stock" || last.Value != "perhaps" {
			t.Errorf("blocks of %d: last fault %+v", size, last)
		}
	}
}

// TestLateFault has a bad price in row 1,000,000.
func TestLateFault(t *testing.T) {
	row := 1_000_000
	if testing.Short() {
		row = 50_000
	}
	text := header + strings.Repeat("A,fitness,10,true\n", row-2) + "A,fitness,ten,true\n" + strings.Repeat("A,fitness,10,true\n", 10)
	want := &table.InputError{Faults: []table.Fault{fault(int64(row), "price", "ten", faults.Advice[faults.BadPrice]+faults.LeaveOdd)}}
	if diff := cmp.Diff(want, refusal(t, compile(t, table.Settings{}, tenPercent()), text), butCodes); diff != "" {
		t.Error(diff)
	}
}

// TestRefusedResults: what an operation makes of a price can refuse it too.
func TestRefusedResults(t *testing.T) {
	less := plan.Operation{OperationID: "less", Action: plan.Action{Type: plan.FixedDecrease, Value: plan.MustDecimal("5")}}
	more := plan.Operation{OperationID: "more", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("900")}}
	for _, test := range []struct {
		name, price string
		op          plan.Operation
		want        string
	}{
		{"negative", "4.99", less, "operation less would make the price negative: leave the row out, or give the operation a min_price"},
		{"too large", "100000000000000000", more, "operation more would make a price of more than 18 digits before the point: leave the row out, or give the operation a max_price"},
	} {
		t.Run(test.name, func(t *testing.T) {
			refused := refusal(t, compile(t, table.Settings{}, test.op), header+"A,b,"+test.price+",true\n")
			want := &table.InputError{Faults: []table.Fault{fault(2, "price", test.price, test.want)}}
			if diff := cmp.Diff(want, refused, butCodes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRefusedStock: how a word is written that no row shows is not guessed, and
// a state that is another row's is refused in the column that it is read from.
func TestRefusedStock(t *testing.T) {
	for text, want := range map[string]table.Fault{
		header + "A,b,1,ja\n": fault(2, "in_stock", "ja", "does not show the word to be written"),
		"ID,Type,SKU,Parent,Categories,Regular price,In stock?\n2,variation,B,id:1,,5,\n1,variable,A,,Caps,,x\n": fault(3, "In stock?", "x", "say which two words it has"),
	} {
		got := refusal(t, compile(t, table.Settings{}, stock("out", false, plan.Filter{})), text).Faults[0]
		if !strings.Contains(got.Message, want.Message) {
			t.Errorf("message %q lacks %q", got.Message, want.Message)
		}
		got.Message = want.Message
		if diff := cmp.Diff(want, got, butCodes); diff != "" {
			t.Error(diff)
		}
	}
}

func TestErrorText(t *testing.T) {
	refused := &table.InputError{Faults: []table.Fault{fault(3, "Variant Price", "12,50", "not a price")}}
	if got, want := refused.Error(), "The table was refused and nothing was changed: row 3, column Variant Price, value 12,50: not a price."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	more := &table.InputError{Faults: []table.Fault{fault(3, "price", "x", "not a price"), fault(4, "", "", "an empty line"), fault(9, "price", "y", "not a price")}, More: 7}
	want := `The table was refused and nothing was changed. It has 10 faults.
Not a price:
  row 3, column price, value x
  row 9, column price, value y
An empty line:
  row 4
and 7 more.`
	if diff := cmp.Diff(want, more.Error()); diff != "" {
		t.Error(diff)
	}
}

func fault(row int64, column, value, message string) table.Fault {
	return table.Fault{Row: row, Column: column, Value: value, Message: message}
}

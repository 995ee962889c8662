package pricing_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
)

// written writes a table, which has commas, LF and no quoted delimiters of
// others, in a dialect.
func written(t testing.TB, text string, d dialect.Dialect) []byte {
	t.Helper()
	var out strings.Builder
	lineEnd := map[dialect.LineEnd]string{dialect.LF: "\n", dialect.CRLF: "\r\n", dialect.CR: "\r"}[d.LineEnd]
	if d.SepLine {
		out.WriteString("sep=" + string(d.Delimiter.Byte()) + lineEnd)
	}
	if d.Comment {
		text = "\"# Required | one, of ; \"\"all\"\"\",# Optional,\"#\"\n" + text
	}
	quoted := false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
			out.WriteRune(r)
		case r == ',' && !quoted:
			out.WriteByte(d.Delimiter.Byte())
		case r == '\n' && !quoted:
			out.WriteString(lineEnd)
		default:
			out.WriteRune(r)
		}
	}
	switch d.Encoding {
	case dialect.Windows1252:
		encoded, err := charmap.Windows1252.NewEncoder().String(out.String())
		if err != nil {
			t.Fatal(err)
		}
		return []byte(encoded)
	case dialect.UTF16LE, dialect.UTF16BE:
		var order binary.AppendByteOrder = binary.LittleEndian
		if d.Encoding == dialect.UTF16BE {
			order = binary.BigEndian
		}
		units := utf16.Encode([]rune(out.String()))
		if d.BOM {
			units = append([]uint16{0xfeff}, units...)
		}
		var raw []byte
		for _, unit := range units {
			raw = order.AppendUint16(raw, unit)
		}
		return raw
	default:
		if d.BOM {
			return []byte("\ufeff" + out.String())
		}
		return []byte(out.String())
	}
}

// allDialects are all that there are.
func allDialects() (all []dialect.Dialect) {
	for _, delimiter := range dialect.Delimiters {
		for _, lineEnd := range []dialect.LineEnd{dialect.LF, dialect.CRLF, dialect.CR} {
			for _, encoding := range []dialect.Encoding{dialect.UTF8, dialect.UTF16LE, dialect.UTF16BE, dialect.Windows1252} {
				for _, flags := range []int{0, 1, 2, 3, 4, 7} {
					if encoding == dialect.Windows1252 && flags&1 != 0 {
						continue // it has no mark
					}
					all = append(all, dialect.Dialect{Delimiter: delimiter, LineEnd: lineEnd, Encoding: encoding, BOM: flags&1 != 0, SepLine: flags&2 != 0, Comment: flags&4 != 0})
				}
			}
		}
	}
	return all
}

// dialectsToRun are all of them, and under the race detector every fifth: 21 in a
// row share a delimiter and a line end, so every fifth meets each of each.
func dialectsToRun() (some []dialect.Dialect) {
	step := 1
	if testing.Short() {
		step = 5
	}
	for i, d := range allDialects() {
		if i%step == 0 {
			some = append(some, d)
		}
	}
	return some
}

// TestDialects writes tables in every dialect: each is found, and what comes
// out is what the same table in commas, LF and UTF-8 gives, in that dialect,
// byte for byte, with the same change lines.
func TestDialects(t *testing.T) {
	const header = "sku,category,price,in_stock,note\n"
	tables := map[string]string{
		"names":  header + "A101,Größe,29.99,true,\nB,Øl,10,No,ü\nC301,accessories,9.99,1,x\nÜ,fitness,40,true,€\n",
		"quotes": header + "A101,\"say \"\"hi\"\"\",29.99,true,\"two\nlines\"\n\"B\",fitness,\"10\",TRUE,\"a \"\"b\"\"\"\n,fitness,5.5,yes,\n",
		"no end": header + "A101,fitness,29.99,true,é",
		"empty":  header + "A101,fitness,29.99,true,é\n\n\n",
	}
	for name, text := range tables {
		p := variedPlan()
		p.Operations[0].Filter.Categories = []string{"Größe", "fitness", `say "hi"`}
		settings := table.Settings{Unmatched: setting.RepriceAll(p.Excluded()...)}
		e, err := pricing.Compile(p, settings)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := engineOutcome(t, e, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if plain.Result.Changes == "" {
			t.Fatalf("%s: nothing changes", name)
		}
		for _, d := range dialectsToRun() {
			if d.Delimiter == dialect.Pipe && d.Encoding == dialect.Windows1252 && name != "quotes" {
				continue // the encoding must be said
			}
			if name == "quotes" && d.LineEnd == dialect.CR && d.Encoding == dialect.Windows1252 {
				continue // nothing in it tells the encoding from UTF-8
			}
			in := written(t, text, d)
			for _, size := range []int{1, 7, 1 << 16} {
				var out, changes bytes.Buffer
				summary, err := e.WithBlocks(size, 3).Run(t.Context(), bytes.NewReader(in), &out, &changes)
				if err != nil {
					t.Fatalf("%s in %s: %v", name, d, err)
				}
				if want := written(t, plain.Result.Out, d); !bytes.Equal(out.Bytes(), want) {
					t.Fatalf("%s in %s, blocks of %d:\n%q\nwant\n%q", name, d, size, out.Bytes(), want)
				}
				want := d
				if !bytes.Contains([]byte(text), []byte{0xc3}) && d.Encoding == dialect.Windows1252 {
					want.Encoding = dialect.UTF8 // it is both
				}
				if name == "alone" && !d.Comment && (!d.SepLine || d.LineEnd == dialect.CRLF) {
					want.LineEnd = dialect.LF // there is none, or none that a row could not end with too
				}
				if diff := cmp.Diff(want, summary.Table.Dialect); diff != "" {
					t.Fatalf("%s in %s is found to be another (-want +got):\n%s", name, d, diff)
				}
				if diff := cmp.Diff(plain.Result.Changes, changes.String()); diff != "" {
					t.Fatalf("%s in %s (-plain +got):\n%s", name, d, diff)
				}
			}
		}
	}
}

// FuzzDialect runs a plan that changes nothing over any bytes in any dialect,
// said or found: they come out as they went in, or are refused.
func FuzzDialect(f *testing.F) {
	for _, text := range trickyTables(f) {
		f.Add([]byte(text), uint16(40), uint8(0))
	}
	for i, d := range allDialects() {
		f.Add(written(f, "sku,category,price,in_stock\nA,é,\"1\n\",true\n\"\"\"\",fitness,5,no\n", d), uint16(i), uint8(i))
	}
	keep := &plan.Plan{Operations: []plan.Operation{{OperationID: "keep", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("0")}, Options: plan.Options{RoundTo: ptr(6)}}}}
	f.Fuzz(func(t *testing.T, text []byte, size uint16, said uint8) {
		settings := table.Settings{BlankPrice: profile.BlankPriceKeep}
		if all := allDialects(); int(said) < len(all) && said%2 == 1 {
			settings.Dialect = all[said]
		}
		e, err := pricing.Compile(keep, settings)
		if err != nil {
			t.Fatal(err)
		}
		var out, changes bytes.Buffer
		_, err = e.WithBlocks(1+int(size), 2).Run(t.Context(), bytes.NewReader(text), &out, &changes)
		var refused *table.InputError
		switch {
		case errors.As(err, &refused):
			if refused.Error() == "" || len(refused.Faults) == 0 || refused.Faults[0].Row < 1 {
				t.Errorf("refused without a place: %+v", refused)
			}
		case err != nil:
			t.Fatal(err)
		case changes.Len() == 0 && !bytes.Equal(out.Bytes(), text):
			t.Errorf("%q comes out as %q", text, out.Bytes())
		}
	})
}

// TestMixedDialects has tables whose parts disagree: what is unlike the rest is
// refused, with its row.
func TestMixedDialects(t *testing.T) {
	const rows = "sku;category;price;in_stock\nA;x;10;true\n"
	for name, test := range map[string]struct {
		text string
		row  int64
		want string
	}{
		"a row with commas":          {rows + "B,x,10,true\n", 3, "has 1 fields where the header has 4: put quotes around a value with a semicolon in it"},
		"LF among CR":                {strings.ReplaceAll(rows+strings.Repeat("B;x;10;true\n", 10_000), "\n", "\r") + "\nC;x;10;true\r", 10_003, "line feed"},
		"LF among the first CR":      {strings.ReplaceAll(rows, "\n", "\r") + "B;x;10;true\r\nC;x;10;true\r", 1, "carriage return"},
		"CR among LF":                {rows + "B;x\r;10;true\n", 3, "carriage return"},
		"half a unit":                {string(written(t, strings.ReplaceAll(strings.ReplaceAll(rows, "10;", "10.00;"), ";", ","), dialect.Dialect{Delimiter: dialect.Tab, LineEnd: dialect.LF, Encoding: dialect.UTF16LE, BOM: true})) + "A", 3, "NUL"},
		"NUL in a UTF-8 table":       {rows + "B;\x00;10;true\n", 3, "NUL"},
		"Windows-1252 beyond a head": {rows + strings.Repeat("B;é;10;true\n", 10_000) + "C;\xe9;10;true\n", 10_003, "encoding"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{"x"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("5")}}}}
			e, err := pricing.Compile(p, table.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = engineOutcome(t, e, []byte(test.text))
			var refused *table.InputError
			if !errors.As(err, &refused) || refused.Faults[0].Row != test.row || !strings.Contains(refused.Faults[0].Message, test.want) {
				t.Errorf("%v, want row %d: %s", err, test.row, test.want)
			}
		})
	}
}

// TestPriceForms has, for each form, a column and what 10% more makes of it.
func TestPriceForms(t *testing.T) {
	for _, test := range []struct {
		name      string
		delimiter dialect.Delimiter
		setting   profile.PriceForm
		in, out   []string
		refused   string
	}{
		{"a sign before", dialect.Comma, "", []string{"$95.00", "$1299.00", "7"}, []string{"$104.50", "$1428.90", "7.70"}, ""},
		{"a code behind", dialect.Comma, "", []string{"352.00 AED", "1 aed"}, []string{"387.20 AED", "1.10 aed"}, ""},
		{"a decimal comma", dialect.Semicolon, "", []string{"2999,00", "10"}, []string{"3298,90", "11,00"}, ""},
		{"points between thousands", dialect.Semicolon, "", []string{"1.299,00", "950,00", "1.000.000,5", "899"}, []string{"1.428,90", "1.045,00", "1.100.000,55", "988,90"}, ""},
		{"commas between thousands", dialect.Semicolon, "", []string{"1,299.00", "950.00", "4000.00"}, []string{"1,428.90", "1,045.00", "4400.00"}, ""},
		{"commas shown by a later row", dialect.Comma, "", []string{"950.00", "1,299.00"}, []string{"1,045.00", "1,428.90"}, ""},
		{"blanks between thousands", dialect.Semicolon, "", []string{"15 000 Fcfa", "900 Fcfa"}, []string{"16 500 Fcfa", "990 Fcfa"}, ""},
		{"no-break blanks", dialect.Semicolon, "", []string{"15\u00a0000,50\u00a0€", "9,50\u00a0€"}, []string{"16\u00a0500,55\u00a0€", "10,45\u00a0€"}, ""},
		{"narrow no-break blanks", dialect.Semicolon, "", []string{"1\u202f299,00 €"}, []string{"1\u202f428,90 €"}, ""},
		{"apostrophes", dialect.Semicolon, "", []string{"CHF 1'299.00", "CHF 12.50"}, []string{"CHF 1'428.90", "CHF 13.75"}, ""},
		{"several currencies", dialect.Comma, "", []string{"$10", "€20.00", "kr 30"}, []string{"$11.00", "€22.00", "kr 33.00"}, ""},
		{"a dollar of a country", dialect.Comma, "", []string{"US$10.00", "R$ 20.00"}, []string{"US$11.00", "R$ 22.00"}, ""},
		{"three decimals shown by another row", dialect.Semicolon, "", []string{"1,299", "12,50"}, nil, "has three decimals where the other prices have at most two"},
		{"three decimals among two, said", dialect.Semicolon, "1234,56", []string{"1,299", "12,50"}, []string{"1,429", "13,750"}, ""},
		{"thousands shown by another row", dialect.Semicolon, "", []string{"1,299", "12.50"}, []string{"1,428.90", "13.75"}, ""},
		{"a leading zero", dialect.Semicolon, "", []string{"0,299", "1,500"}, []string{"0,329", "1,650"}, ""},
		{"three digits behind every point, between commas", dialect.Comma, "", []string{"1.299", "4.499", "899"}, nil, "could be 1299 or 1.299, and no row shows which: say how this table writes 1234.56 with the setting price_form, 1.234,56 if it is 1299, 1234.56 if it is 1.299"},
		{"three digits behind a point, another row shows it", dialect.Comma, "", []string{"1.299", "4.49", "899"}, nil, "price_form=1234.56"},
		{"decimals that the prices have", dialect.Comma, "", []string{"0.0149", "29.9900", "926.6400000000001"}, []string{"0.0164", "32.9890", "1019.3040"}, ""},
		{"the row's own decimals, and no zeros", dialect.Comma, "", []string{"29.9900", "10.5"}, []string{"32.99", "11.55"}, ""},
		{"a Kuwaiti dinar", dialect.Comma, "1234.56", []string{"1.250", "20.505"}, []string{"1.375", "22.556"}, ""},
		{"a comma, as semicolons say", dialect.Semicolon, "", []string{"48 €", "27 €"}, []string{"52,80 €", "29,70 €"}, ""},
		{"whole prices whose mark nothing shows", dialect.Comma, "", []string{"€ 8", "€ 19"}, nil, "no number of the table shows whether it writes 52.80 or 52,80"},
		{"the same, said", dialect.Comma, "1234,56", []string{"€ 8", "€ 19"}, []string{"€ 8,80", "€ 20,90"}, ""},
		{"three digits behind every point, said", dialect.Comma, "1.234,56", []string{"1.299", "4.499", "899"}, []string{"1.428,90", "4.948,90", "988,90"}, ""},
		{"either", dialect.Comma, "", []string{"1,299", "5"}, nil, "could be 1299 or 1.299, and no row shows which: say how this table writes 1234.56 with the setting price_form, 1,234.56 if it is 1299, 1234,56 if it is 1.299"},
		{"either, with a point", dialect.Semicolon, "", []string{"1.299"}, nil, "could be 1299 or 1.299"},
		{"either, said", dialect.Comma, "1,234.56", []string{"1,299"}, []string{"1,428.90"}, ""},
		{"either, said otherwise", dialect.Comma, "1234,56", []string{"1,299"}, []string{"1,429"}, ""},
		{"a comma among points", dialect.Comma, "", []string{"12.50", "12,50"}, nil, "another form than the column's first rows"},
		{"a point among commas", dialect.Semicolon, "", []string{"12,50", "12.50"}, nil, "or say which it is with the setting price_form=1234,56"},
		{"a comma among points, said", dialect.Comma, "1234.56", []string{"12.50", "12,50", "€ 1299,5"}, []string{"13.75", "13,75", "€ 1429,45"}, ""},
		{"a point among commas, said", dialect.Semicolon, "1.234,56", []string{"1.299,50", "12.50"}, []string{"1.429,45", "13.75"}, ""},
		{"three digits behind a point among commas, said", dialect.Semicolon, "1234,56", []string{"12,50", "1.299"}, []string{"13,75", "1.428,90"}, ""},
		{"a form that no price has, said", dialect.Semicolon, "1.234,56", []string{"12.50", "1.299"}, nil, "not written as the setting price_form says"},
		{"another form altogether, said", dialect.Semicolon, "1.234,56", []string{"12,50", "1,299.50"}, nil, "not written as the setting price_form says"},
		{"two kinds of groups", dialect.Semicolon, "", []string{"1 299,00", "1.299,00"}, nil, "another form than the column's first rows"},
		{"no currency", dialect.Comma, "", []string{"10 pieces"}, nil, "not a price"},
		{"what most have around it", dialect.Comma, "", []string{"12.50 EUR incl. VAT", "9.00 EUR incl. VAT"}, nil, "\"EUR incl. VAT\" beside the number, as most do, which is no currency that is known: if such cells are prices, say how they write 1234.56, with the setting price_form=1234.56, or leave such rows alone"},
		{"the same, said", dialect.Comma, "1234.56", []string{"12.50 EUR incl. VAT", "9.00 EUR incl. VAT", "7.00"}, []string{"13.75 EUR incl. VAT", "9.90 EUR incl. VAT", "7.70"}, ""},
		{"before and behind, said", dialect.Comma, "1,234.56", []string{"$1,012.50 USD", "$9.00 USD"}, []string{"$1,113.75 USD", "$9.90 USD"}, ""},
		{"no currency, and either", dialect.Comma, "", []string{"85.000d", "95.000d"}, nil, "if such cells are prices, the number could be 85000 or 85.000, and no row shows which"},
		{"the same, said", dialect.Comma, "1.234,56", []string{"1.250.500d", "95.000d"}, []string{"1.375.550,00d", "104.500,00d"}, ""},
		{"what one has, said", dialect.Comma, "1234.56", []string{"12.50", "9.00", "7 pieces"}, nil, "not a price"},
		{"a dash for cents, said", dialect.Comma, "1234,56", []string{"49,-", "59,-"}, nil, "Not a price"},
		{"percentages, said", dialect.Comma, "1234.56", []string{"10%", "12%"}, nil, "Not a price"},
		{"two currencies", dialect.Comma, "", []string{"$10 USD"}, nil, "not a price"},
		{"groups of two", dialect.Comma, "", []string{"1,29,999.00"}, nil, "not a price"},
	} {
		for _, encoding := range []dialect.Encoding{dialect.UTF8, dialect.UTF16BE, dialect.Windows1252} {
			t.Run(fmt.Sprint(test.name, " in ", encoding), func(t *testing.T) {
				write := func(prices []string) []byte {
					text := "sku,category,price,in_stock,é\n"
					for i, price := range prices {
						text += fmt.Sprintf("S%d,x,\"%s\",true,é\n", i, price)
					}
					return written(t, text, dialect.Dialect{Delimiter: test.delimiter, LineEnd: dialect.LF, Encoding: encoding})
				}
				if encoding == dialect.Windows1252 && strings.ContainsAny(strings.Join(test.in, ""), "\u202f") {
					t.Skip("it has no such character")
				}
				p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
				e, err := pricing.Compile(p, table.Settings{PriceForm: test.setting})
				if err != nil {
					t.Fatal(err)
				}
				got, err := engineOutcome(t, e, write(test.in))
				if test.refused != "" {
					if err == nil || !strings.Contains(err.Error(), test.refused) {
						t.Errorf("%v, want %s", err, test.refused)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if want := string(write(test.out)); got.Result.Out != want {
					t.Errorf("got  %q\nwant %q", got.Result.Out, want)
				}
				for i, price := range test.in {
					if line := fmt.Sprintf(`"before":{"price":%q,"in_stock":null},"after":{"price":%q,`, price, test.out[i]); !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(got.Result.Changes, "\u00a0", `\u00a0`), "\u202f", `\u202f`), line) {
						t.Errorf("no line has %s:\n%s", line, got.Result.Changes)
					}
				}
			})
		}
	}
}

// TestNamesThatAnEncodingHasNot are in no row, nor in one without a name.
func TestNamesThatAnEncodingHasNot(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "out", Filter: plan.Filter{Categories: []string{"帽子"}}, Action: plan.Action{Type: plan.SetStock}}}}
	text := written(t, "sku,category,price,in_stock\nA,,10,true\nB,é,10,true\n", dialect.Dialect{Delimiter: dialect.Comma, LineEnd: dialect.LF, Encoding: dialect.Windows1252})
	e, err := pricing.Compile(p, table.Settings{Unmatched: setting.UnmatchedAllow})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := runEngine(t, e, string(text)); err != nil || got.RowsChanged != 0 || got.Operations[0].RowsMatched != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestMoney: a plan of which one operation names an amount of money runs where
// there is one currency, or none.
func TestMoney(t *testing.T) {
	more := plan.Operation{OperationID: "more", Action: plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("1")}}
	dear := plan.Operation{OperationID: "dear", Filter: plan.Filter{PriceGTE: ptr(plan.MustDecimal("1"))}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	capped := plan.Operation{OperationID: "capped", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}, Options: plan.Options{MaxPrice: ptr(plan.MustDecimal("100"))}}
	percent := plan.Operation{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	ending := percent
	ending.Options.PriceEnding = ptr(plan.MustDecimal("0.99")) // digits that a price has in any currency
	for name, op := range map[string]plan.Operation{"fixed": more, "bound": dear, "cap": capped, "percent": percent, "ending": ending} {
		for text, several := range map[string]bool{"10 USD,20 usd,30": false, "10,20,30": false, "10 USD,20 EUR": true, "10,$20": false} {
			e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{op, percent}}, table.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			rows := "sku,price\nA," + strings.ReplaceAll(text, ",", "\nA,") + "\n"
			_, err = engineOutcome(t, e, []byte(rows))
			if refused := err != nil && strings.Contains(err.Error(), "row 3") && strings.Contains(err.Error(), "currency"); refused != (several && name != "percent" && name != "ending") {
				t.Errorf("%s over %s: %v", name, text, err)
			}
		}
	}
}

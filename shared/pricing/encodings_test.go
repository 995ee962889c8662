package pricing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestEncodedTables carries out a plan, and takes it back, in tables that Python's codecs
// wrote, where somebody says the encoding: what changes is what changes in UTF-8. Where
// nobody does, a plan that looks at what is not ASCII is asked for it.
func TestEncodedTables(t *testing.T) {
	files, err := filepath.Glob("../table/dialect/testdata/encoded/*.csv")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	category := map[string]string{"ja": "運動", "zh-cn": "运动", "zh-tw": "運動", "ko": "요가", "ru": "Фитнес"}
	codecs := map[string]dialect.Encoding{"cp932": "Shift_JIS", "gb18030": "GB18030", "gbk": "GBK", "big5": "Big5", "euc_kr": "EUC-KR", "cp949": "EUC-KR", "cp1251": "windows-1251"}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, piped := strings.CutSuffix(strings.TrimSuffix(filepath.Base(file), ".csv"), "-pipe")
		codec := codecs[name[strings.LastIndex(name, "-")+1:]]
		var p *plan.Plan
		for language, name := range category {
			if strings.HasPrefix(filepath.Base(file), language) {
				p = &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{name}, InStock: ptr(true)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
			}
		}
		if _, err := runEngine(t, compiled(t, p, table.Settings{}), string(raw)); err == nil || !strings.Contains(table.On(err, setting.Flags).Error(), "--encoding "+strings.Replace(string(codec), "GBK", "GB18030", 1)) {
			t.Errorf("%s is not asked about: %v", file, err)
		}
		settings := table.Settings{Dialect: dialect.Dialect{Encoding: codec}}
		text := settings.Dialect.Text(raw)
		if piped { // no number of it shows a decimal mark
			settings.PriceForm = "1234.56"
		}
		forth, err := runEngine(t, compiled(t, p, settings), string(raw))
		if piped && settings.Dialect.SeveralBytes() {
			if err == nil || !strings.Contains(err.Error(), "a part of some characters") {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		plain, err := runEngine(t, compiled(t, p, table.Settings{PriceForm: settings.PriceForm}), text)
		if err != nil || settings.Dialect.Text([]byte(forth.out)) != plain.out || forth.RowsChanged == 0 || forth.RowsChanged != plain.RowsChanged {
			t.Errorf("%s: %v, %d rows change, and %d in UTF-8", file, err, forth.RowsChanged, plain.RowsChanged)
		}
		if !settings.Dialect.SeveralBytes() {
			compare(t, p, settings, raw, 1, 7, 1<<16)
		}
		again, err := forth.Table.ReadAgain(settings, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if back := undone(t, forth.changes, again, forth.out); back.out != string(raw) {
			t.Errorf("%s is not given back", file)
		}
		compareRanges(t, compiled(t, p, settings), raw, []int64{300})
	}
}

func compiled(t *testing.T, p *plan.Plan, s table.Settings) *pricing.Engine {
	t.Helper()
	e, err := pricing.Compile(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEncodingsThatDoNotMatter: a table in any encoding passes where no cell that the plan
// looks at has a byte that is not ASCII.
func TestEncodingsThatDoNotMatter(t *testing.T) {
	bySKU := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{SKUs: []string{"A1"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	byName := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{"Pots"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	for encoding, category := range map[string]string{"Shift_JIS": "\x89^\x93\xae", "windows-1251": "\xd4\xe8\xf2\xed\xe5\xf1", "ISO-2022-JP": "\x1b$B1?F0\x1b(B"} {
		text := "sku,category,price\nA1,Pots,10.00\nA2," + category + ",20.00\n"
		compare(t, bySKU, table.Settings{}, []byte(text), 1, 7, 1<<16)
		compare(t, byName, table.Settings{}, []byte(text), 1, 7, 1<<16)
		got, err := runEngine(t, compiled(t, bySKU, table.Settings{}), text)
		if want := strings.Replace(text, "10.00", "11.00", 1); err != nil || got.out != want {
			t.Errorf("%s: %v, %q", encoding, err, got.out)
		}
		if _, err := runEngine(t, compiled(t, byName, table.Settings{}), text); err == nil || !strings.Contains(err.Error(), "row 3, column category") || !strings.Contains(err.Error(), "encoding") {
			t.Errorf("%s: %v", encoding, err)
		}
		piped := strings.ReplaceAll(text, ",", "|")
		_, err = runEngine(t, compiled(t, bySKU, table.Settings{}), piped)
		if asked := err != nil && strings.Contains(err.Error(), "separated by |"); asked != (encoding != "ISO-2022-JP") {
			t.Errorf("%s, in pipes: %v", encoding, err)
		}
		compare(t, bySKU, table.Settings{}, []byte(piped), 1, 1<<16)
	}
}

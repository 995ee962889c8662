package table_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
)

// TestTwoEncodingsReadAsWell: few words of Polish in Windows-1250 may be Croatian in
// ISO-8859-2. What differs is told, and asked about where a title or a name does.
func TestTwoEncodingsReadAsWell(t *testing.T) {
	polish := func(text string) string {
		raw, err := charmap.Windows1250.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	rows := polish("sku,category,price,name\nA1,Maka,1,x\nA2,Maka,2,mąka\nA3,Maka,3,\"rąbanka, mąka\"\n")
	open := func(text string, s table.Settings, names ...string) (*table.Table, error) {
		q := table.NewQuery(table.Query{Needs: table.Needs{Reads: []table.Role{table.RolePrice}}, Conditions: []table.Condition{{table.RoleCategory: {Only: names}}}})
		return table.Open(strings.NewReader(text), s, q.Needs, table.HeadBytes)
	}
	opened, err := open(rows, table.Settings{}, "Maka")
	if err != nil {
		t.Fatal(err)
	}
	want := table.Rival{Taken: dialect.Windows1250, Encoding: dialect.Latin2, Row: 3, Column: "name", Says: "mąka", Else: "mška"}
	if got := opened.Rival(); got == nil || *got != want {
		t.Errorf("the rival is %+v, want %+v", got, want)
	}
	if opened, err := open(rows, table.Settings{Dialect: dialect.Dialect{Encoding: dialect.Latin2}}, "Mąka"); err != nil || opened.Rival() != nil {
		t.Errorf("with the encoding said: %v", err)
	}
	for name, refused := range map[string]func() (*table.Table, error){
		`row 1, column cząst: the table reads as well in windows-1250 as in ISO-8859-2, where this is cząst or czšst: say which, with the setting encoding=windows-1250`: func() (*table.Table, error) {
			return open(strings.Replace(rows, "name\n", polish("cząst\n"), 1), table.Settings{}, "Maka")
		},
		`and the plan has names with ą: say which`: func() (*table.Table, error) { return open(rows, table.Settings{}, "Mąka") },
	} {
		_, err := refused()
		if input, is := errors.AsType[*table.InputError](err); !is || !strings.Contains(input.Error(), name) {
			t.Errorf("%v\nwant %s", err, name)
		}
	}
}

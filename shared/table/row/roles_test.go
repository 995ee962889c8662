package row

import (
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestRoles: what goes by the roles finds each of them in its place: a plain table
// has a column of its name, a setting of its own names another, and money has a number.
func TestRoles(t *testing.T) {
	var named setting.Columns
	var titles, cells, money []string
	for _, r := range recognize.Roles {
		if *named.Title(r.Role) != "" {
			t.Errorf("%s shares its setting", r.Role)
		}
		*named.Title(r.Role) = string(r.Role) + " column"
		titles, cells = append(titles, string(r.Role)), append(cells, "1")
		if r.Kind == recognize.OfStock {
			cells[len(cells)-1] = "yes"
		}
		if r.Kind == recognize.OfMoney {
			money = append(money, string(r.Role))
		}
	}
	for _, header := range []string{strings.Join(titles, ","), strings.Join(titles, " column,") + " column"} {
		s := setting.Settings{}
		if strings.HasSuffix(header, " column") {
			s.Columns = named
		}
		needs := recognize.Needs{}
		for _, r := range recognize.Roles {
			needs.Reads = append(needs.Reads, r.Role)
		}
		read, err := Open(strings.NewReader(header+"\n"+strings.Join(cells, ",")+"\n"), s, needs, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range recognize.Roles {
			if read.Columns[i].Role != r.Role || read.Columns[i].Index != i || read.first(r.Role) != i {
				t.Errorf("%s: column %d is %+v", header, i, read.Columns[i])
			}
		}
	}
	for m, role := range recognize.MoneyRoles {
		if !slices.Contains(money, string(role)) {
			t.Errorf("money %d is %q", m, role)
		}
	}
	if len(money) != len(recognize.MoneyRoles) {
		t.Errorf("%q are money, and %q have numbers", money, recognize.MoneyRoles)
	}
}

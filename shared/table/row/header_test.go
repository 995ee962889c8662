package row

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestSettingsToPaste: a refusal of a header says the setting that a person can give as it
// stands, where it knows one.
func TestSettingsToPaste(t *testing.T) {
	for name, test := range map[string]struct{ in, want string }{
		"the price of a sale alone":    {"sku,Sale Price\nA,9.50\n", "--columns 'price=Sale Price'"},
		"a price that has other words": {"sku,base_price\nA,9.50\n", "--columns price=base_price"},
		"a code that stands twice":     {"Code EAN,Preis\n1,9.50\n1,9.50\n1,9.50\n", "--columns 'sku=Code EAN'"},
		"a regular price beside":       {"sku,price,regular_price,sale_price\nA,9,10,9\n", "--columns price=regular_price or --columns price=price"},
		"two sales":                    {"sku,price,compare at,sale price\nA,9,10,8\n", "--columns 'compare_at=compare at' or --columns 'sale_price=sale price'"},
		"blank titles":                 {",Freudenhof 1,,\n,x,0,7\n,Kohl,0.00,2.50\n,Lauch,0.00,3.50\n", "--header none --columns price=4."},
	} {
		t.Run(name, func(t *testing.T) {
			needs := recognize.Needs{Reads: []recognize.Role{recognize.RolePrice}}
			switch name {
			case "a code that stands twice":
				needs.Reads = append(needs.Reads, recognize.RoleSKU)
			case "two sales":
				needs.Sales = true
			}
			_, err := Open(strings.NewReader(test.in), setting.Settings{}, needs, 1<<16)
			if err == nil || !strings.Contains(On(err, setting.Flags).Error(), test.want) {
				t.Errorf("%v", On(err, setting.Flags))
			}
		})
	}
}

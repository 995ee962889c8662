package plan

import (
	"regexp"
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	for _, tc := range []struct{ instruction, want string }{
		{"Increase prices by 10% for all in-stock fitness products.", "plan_increase_prices_10pct_stock_fitness"},
		{"Discount all yoga products by 5%.", "plan_discount_yoga_5pct"},
		{"Set all yoga products to $15.", "plan_set_yoga_15"},
		{"Set A101 to $19.99!", "plan_set_a101_19-99"},
		{"Don't touch it", "plan_dont_touch"},
		{"提高价格", "plan_381c84fc_instruction"},
		{"yoga", "plan_yoga_ca3142d5"},
		{"Pizza boxes a bit cheaper", "plan_pizza_boxes_bit_cheaper"},
		{"counterclockwise straightforwardly intercontinental", "plan_counterclockwise_straightforwardl"},
		{"counterclockwise straightforwardly acknowledgement", "plan_counterclockwise_straightforwardl_acknowledgement"},
	} {
		if got := Slug(tc.instruction); got != tc.want {
			t.Errorf("Slug(%q) = %q, want %q", tc.instruction, got, tc.want)
		}
	}
}

func FuzzSlug(f *testing.F) {
	f.Add("Increase prices by 10%")
	f.Add("")
	f.Add(strings.Repeat("abcdefghij ", 200))
	valid := regexp.MustCompile(`^[a-zA-Z0-9_-]{8,64}$`)
	f.Fuzz(func(t *testing.T, instruction string) {
		slug := Slug(instruction)
		for _, version := range []string{"_v1", "_v9999999"} {
			if !valid.MatchString(slug + version) {
				t.Errorf("Slug(%q) = %q is not valid with %s", instruction, slug, version)
			}
		}
		if n := strings.Count(slug, "_"); n < 2 || n > slugWords {
			t.Errorf("Slug(%q) = %q has %d words, want 2 to %d", instruction, slug, n, slugWords)
		}
	})
}

package kinds_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/shop/kinds"
)

func TestReadConfig(t *testing.T) {
	settings := func(kind, url string) map[string]string {
		return map[string]string{"SHOP_KIND": kind, "SHOP_URL": url, "SHOP_KEY": "k", "SHOP_SECRET": "s"}
	}
	for name, test := range map[string]struct {
		given map[string]string
		wrong string // "": nothing
		none  bool   // no shop is connected
	}{
		"nothing is set":       {given: nil, none: true},
		"no kind":              {given: settings("", "https://shop.example"), none: true},
		"a shop":               {given: settings("woocommerce", "https://shop.example")},
		"another kind":         {given: settings("shopify", "https://shop.example"), wrong: `SHOP_KIND is "shopify"; it must be `},
		"another kind, no URL": {given: settings("shopify", ""), wrong: "SHOP_URL is not set"},
		"no address":           {given: settings("woocommerce", ""), wrong: "SHOP_URL is not set"},
		"plain http":           {given: settings("woocommerce", "http://shop.example"), wrong: "https://shop.example"},
	} {
		t.Run(name, func(t *testing.T) {
			r := config.Read(config.Map(test.given))
			c := kinds.ReadConfig(r)
			err := r.Err()
			if (c == nil) != test.none || (err != nil) != (test.wrong != "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}

// Every kind opens a shop that says so.
func TestEveryKindOpens(t *testing.T) {
	for _, kind := range kinds.All() {
		c := kinds.Config{Kind: kind, URL: "https://shop.example", Key: "k", Secret: "s"}
		if opened, err := c.Open(); err != nil || opened.Kind() != kind || opened.URL() != c.URL {
			t.Errorf("%s: %v, %v", kind, opened, err)
		}
	}
	c := kinds.Config{Kind: "shopify", URL: "https://shop.example"}
	if _, err := c.Open(); err == nil {
		t.Error("a kind that there is not is opened")
	}
}

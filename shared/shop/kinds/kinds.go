// Package kinds opens the shop that is connected. It alone names the kinds of shops that
// there are: a new one is a line of its table. It stores nothing.
package kinds

import (
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommerce"
)

// Config says which shop is connected.
type Config struct {
	Kind   string // SHOP_KIND
	URL    string // SHOP_URL, as people give it
	Key    config.Secret
	Secret config.Secret
}

// opens has a function for each kind. Its error is errs.Invalid and says what to set.
var opens = map[string]func(Config) (shop.Shop, error){
	woocommerce.Kind: func(c Config) (shop.Shop, error) {
		return woocommerce.New(woocommerce.Config{URL: c.URL, Key: c.Key, Secret: c.Secret})
	},
}

// All returns every kind, in the order of their names.
func All() []string { return slices.Sorted(maps.Keys(opens)) }

// ReadKind reads SHOP_KIND; "" where it is not set.
func ReadKind(r *config.Reader) string {
	kind := r.String("SHOP_KIND", "")
	if kind != "" && opens[kind] == nil {
		r.Problem("SHOP_KIND is %q; it must be %s", kind, strings.Join(All(), " or "))
	}
	return kind
}

// ReadConfig reads which shop is connected: SHOP_KIND, SHOP_URL, SHOP_KEY and SHOP_SECRET.
// It returns nil where SHOP_KIND is not set: no shop is connected.
func ReadConfig(r *config.Reader) *Config {
	c := &Config{
		Kind:   ReadKind(r),
		URL:    r.String("SHOP_URL", ""),
		Key:    r.Secret("SHOP_KEY"),
		Secret: r.Secret("SHOP_SECRET"),
	}
	if c.Kind == "" {
		return nil
	}
	if c.URL == "" {
		r.Problem("SHOP_URL is not set")
	} else if opens[c.Kind] != nil {
		if _, err := c.Open(); err != nil {
			r.Problem("%s", errs.Message(err))
		}
	}
	return c
}

// Open returns the shop, which is not asked anything yet. Invalid: the settings are wrong.
func (c *Config) Open() (shop.Shop, error) {
	open := opens[c.Kind]
	if open == nil {
		return nil, errs.New(errs.Invalid, "SHOP_KIND is %q; it must be %s",
			c.Kind, strings.Join(All(), " or "))
	}
	return open(*c)
}

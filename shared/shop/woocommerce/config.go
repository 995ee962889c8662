package woocommerce

import (
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
)

// ReadConfig reads which shop is connected: SHOP_KIND (woocommerce; not set: none is),
// SHOP_URL, SHOP_KEY and SHOP_SECRET. It returns nil where none is.
func ReadConfig(r *config.Reader) *Config {
	kind := r.String("SHOP_KIND", "")
	c := &Config{URL: r.String("SHOP_URL", ""), Key: r.Secret("SHOP_KEY"), Secret: r.Secret("SHOP_SECRET")}
	if kind == "" {
		return nil
	}
	if kind != Kind {
		r.Problem("SHOP_KIND is %q; it must be %s", kind, Kind)
	}
	if c.URL == "" {
		r.Problem("SHOP_URL is not set")
	} else if _, err := New(*c); err != nil {
		r.Problem("%s", errs.Message(err))
	}
	return c
}

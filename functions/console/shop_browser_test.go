package console_test

import (
	"fmt"
	"testing"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
)

// reload loads a page anew until it shows texts.
func (b tab) reload(path string, texts ...string) {
	b.Helper()
	b.Until(fmt.Sprintf(`(() => {
		if (document.readyState !== "complete" || window.left) return false;
		if (location.pathname === %[1]q && document.body.innerText.includes(%[2]q)) return true;
		window.left = true;
		location.assign(%[1]q);
		return false;
	})()`, path, texts[0]))
	b.Shows(texts...)
}

// TestAShopByMouse fetches a shop, changes its prices, looks at what came of each, has the
// refused one tried again, and undoes it all.
func TestAShopByMouse(t *testing.T) {
	stand := woocommercetest.New()
	add := func(sku, name string) string {
		return stand.Add(woocommercetest.Product{SKU: sku, Name: name, Category: 2, Prices: shop.Prices{Regular: "10.00"}})
	}
	fine, already, stale := add("FINE", "Fine cup"), add("ALREADY", "Already plate"), add("STALE", "Stale bowl")
	refused, gone := add("REFUSED", "Refused mug"), add("GONE", "Gone glass")
	b := newTab(t, map[string]string{
		"SHOP_KIND": "woocommerce", "SHOP_URL": stand.Serve(t), "SHOP_KEY": woocommercetest.Key, "SHOP_SECRET": woocommercetest.Secret,
	})
	b.open("/")
	b.press("Fetch from the shop")
	b.Shows("New change", "woocommerce.csv")
	b.fill("instruction", "Increase prices by 10%.")
	b.press("Fill in the rules")
	b.Shows("of 5 change", "Change 5 prices in the shop")
	b.accessible("shop-new")
	stand.Edit(already, shop.Prices{Regular: "11.00"})
	stand.Edit(stale, shop.Prices{Regular: "12.34"})
	stand.Refuse(refused, "Locked by a plugin.")
	stand.Remove(gone)
	b.press("Change 5 prices in the shop")
	b.Shows("Done.", "See what was written")
	b.press("See what was written")
	b.Shows("5 prices")
	posting := browsertest.Eval[string](b.Browser, "location.pathname")
	b.reload(posting, "3 of 5 prices are not as planned", "Stale bowl", "12.34", "It was changed in the shop since", "Refused mug", "Locked by a plugin.", "Gone glass", "The shop does not have it any more.")
	b.accessible("shop-posting")
	stand.Accept()
	b.press("Try the refused again")
	b.reload(posting, "2 of 5 prices are not as planned")
	b.accessible("shop-posting-again")
	b.costs(stand, fine, "11.00")
	b.costs(stand, refused, "11.00")
	b.costs(stand, stale, "12.34")
	change := "/executions/" + posting[len("/postings/"):]
	b.reload(change, "Done. 3 of 5 prices are in the shop")
	b.accessible("shop-result")
	b.press("Undo")
	b.Shows("Undone.")
	undo := browsertest.Eval[string](b.Browser, "location.pathname")
	b.reload(undo, "Undone. All 3 prices are in the shop.", "STALE", "12.34")
	b.accessible("shop-undone")
	b.costs(stand, fine, "10.00")
	b.costs(stand, already, "10.00")
	b.costs(stand, refused, "10.00")
	b.costs(stand, stale, "12.34")
	b.open("/")
	b.accessible("shop-start")
}

func (b tab) costs(stand *woocommercetest.Shop, id, price string) {
	b.Helper()
	if now, _ := stand.Now(id); now.Regular != price {
		b.Errorf("%s costs %+v, want %s", id, now, price)
	}
}

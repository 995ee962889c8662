package woocommerce_test

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/shoptest"
	"github.com/planwright/planwright/shared/shop/woocommerce"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
)

// hand is the stand-in's.
type hand struct{ *woocommercetest.Shop }

func (h hand) Stand() *woocommercetest.Shop { return h.Shop }

func (h hand) Add(p shoptest.Product) string {
	parent, _ := strconv.ParseInt(p.Parent, 10, 64)
	kind := map[bool]string{true: "variable"}[p.Variable]
	return h.Shop.Add(woocommercetest.Product{Parent: parent, Type: kind, SKU: p.SKU, Name: p.Name, Prices: p.Prices, Category: 2})
}

func client(t testing.TB, url string) *woocommerce.Client {
	t.Helper()
	c, err := woocommerce.New(woocommerce.Config{URL: url, Key: woocommercetest.Key, Secret: woocommercetest.Secret})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConformance(t *testing.T) {
	shoptest.Run(t, func(t *testing.T) (shop.Shop, shoptest.Hand) {
		stand := woocommercetest.New()
		return client(t, stand.Serve(t)), hand{stand}
	})
}

// TestConformanceWhereAShopAnswersBadly runs the suite with a shop that answers late,
// does everything twice, does a part, and does not answer.
func TestConformanceWhereAShopAnswersBadly(t *testing.T) {
	for name, mood := range map[string]woocommercetest.Mood{
		"late": woocommercetest.Late, "twice": woocommercetest.Twice, "partly": woocommercetest.Partly, "not at all": woocommercetest.Silent,
	} {
		t.Run(name, func(t *testing.T) {
			shoptest.Run(t, func(t *testing.T) (shop.Shop, shoptest.Hand) {
				stand := woocommercetest.New()
				stand.SetMood(mood)
				return client(t, stand.Serve(t)), hand{stand}
			})
		})
	}
}

// TestOlderShops lists variations by their product alone.
func TestOlderShops(t *testing.T) {
	stand := woocommercetest.New()
	stand.SetOlder()
	stand.Fill(50, 3)
	var table strings.Builder
	fetched, err := client(t, stand.Serve(t)).Fetch(t.Context(), &table)
	if err != nil || fetched.Rows != 50 || strings.Count(table.String(), "variation,") != 30 {
		t.Errorf("fetched %+v, %v, with %d variations", fetched, err, strings.Count(table.String(), "variation,"))
	}
}

func TestRequestsOfACatalogue(t *testing.T) {
	stand := woocommercetest.New()
	for i := range 250 {
		stand.Add(woocommercetest.Product{SKU: fmt.Sprint("S", i), Name: "S", Prices: shop.Prices{Regular: "1.00"}})
		parent, _ := strconv.ParseInt(stand.Add(woocommercetest.Product{SKU: fmt.Sprint("P", i), Name: "P", Type: "variable"}), 10, 64)
		for j := range 4 {
			stand.Add(woocommercetest.Product{Parent: parent, SKU: fmt.Sprint("V", i, j), Name: "V", Type: "variation", Prices: shop.Prices{Regular: "1.00"}})
		}
	}
	url := stand.Serve(t)
	fetched, err := client(t, url).Fetch(t.Context(), io.Discard)
	if err != nil || fetched.Rows != 1500 || stand.Requests() > 20 {
		t.Errorf("%d rows by %d requests, %v", fetched.Rows, stand.Requests(), err)
	}
	t.Logf("1,500 rows by %d requests", stand.Requests())
}

func TestWhereKeysAreSent(t *testing.T) {
	for url, works := range map[string]bool{
		"https://shop.example": true, "https://shop.example/de/": true, "http://127.0.0.1:8080": true, "http://localhost": true, "http://[::1]:80": true,
		"http://shop.example": false, "http://127.0.0.1.shop.example": false, "ftp://shop.example": false, "shop.example": false, "": false,
		"https://user:word@shop.example": false, "https://shop.example?x=1": false,
	} {
		_, err := woocommerce.New(woocommerce.Config{URL: url, Key: "k", Secret: "s"})
		if (err == nil) != works || err != nil && errs.KindOf(err) != errs.Invalid {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := woocommerce.New(woocommerce.Config{URL: "https://shop.example"}); errs.KindOf(err) != errs.Invalid {
		t.Errorf("without keys: %v", err)
	}
}

// TestRedirectsAreNotFollowed keeps the keys from any other host.
func TestRedirectsAreNotFollowed(t *testing.T) {
	stand := woocommercetest.New()
	stand.Next(woocommercetest.Fault{Kind: woocommercetest.Redirects})
	_, err := client(t, stand.Serve(t)).About(t.Context())
	if errs.KindOf(err) != errs.Denied || !strings.Contains(err.Error(), "https://login.example") || strings.Contains(err.Error(), "ck_") {
		t.Errorf("it says %v", err)
	}
}

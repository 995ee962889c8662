package shoptest

import (
	"io"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
	"github.com/planwright/planwright/shared/test/expect"
)

var fetchTests = []test{
	{"every product once, though all were made at one time", fetchesAll},
	{"variations name their product, whatever lists the shop has", fetchesVariations},
	{"a product that is added while the pages are read", fetchesWhileAdded},
	{"a product that is removed while the pages are read", fetchesWhileRemoved},
	{"a catalogue that never holds still is refused", fetchGivesUp},
	{"a list without a count", fetchNeedsCount},
	{"nothing is fetched while changes are being written", fetchWaits},
}

func fetchesAll(w *world) {
	ids := w.simple(230)
	rows := w.fetch()
	expect.Equal(w.T, "rows", len(ids), len(rows))
	for i, row := range rows {
		expect.Equal(w.T, "the id", ids[i], row[column["id"]])
	}
}

func fetchesVariations(w *world) {
	parent := w.hand.Add(Product{Variable: true, SKU: "P", Name: "Shoe & Sole"})
	red := w.hand.Add(Product{
		Parent: parent,
		SKU:    "P-R",
		Name:   "Shoe & Sole - Red",
		Prices: shop.Prices{Regular: "20.00", Sale: "15.00"},
	})
	check := func() {
		w.Helper()
		rows := w.fetch()
		expect.Equal(w.T, "rows", 2, len(rows))
		expect.Equal(w.T, "the name, without HTML's entities", "Shoe & Sole", rows[0][column["name"]])
		expect.Equal(
			w.T,
			"the variation",
			[]string{red, "variation", "id:" + parent},
			[]string{rows[1][column["id"]], rows[1][column["type"]], rows[1][column["parent"]]},
		)
		expect.Equal(
			w.T,
			"its prices",
			[]string{"20.00", "15.00"},
			[]string{rows[1][column["regular"]], rows[1][column["sale"]]},
		)
	}
	check()
	stand := w.stand()
	expect.Equal(w.T, "the category's path", `Sport & Fitness > Shoes`, w.fetch()[0][column["categories"]])
	stand.SetNewer()
	check()
}

func fetchesWhileAdded(w *world) {
	stand := w.stand()
	w.simple(150)
	stand.Next(woocommercetest.Fault{
		On:   "v3/products",
		Skip: 2,
		Kind: woocommercetest.Acts,
		Act:  func() { w.simple(1) },
	})
	expect.Equal(w.T, "rows", 151, len(w.fetch()))
}

func fetchesWhileRemoved(w *world) {
	stand := w.stand()
	ids := w.simple(150)
	stand.Next(woocommercetest.Fault{On: "v3/products", Skip: 2, Kind: woocommercetest.Acts, Act: func() {
		w.hand.Remove(ids[3]) // and one comes, so that the count is the same
		w.simple(1)
	}})
	rows := w.fetch()
	expect.Equal(w.T, "rows", 150, len(rows))
	seen := map[string]bool{}
	for _, row := range rows {
		seen[row[column["id"]]] = true
	}
	expect.ErrorIf(w.T, seen[ids[3]] || !seen[ids[100]] || !seen[ids[149]],
		"a product is missing, or one is there that is gone")
}

func fetchGivesUp(w *world) {
	stand := w.stand()
	w.simple(150)
	grows := woocommercetest.Fault{On: "v3/products", Skip: 2, Kind: woocommercetest.Acts}
	grows.Act = func() { w.simple(1); stand.Next(grows) }
	stand.Next(grows)
	_, err := w.publisher().Fetch(w.Context(), func(in io.Reader, _ postings.Shop) error {
		_, err := io.ReadAll(in)
		return err
	})
	expect.ErrorIf(w.T, errs.KindOf(err) != errs.Stale, "it was fetched: %v", err)
}

func fetchNeedsCount(w *world) {
	stand := w.stand()
	w.simple(2)
	stand.Next(woocommercetest.Fault{On: "v3/products", Skip: 1, Kind: woocommercetest.Uncounted})
	_, err := w.shop.Fetch(w.Context(), io.Discard)
	expect.ErrorIf(w.T, errs.KindOf(err) != errs.Unusable, "it was fetched without a count: %v", err)
}

func fetchWaits(w *world) {
	w.simple(2)
	w.change(dearer)
	_, err := w.publisher().Fetch(w.Context(), func(io.Reader, postings.Shop) error { return nil })
	expect.ErrorIf(w.T, errs.KindOf(err) != errs.Conflict, "it was fetched meanwhile: %v", err)
	w.finish()
	expect.Equal(w.T, "rows", 2, len(w.fetch()))
}

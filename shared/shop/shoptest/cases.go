package shoptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
	"github.com/planwright/planwright/shared/test/expect"
)

var rowTests = []test{
	{"before is written, after is already so, else it is stale or gone", comparesRows},
	{"variations are written by their product", writesVariations},
	{"a sale beside the price is kept", keepsSale},
	{"a write that would erase a sale is refused", refusesToEraseSale},
	{"a sale that is made, and one that is ended", changesSales},
	{"more decimals than the shop keeps", refusesDecimals},
	{"what is no price is never sent", sendsPricesAlone},
	{"prices compare as numbers", comparesAsDecimals},
	{"some items of a batch are refused, and tried again", refusesSome},
	{"more rows than a batch takes", cutsBatches},
	{"another currency than before", refusesCurrency},
	{"what was edited behind the publisher is listed", findsLaterEdits},
}

func comparesRows(w *world) {
	ids := w.simple(5)
	w.change(dearer)
	w.hand.Edit(ids[1], shop.Prices{Regular: "11.00"})
	w.hand.Edit(ids[2], shop.Prices{Regular: "12.34"})
	w.hand.Edit(ids[3], shop.Prices{Regular: "10.00", Sale: "9.00"})
	w.hand.Remove(ids[4])
	p := w.finish()
	w.counts(p, 1, 1, 2, 0, 1, 0)
	w.costs(ids[0], "11.00", "")
	w.costs(ids[1], "11.00", "")
	w.costs(ids[2], "12.34", "")
	w.costs(ids[3], "10.00", "9.00")
	w.left(p, shop.Gone)
	for _, row := range p.Left {
		if row.Row == 4 {
			expect.Equal(w.T, "what the stale one has", "12.34", row.Has)
		}
	}
}

func writesVariations(w *world) {
	var ids []string
	for i := range 3 {
		parent := w.hand.Add(Product{Variable: true, SKU: fmt.Sprint("P", i), Name: fmt.Sprint("Shoe ", i)})
		for j := range 4 {
			ids = append(ids, w.hand.Add(Product{
				Parent: parent,
				SKU:    fmt.Sprint("V", i, j),
				Name:   fmt.Sprint("Shoe ", i, " - ", j),
				Prices: shop.Prices{Regular: "20.00"},
			}))
		}
	}
	ids = append(ids, w.simple(2)...)
	w.change(dearer)
	p := w.finish()
	w.counts(p, 14, 0, 0, 0, 0, 0)
	w.costs(ids[0], "21.00", "")
	w.costs(ids[11], "21.00", "")
	w.costs(ids[13], "11.00", "")
}

func keepsSale(w *world) {
	id := w.hand.Add(Product{SKU: "A", Name: "A", Prices: shop.Prices{Regular: "10.00", Sale: "8.00"}})
	w.change(dearer)
	w.counts(w.finish(), 1, 0, 0, 0, 0, 0)
	w.costs(id, "11.00", "8.00")
}

func refusesToEraseSale(w *world) {
	id := w.hand.Add(Product{SKU: "A", Name: "A", Prices: shop.Prices{Regular: "10.00", Sale: "8.00"}})
	other := w.hand.Add(Product{SKU: "B", Name: "B", Prices: shop.Prices{Regular: "10.00"}})
	w.change(func(_ []string, is shop.Prices) shop.Prices { is.Regular = "8.00"; return is })
	p := w.finish()
	w.counts(p, 1, 0, 0, 1, 0, 0)
	w.left(p, shop.Refused)
	w.costs(id, "10.00", "8.00")
	w.costs(other, "8.00", "")
}

func changesSales(w *world) {
	made := w.hand.Add(Product{SKU: "A", Name: "A", Prices: shop.Prices{Regular: "10.00"}})
	ended := w.hand.Add(Product{SKU: "B", Name: "B", Prices: shop.Prices{Regular: "10.00", Sale: "8.00"}})
	w.change(func(row []string, is shop.Prices) shop.Prices {
		is.Sale = map[string]string{made: "7.50", ended: ""}[row[column["id"]]]
		return is
	})
	w.counts(w.finish(), 2, 0, 0, 0, 0, 0)
	w.costs(made, "10.00", "7.50")
	w.costs(ended, "10.00", "")
}

func refusesDecimals(w *world) {
	ids := w.simple(2)
	w.change(func(row []string, is shop.Prices) shop.Prices {
		is.Regular = map[string]string{ids[0]: "10.999", ids[1]: "10.990"}[row[column["id"]]]
		return is
	})
	p := w.finish()
	w.counts(p, 1, 0, 0, 1, 0, 0)
	w.left(p, shop.Refused)
	w.costs(ids[0], "10.00", "")
}

func sendsPricesAlone(w *world) {
	ids := w.simple(4)
	bad := map[string]string{ids[0]: "9,99", ids[1]: "abc", ids[2]: "", ids[3]: "-5"}
	w.change(func(row []string, is shop.Prices) shop.Prices {
		is.Regular = bad[row[column["id"]]]
		return is
	})
	w.counts(w.finish(), 0, 0, 0, 4, 0, 0)
	for _, id := range ids {
		w.costs(id, "10.00", "")
		text := bad[id]
		results := expect.Result(w.shop.Write(w.Context(), "", []shop.Set{{ID: id, Regular: &text}}))(w.T)
		expect.ErrorIf(w.T, len(results) != 1 || results[0].Refused == "", "%q was sent: %+v", text, results)
		w.costs(id, "10.00", "")
	}
}

func comparesAsDecimals(w *world) {
	ids := w.simple(2)
	w.change(dearer)
	w.hand.Edit(ids[0], shop.Prices{Regular: "10"})
	w.hand.Edit(ids[1], shop.Prices{Regular: "11.0"})
	w.counts(w.finish(), 1, 1, 0, 0, 0, 0)
}

func refusesSome(w *world) {
	stand := w.stand()
	ids := w.simple(5)
	w.change(dearer)
	stand.Refuse(ids[2], "Not today, says ck_standin.")
	p := w.finish()
	w.counts(p, 4, 0, 0, 1, 0, 0)
	row := w.left(p, shop.Refused)
	expect.ErrorIf(w.T, !strings.Contains(row.Why, "Not today"), "the reason is %q", row.Why)
	w.noSecret(row.Why)
	w.costs(ids[2], "10.00", "")
	w.costs(ids[4], "11.00", "")
	stand.Accept()
	expect.NoError(w.T, expect.ErrorOf(postings.Retry(w.Context(), w.store, executionID, w.clock())))
	p = w.finish()
	w.counts(p, 1, 4, 0, 0, 0, 0)
	expect.ErrorIf(w.T, p.Progress.Before != 4 && !w.isMoody() || len(p.Left) != 0, "after another pass: %+v",
		p)
	w.costs(ids[2], "11.00", "")
}

func cutsBatches(w *world) {
	ids := w.simple(130)
	set := make([]shop.Set, 101)
	price := "11.00"
	for i := range set {
		set[i] = shop.Set{ID: ids[i], Regular: &price}
	}
	_, err := w.shop.Write(w.Context(), "", set)
	expect.ErrorIf(w.T, err == nil, "a batch of 101 was taken")
	w.costs(ids[0], "10.00", "")
	w.change(dearer)
	w.counts(w.finish(), 130, 0, 0, 0, 0, 0)
	w.costs(ids[129], "11.00", "")
}

func refusesCurrency(w *world) {
	stand := w.stand()
	ids := w.simple(2)
	w.change(dearer)
	stand.SetCurrency("USD")
	p := w.finish()
	w.counts(p, 0, 0, 0, 2, 0, 0)
	expect.ErrorIf(w.T, !strings.Contains(p.Left[0].Why, "USD") || p.Left[0].Name == "", "the row: %+v",
		p.Left[0])
	w.costs(ids[0], "10.00", "")
}

func findsLaterEdits(w *world) {
	ids := w.simple(60)
	w.change(dearer)
	w.steps = func(p postings.Posting) {
		if p.Status == postings.Checks && p.Progress.Checked == 0 {
			w.hand.Edit(ids[7], shop.Prices{Regular: "99.00"})
		}
	}
	p := w.finish()
	w.counts(p, 60, 0, 0, 0, 0, 1)
	row := w.left(p, shop.Differs)
	expect.Equal(w.T, "what it has", "99.00", row.Has)
	w.costs(ids[7], "99.00", "")
}

var faultTests = []test{
	{
		"a reply that is lost before the write",
		faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Lost}),
	},
	{
		"a reply that is lost after the write",
		faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Unheard}),
	},
	{
		"a shop that is killed after 7 of a batch",
		faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Killed, After: 7}),
	},
	{"an answer that is cut off", faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Cut})},
	{
		"an answer that leaves an item out",
		faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.LeavesOut}),
	},
	{"a page in place of an answer", faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Page})},
	{"a redirect to a login", faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Redirects})},
	{"401", faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 401})},
	{"403", faulted(woocommercetest.Fault{On: "products", Kind: woocommercetest.Status, Code: 403})},
	{"413", faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 413})},
	{"500", faulted(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 500})},
	{
		"502 while reading",
		faulted(woocommercetest.Fault{On: "products", Kind: woocommercetest.Status, Code: 502}),
	},
	{"settings that do not come", faulted(woocommercetest.Fault{On: "settings", Kind: woocommercetest.Page})},
	{"all of it, one after the other", faulted(
		woocommercetest.Fault{On: "batch", Kind: woocommercetest.Unheard},
		woocommercetest.Fault{On: "batch", Kind: woocommercetest.Killed, After: 3},
		woocommercetest.Fault{On: "products", Kind: woocommercetest.Lost},
		woocommercetest.Fault{On: "batch", Kind: woocommercetest.Ghost},
		woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 503, Wait: "120"},
		woocommercetest.Fault{On: "batch", Kind: woocommercetest.Cut},
	)},
	{"a write that lands late", landsLate},
	{"429 with Retry-After", waitsForRetryAfter},
	{"a row that the shop never answers about", leavesPoison},
	{"the shop answers in its own time", answersLate},
}

// faulted is a posting that meets faults and comes to its end: every price is as
// planned but for one that was edited by hand, which stays.
func faulted(faults ...woocommercetest.Fault) func(*world) {
	return func(w *world) {
		stand := w.stand()
		ids := w.simple(40)
		w.change(dearer)
		w.hand.Edit(ids[20], shop.Prices{Regular: "55.00"})
		stand.Next(faults...)
		first := w.run()
		expect.ErrorIf(w.T, !first.IsOpen() || first.Trouble == "", "after the first run: %+v", first)
		w.noSecret(first.Trouble)
		stand.Land()
		p := w.finish()
		expect.ErrorIf(w.T, p.Progress.Written+p.Progress.Already != 39 || p.Progress.Stale != 1 ||
			p.Trouble != "", "it is posted: %+v", p)
		for i, id := range ids {
			if i == 20 {
				w.costs(id, "55.00", "")
			} else {
				w.costs(id, "11.00", "")
			}
		}
		w.noSecret()
	}
}

// landsLate: nobody touches the shop until what was given up has landed, and an edit
// that comes behind it is kept.
func landsLate(w *world) {
	stand := w.stand()
	ids := w.simple(3)
	w.change(dearer)
	stand.Next(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Ghost})
	p := w.run()
	expect.ErrorIf(w.T, p.DueAt.Sub(w.clock()) < w.shop.Limits().Settle, "it goes on at %s already", p.DueAt)
	requests := stand.Requests()
	w.pass(w.shop.Limits().Settle - time.Second)
	w.run()
	expect.Equal(w.T, "requests while it may still land", requests, stand.Requests())
	_, err := w.publisher().Fetch(w.Context(), func(io.Reader, postings.Shop) error { return nil })
	expect.ErrorIf(w.T, err == nil, "the table is fetched while it may still land")
	stand.Land()
	w.hand.Edit(ids[1], shop.Prices{Regular: "77.00"})
	w.counts(w.finish(), 0, 2, 1, 0, 0, 0)
	w.costs(ids[1], "77.00", "")
}

func waitsForRetryAfter(w *world) {
	stand := w.stand()
	w.simple(3)
	w.change(dearer)
	stand.Next(woocommercetest.Fault{On: "products", Kind: woocommercetest.Status, Code: 429, Wait: "300"})
	p := w.run()
	expect.ErrorIf(w.T, p.DueAt.Sub(w.clock()) != 300*time.Second, "it goes on in %s", p.DueAt.Sub(w.clock()))
	w.counts(w.finish(), 3, 0, 0, 0, 0, 0)
}

// leavesPoison: the batch shrinks to the one row, which is given up, and no other is.
func leavesPoison(w *world) {
	stand := w.stand()
	ids := w.simple(6)
	w.change(dearer)
	for range 40 {
		stand.Next(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 500})
	}
	w.steps = func(p postings.Posting) {
		if p.Progress.Refused == 1 { // the first row is given up: the others are well
			stand.Forgive()
		}
	}
	p := w.finish()
	w.counts(p, 5, 0, 0, 1, 0, 0)
	w.left(p, shop.Refused)
	w.costs(ids[0], "10.00", "")
	w.costs(ids[5], "11.00", "")
	expect.ErrorIf(w.T, !strings.Contains(w.log.String(), "posting_stuck"), "nobody was told")
}

// answersLate is a shop that takes longer than a request may: all is done, and nobody waits
// for the answer any more.
func answersLate(w *world) {
	stand := w.stand()
	w.simple(3)
	w.change(dearer)
	ctx, cancel := context.WithCancel(w.Context())
	stand.Next(woocommercetest.Fault{On: "batch", Kind: woocommercetest.Unheard, Act: cancel})
	_, err := w.publisher().Run(ctx)
	expect.ErrorIf(w.T, err != nil && !errors.Is(err, context.Canceled), "the run ended with %v", err)
	p := w.posting()
	expect.ErrorIf(w.T, p.Trouble == "" || p.Progress.Batch != 0, "it is %+v", p)
	w.finish()
}

var publisherTests = []test{
	{"a publisher that is killed at each of its steps", killedAnywhere},
	{"two publishers at once", twoAtOnce},
	{"a posting for another shop is not written", refusesOtherShop},
	{"postings go out in their order", keepsOrder},
}

// killed ends a publisher at its nth call of a port.
type killed struct{ left int }

var errKilled = errors.New("killed")

func (k *killed) step() {
	if k.left--; k.left < 0 {
		panic(errKilled)
	}
}

// killedAnywhere kills a publisher before its nth call of the shop and of the ledger, for
// each n, and has others go on.
func killedAnywhere(w *world) {
	w.stand()
	ids := w.simple(60)
	steps := 0
	for n, ended := 0, false; !ended; n++ {
		for _, id := range ids {
			w.hand.Edit(id, shop.Prices{Regular: "10.00"})
		}
		w.store, w.inbox, w.audit = newRecords(), newObjects("inbox"), newObjects("audit")
		w.audit.denies = n%2 == 1
		w.change(dearer)
		w.hand.Edit(ids[33], shop.Prices{Regular: "44.00"})
		ended = w.runKilled(n)
		p := w.finish()
		expect.ErrorIf(w.T, p.Progress.Written+p.Progress.Already != 59 || p.Progress.Stale != 1,
			"killed at step %d: %+v", n, p.Progress)
		for i, id := range ids {
			if i != 33 {
				w.costs(id, "11.00", "")
			}
		}
		w.costs(ids[33], "44.00", "")
		if w.Failed() || n > 200 {
			w.Fatalf("killed at step %d", n)
		}
		steps = n
	}
	expect.ErrorIf(w.T, steps < 20 && !w.isMoody(), "there were %d steps alone", steps)
}

// runKilled runs a publisher until its nth call, and reports whether it had ended before.
func (w *world) runKilled(n int) (ended bool) {
	k := &killed{left: n}
	p := w.publisher()
	p.Ledger, p.Shop, p.Audit = killedStore{w.store, k}, killedShop{w.shop, k}, killedBucket{w.audit, k}
	defer func() {
		if cause := recover(); cause != nil && cause != errKilled {
			panic(cause)
		}
	}()
	_, err := p.Run(w.Context())
	expect.NoError(w.T, err)
	return true
}

func twoAtOnce(w *world) {
	ids := w.simple(80)
	w.change(dearer)
	ended := make(chan error)
	for range 2 {
		p := w.publisher()
		go func() { _, err := p.Run(w.Context()); ended <- err }()
	}
	for range 2 {
		if err := <-ended; err != nil && errs.KindOf(err) != errs.Stale {
			w.Error(err)
		}
	}
	p := w.finish()
	w.counts(p, 80, 0, 0, 0, 0, 0)
	w.costs(ids[79], "11.00", "")
}

func refusesOtherShop(w *world) {
	ids := w.simple(1)
	w.change(dearer)
	p := w.posting()
	p.Shop.URL = "https://other.example"
	expect.NoError(w.T, expect.ErrorOf(w.store.UpdatePosting(w.Context(), p)))
	p = w.run()
	expect.ErrorIf(w.T, !strings.Contains(p.Trouble, "https://other.example") || !p.IsOpen(), "it is %+v", p)
	w.costs(ids[0], "10.00", "")
	expect.Equal(w.T, "rows that can be fetched meanwhile", 1, len(w.fetch()))
}

// keepsOrder: an undo that comes second is written second, though it is due first.
func keepsOrder(w *world) {
	ids := w.simple(1)
	w.change(dearer)
	first := w.posting()
	undo := first
	// by a clock that is slow
	undo.ExecutionID = "plan_undo_v1"
	undo.After = executionID
	undo.CreatedAt = first.CreatedAt.Add(-time.Minute)
	undo.Revision = w.store.revision()
	record := w.store.records[executionID]
	record.ExecutionID = undo.ExecutionID
	w.store.records[undo.ExecutionID] = record
	w.store.postings[undo.ExecutionID] = undo
	first.DueAt = w.clock().Add(time.Minute)
	expect.NoError(w.T, expect.ErrorOf(w.store.UpdatePosting(w.Context(), first)))
	next := expect.Result(w.publisher().Run(w.Context()))(w.T)
	expect.Equal(w.T, "when it goes on", first.DueAt, next)
	w.costs(ids[0], "10.00", "")
	w.finish()
	w.costs(ids[0], "11.00", "")
}

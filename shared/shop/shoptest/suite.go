// Package shoptest is the suite that every shop.Shop passes, alone and under a publisher.
// Time is given, nothing sleeps. Where the hand is that of a stand-in the suite lets
// requests go wrong too; beside a real shop those cases are left out.
package shoptest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
	"github.com/planwright/planwright/shared/test/expect"
)

// Product is what a hand adds: a product, or a variation of one.
type Product struct {
	Parent    string // its id; "" is a product
	Variable  bool   // a product that has variations, and no price
	SKU, Name string
	shop.Prices
}

// Hand is what the shop's own people do in its own pages.
type Hand interface {
	Add(Product) (id string)
	Edit(id string, prices shop.Prices)
	Remove(id string)
	Now(id string) (prices shop.Prices, exists bool)
}

// faulty is the hand of a stand-in.
type faulty interface {
	Hand
	Stand() *woocommercetest.Shop
}

// Run runs the suite. open returns an empty shop, and its hand.
func Run(t *testing.T, open func(t *testing.T) (shop.Shop, Hand)) {
	for _, group := range []struct {
		name  string
		tests []test
	}{{"Fetch", fetchTests}, {"Rows", rowTests}, {"Faults", faultTests}, {"Publishers", publisherTests}} {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) { test.run(newWorld(t, open)) })
			}
		})
	}
}

type test struct {
	name string
	run  func(w *world)
}

const executionID = "plan_posted_v1"

// world is a shop, what was changed in a table of it, and who publishes that.
type world struct {
	*testing.T
	shop   shop.Shop
	hand   Hand
	mu     sync.Mutex
	now    time.Time
	store  *records
	inbox  *objects
	audit  *objects
	log    bytes.Buffer
	logger *slog.Logger // of all publishers: it alone writes to log
	holder int
	steps  func(postings.Posting)
}

func newWorld(t *testing.T, open func(t *testing.T) (shop.Shop, Hand)) *world {
	w := &world{
		T:     t,
		now:   time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		store: newRecords(),
		inbox: newObjects("inbox"),
		audit: newObjects("audit"),
	}
	w.logger = logging.New(&w.log, slog.LevelInfo)
	w.shop, w.hand = open(t)
	return w
}

// stand is the stand-in; the test is left out where the shop is a real one.
func (w *world) stand() *woocommercetest.Shop {
	w.Helper()
	faulty, is := w.hand.(faulty)
	if !is {
		w.Skip("nothing goes wrong on demand in a real shop")
	}
	return faulty.Stand()
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) newHolder() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holder++
	return fmt.Sprint("holder", w.holder)
}

func (w *world) publisher() *shop.Publisher {
	return &shop.Publisher{
		Ledger: w.store, Inbox: w.inbox, Outbox: w.inbox, Audit: w.audit, Shop: w.shop,
		Now: w.clock, NewHolder: w.newHolder,
		Pause: func(context.Context, time.Duration) {}, Progress: w.steps,
		Log: w.logger,
	}
}

// fetch fetches the table, and returns its rows behind the header.
func (w *world) fetch() [][]string {
	w.Helper()
	var table []byte
	fetched, err := w.publisher().Fetch(w.Context(), func(in io.Reader, from postings.Shop) (err error) {
		table, err = io.ReadAll(in)
		return err
	})
	expect.NoError(w.T, err)
	rows := expect.Result(csv.NewReader(bytes.NewReader(table)).ReadAll())(w.T)
	expect.Equal(w.T, "the rows that were counted", int64(len(rows)-1), fetched.Rows)
	w.inbox.put("fetched/"+executionID+"/shop.csv", table)
	return arranged(rows)
}

// titles are those of the columns that tests look at, and column their places in a row.
var (
	titles = []string{
		shop.TitleID, "Type", "SKU", shop.TitleName, shop.TitleParent, "Categories", shop.TitleRegular,
		shop.TitleSale,
	}
	column = map[string]int{
		"id":         0,
		"type":       1,
		"sku":        2,
		"name":       3,
		"parent":     4,
		"categories": 5,
		"regular":    6,
		"sale":       7,
	}
)

// arranged returns the rows below the header with the cells that tests look at. A column that
// the table lacks is blank.
func arranged(rows [][]string) (all [][]string) {
	for _, row := range rows[1:] {
		cells := make([]string, len(titles))
		for i, title := range titles {
			if place := slices.Index(rows[0], title); place >= 0 {
				cells[i] = row[place]
			}
		}
		all = append(all, cells)
	}
	return all
}

// change fetches the table and completes an execution that gives its priced rows other
// prices: what the engine would do, without it.
func (w *world) change(to func(row []string, is shop.Prices) shop.Prices) {
	w.Helper()
	rows := w.fetch()
	var lines bytes.Buffer
	changed := int64(0)
	for i, row := range rows {
		is := shop.Prices{Regular: row[column["regular"]], Sale: row[column["sale"]]}
		if becomes := to(row, is); is.Regular != "" && becomes != is {
			changed++
			text, err := json.Marshal(pricing.Change{
				Row:          int64(i + 2),
				SKU:          row[column["sku"]],
				OperationIDs: []string{"op_01"},
				Before:       state(is, is),
				After:        state(becomes, is),
			})
			expect.NoError(w.T, err)
			lines.Write(append(text, '\n'))
		}
	}
	sum := sha256.Sum256(lines.Bytes())
	changes := ledger.File{
		Bucket: "audit",
		Object: "changes/" + executionID + ".jsonl",
		SHA256: hex.EncodeToString(sum[:]),
	}
	w.audit.put(changes.Object, lines.Bytes())
	about := expect.Result(w.shop.About(w.Context()))(w.T)
	from := &postings.Shop{URL: w.shop.URL(), Currency: about.Currency}
	w.store.records[executionID] = ledger.Execution{
		ExecutionID: executionID, Status: ledger.Completed,
		Source: ledger.Source{Upload: ledger.Upload{
			Bucket:     "inbox",
			Object:     "fetched/" + executionID + "/shop.csv",
			Generation: 1,
		}, Shop: from},
		Seal: &ledger.Seal{Result: ledger.Result{Changes: changes}, ExecutedAt: w.clock()},
	}
	w.store.postings[executionID] = postings.Posting{
		ExecutionID: executionID,
		Shop:        *from,
		CreatedAt:   w.clock(),
		DueAt:       w.clock(),
		Rows:        changed,
		Status:      postings.Writes,
	}
}

// state is what a change says of prices: the sale is told where one stands.
func state(p, was shop.Prices) (s pricing.State) {
	s.Price = &p.Regular
	if p.Sale != "" || was.Sale != "" {
		s.SalePrice = &p.Sale
	}
	return s
}

// dearer makes regular prices 1 dearer: "10.00" becomes "11.00".
func dearer(_ []string, is shop.Prices) shop.Prices {
	var whole, cents int
	fmt.Sscanf(is.Regular, "%d.%d", &whole, &cents)
	is.Regular = fmt.Sprintf("%d.%02d", whole+1, cents)
	return is
}

// run runs the publisher once.
func (w *world) run() postings.Posting {
	w.Helper()
	_, err := w.publisher().Run(w.Context())
	expect.NoError(w.T, err)
	return w.posting()
}

func (w *world) posting() postings.Posting {
	w.Helper()
	return expect.Result(w.store.Posting(w.Context(), executionID))(w.T)
}

// finish runs publishers, each when it is due, until all is posted.
func (w *world) finish() postings.Posting {
	w.Helper()
	for range 60 {
		next, err := w.publisher().Run(w.Context())
		if err != nil {
			w.Logf("a run ended with: %v", err)
			w.pass(time.Minute)
		} else if next.IsZero() {
			break
		}
		if by := next.Sub(w.clock()); by > 0 {
			w.pass(by)
		}
	}
	p := w.posting()
	if p.IsOpen() {
		w.Fatalf("it is not posted: %+v", p)
	}
	return p
}

// costs fails unless a variant has these prices.
func (w *world) costs(id, regular, sale string) {
	w.Helper()
	now, exists := w.hand.Now(id)
	if !exists || now.Regular != regular || now.Sale != sale {
		w.Errorf("%s costs %+v (it exists: %t), want %q and %q", id, now, exists, regular, sale)
	}
}

// counts fails unless the posting counts so many written, already so, stale, refused, gone, differing.
func (w *world) counts(p postings.Posting, want ...int64) {
	w.Helper()
	got := []int64{
		p.Progress.Written, p.Progress.Already, p.Progress.Stale, p.Progress.Refused, p.Progress.Gone,
		p.Progress.Differs,
	}
	if w.isMoody() { // what was written without an answer is found to be so already
		got[0], got[1] = got[0]+got[1], 0
		want[0], want[1] = want[0]+want[1], 0
	}
	if !slices.Equal(got, want) {
		w.Errorf("written, already, stale, refused, gone and differing are %v, want %v: %+v",
			got, want, p.Left)
	}
}

// isMoody reports whether the shop is a stand-in that answers badly all the time.
func (w *world) isMoody() bool {
	faulty, is := w.hand.(faulty)
	return is && faulty.Stand().Mood() != woocommercetest.Well
}

// left is the one row that was left with a result.
func (w *world) left(p postings.Posting, result shop.Outcome) postings.LeftRow {
	w.Helper()
	rows := slices.DeleteFunc(slices.Clone(p.Left), func(l postings.LeftRow) bool {
		return l.Result != string(result)
	})
	if len(rows) != 1 {
		w.Fatalf("%d rows are %s, want one: %+v", len(rows), result, p.Left)
	}
	if rows[0].Name == "" || rows[0].Why == "" {
		w.Errorf("it has no name or no reason: %+v", rows[0])
	}
	return rows[0]
}

// simple adds products that cost 10.00 each, one after the other.
func (w *world) simple(n int) (ids []string) {
	for i := range n {
		ids = append(ids, w.hand.Add(Product{
			SKU:    fmt.Sprint("S", i),
			Name:   fmt.Sprint("Simple ", i),
			Prices: shop.Prices{Regular: "10.00"},
		}))
	}
	return ids
}

// noSecret fails where a secret of the stand-in stands in what anybody is told.
func (w *world) noSecret(texts ...string) {
	w.Helper()
	for _, text := range append(texts, w.log.String()) {
		for _, secret := range []string{woocommercetest.Key, woocommercetest.Secret, "wp-login", "<title>"} {
			if strings.Contains(text, secret) {
				w.Errorf("%q is told in: %s", secret, text)
			}
		}
	}
}

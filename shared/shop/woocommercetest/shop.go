// Package woocommercetest is a stand-in for a WooCommerce shop, over HTTP. It does what
// WooCommerce 10.0.2 was seen to do with 500 products and 1,000 variations, where a
// connector has to know it:
//
//	a batch of more than 100 items          413, nothing is done
//	a batch with items that fail            200, each item its product or {id, error}; nothing is rolled back
//	If-Match, If-Unmodified-Since           ignored; there is no version of a product
//	date_modified                           moves with every write, of the same price too
//	a connection that is given up           the batch goes on to its end
//	a server that is killed in a batch      a clean prefix of it is done
//	"9,99"                                  stores 999
//	"abc", "" and null                      erase the price
//	"-5"                                    is stored
//	a regular price at or below the sale    erases the sale for good
//	a sale above the regular price          is dropped
//	lists by date                           have no order among equal times
//	wc/v3/variations                        404 rest_no_route; wc-analytics/variations lists all
//	names                                   with HTML's entities
//	per_page above 100                      400
//
// WooCommerce 9.9.5 on WordPress 6.9 was seen to do the same, but that it leaves a price
// alone that is sent as null.
//
// Not as there: keys are taken by plain http, which a real shop answers with 401, for the
// stand-in listens on 127.0.0.1 alone.
package woocommercetest

import (
	"cmp"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/shop"
)

// The keys that the stand-in takes.
const (
	Key    = "ck_standin"
	Secret = "cs_standin"
)

// Product is a product or a variation.
type Product struct {
	ID       int64
	Parent   int64 // of a variation
	Type     string
	SKU      string
	Name     string
	Category int64
	shop.Prices
	Modified int64 // counts its writes
	Created  time.Time
}

// Shop is the stand-in. Its methods are what the shop's own people do by hand.
type Shop struct {
	mu         sync.Mutex
	products   map[int64]*Product
	order      []int64 // of the ids, ascending
	categories []category
	next       int64
	currency   string
	decimals   int
	newer      bool // has wc/v3/variations
	older      bool // has no list of all variations
	faults     []*Fault
	mood       Mood
	batches    int // that no fault was asked for
	ghosts     []func()
	refused    map[int64]string
	requests   int
}

type category struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Parent int64  `json:"parent"`
}

// New returns an empty shop that keeps two decimals of EUR.
func New() *Shop {
	return &Shop{
		products: map[int64]*Product{}, next: 10, currency: "EUR", decimals: 2, refused: map[int64]string{},
		categories: []category{{1, "Sport &amp; Fitness", 0}, {2, "Shoes", 1}, {3, "Books", 0}},
	}
}

// Serve serves the shop until the test ends, and returns its address.
func (s *Shop) Serve(t testing.TB) string {
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

// Add adds a product, or a variation where it has a parent, and returns its id.
func (s *Shop) Add(p Product) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	p.ID = s.next
	p.Type = cmp.Or(p.Type, "simple")
	p.Created = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) // all at one time, as after an import
	s.products[p.ID] = &p
	s.order = append(s.order, p.ID)
	return strconv.FormatInt(p.ID, 10)
}

// Edit sets prices by hand.
func (s *Shop) Edit(id string, prices shop.Prices) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.find(id); p != nil {
		p.Prices = prices
		p.Modified++
	}
}

// Remove removes a product with its variations.
func (s *Shop) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := s.find(id)
	s.order = slices.DeleteFunc(s.order, func(other int64) bool {
		p := s.products[other]
		remove := gone != nil && (other == gone.ID || p.Parent == gone.ID)
		if remove {
			delete(s.products, other)
		}
		return remove
	})
}

// Now returns what a product costs.
func (s *Shop) Now(id string) (shop.Prices, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.find(id)
	if p == nil {
		return shop.Prices{}, false
	}
	return p.Prices, true
}

// All are the prices of everything, by id.
func (s *Shop) All() map[string]shop.Prices {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]shop.Prices{}
	for id, p := range s.products {
		all[strconv.FormatInt(id, 10)] = p.Prices
	}
	return all
}

func (s *Shop) find(id string) *Product {
	number, _ := strconv.ParseInt(id, 10, 64)
	return s.products[number]
}

// SetCurrency changes what the shop's prices are in.
func (s *Shop) SetCurrency(code string) { s.set(func() { s.currency = code }) }

// SetNewer has the shop list all variations under wc/v3/variations.
func (s *Shop) SetNewer() { s.set(func() { s.newer = true }) }

// SetOlder has the shop list variations by their product alone.
func (s *Shop) SetOlder() { s.set(func() { s.older = true }) }

// Refuse has the shop refuse every write to a product.
func (s *Shop) Refuse(id, why string) {
	s.set(func() { s.refused[s.find(id).ID] = why })
}

// Accept ends what Refuse began.
func (s *Shop) Accept() { s.set(func() { clear(s.refused) }) }

func (s *Shop) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// Requests counts those that were answered, or not.
func (s *Shop) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Fill adds products and variations: of every three rows one is a simple product, and
// two are variations of another, of which there are up to `each` per product.
func (s *Shop) Fill(rows, each int) {
	for made := 0; made < rows; {
		s.Add(Product{
			SKU:      "S" + strconv.Itoa(made),
			Name:     "Simple " + strconv.Itoa(made),
			Category: 3,
			Prices:   shop.Prices{Regular: "10.00"},
		})
		made++
		if made >= rows {
			return
		}
		parent := s.Add(Product{
			SKU:      "P" + strconv.Itoa(made),
			Type:     "variable",
			Name:     "Shoe " + strconv.Itoa(made),
			Category: 2,
		})
		made++
		number, _ := strconv.ParseInt(parent, 10, 64)
		for v := 0; v < each && made < rows; v++ {
			s.Add(Product{
				Parent: number,
				Type:   "variation",
				SKU:    "V" + strconv.Itoa(made),
				Name:   "Shoe " + strconv.Itoa(made) + " - " + strconv.Itoa(38+v),
				Prices: shop.Prices{Regular: "80.00"},
			})
			made++
		}
	}
}

// selected are ids of products, or of the variations of one, or of all.
func (s *Shop) selected(is func(*Product) bool) (ids []int64) {
	for _, id := range s.order {
		if is(s.products[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// included are those of ids that a list has, in its order.
func (s *Shop) included(asked []string, is func(*Product) bool) (ids []int64) {
	for _, text := range asked {
		if p := s.find(text); p != nil && is(p) {
			ids = append(ids, p.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

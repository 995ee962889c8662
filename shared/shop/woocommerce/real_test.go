package woocommerce_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"testing"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/shoptest"
	"github.com/planwright/planwright/shared/shop/woocommerce"
)

// TestARealShop runs the suite against the shop that three variables name. It removes
// every product of that shop, so it must be one for tests. To try it on one machine, the
// address may be http://127.0.0.1:PORT, of a shop that takes its own address for https.
func TestARealShop(t *testing.T) {
	url, key, secret := os.Getenv("PLANWRIGHT_WOO_URL"), os.Getenv("PLANWRIGHT_WOO_KEY"), os.Getenv("PLANWRIGHT_WOO_SECRET")
	if url == "" {
		t.Skip("PLANWRIGHT_WOO_URL, PLANWRIGHT_WOO_KEY and PLANWRIGHT_WOO_SECRET name no shop")
	}
	to, err := woocommerce.New(woocommerce.Config{URL: url, Key: config.Secret(key), Secret: config.Secret(secret)})
	if err != nil {
		t.Fatal(err)
	}
	shoptest.Run(t, func(t *testing.T) (shop.Shop, shoptest.Hand) {
		h := &realHand{t: t, base: url + "/wp-json/wc/v3/products", key: key, secret: secret, parents: map[string]string{}}
		h.clear()
		return to, h
	})
}

// realHand does by the API, one product at a time, what people do in the shop's pages.
type realHand struct {
	t                 *testing.T
	base, key, secret string
	parents           map[string]string // of variations
}

type realProduct struct {
	ID      int64  `json:"id,omitempty"`
	Name    string `json:"name,omitempty"`
	Type    string `json:"type,omitempty"`
	SKU     string `json:"sku,omitempty"`
	Regular string `json:"regular_price"`
	Sale    string `json:"sale_price"`
}

func (h *realHand) call(method, path string, send, into any) int {
	h.t.Helper()
	body, err := json.Marshal(send)
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := http.NewRequest(method, h.base+path, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.SetBasicAuth(h.key, h.secret)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && into != nil && answer.StatusCode < 300 {
		err = json.Unmarshal(text, into)
	}
	if err != nil || answer.StatusCode >= 400 && answer.StatusCode != http.StatusNotFound {
		h.t.Fatalf("%s %s: %d, %v: %.300s", method, path, answer.StatusCode, err, text)
	}
	return answer.StatusCode
}

// clear puts every product into the trash, where no list has it and its SKU is free.
func (h *realHand) clear() {
	h.t.Helper()
	for {
		var found []realProduct
		h.call(http.MethodGet, "?per_page=100&status=any", nil, &found)
		if len(found) == 0 {
			return
		}
		ids := make([]int64, len(found))
		for i, p := range found {
			ids[i] = p.ID
		}
		h.call(http.MethodPost, "/batch", map[string][]int64{"delete": ids}, nil)
	}
}

func (h *realHand) path(id string) string {
	if parent := h.parents[id]; parent != "" {
		return "/" + parent + "/variations/" + id
	}
	return "/" + id
}

func (h *realHand) Add(p shoptest.Product) string {
	h.t.Helper()
	send := realProduct{Name: p.Name, SKU: p.SKU, Regular: p.Regular, Sale: p.Sale}
	path := ""
	switch {
	case p.Variable:
		send.Type = "variable"
	case p.Parent != "":
		path, send.Name = "/"+p.Parent+"/variations", ""
	}
	var made realProduct
	h.call(http.MethodPost, path, send, &made)
	id := strconv.FormatInt(made.ID, 10)
	if p.Parent != "" {
		h.parents[id] = p.Parent
	}
	return id
}

func (h *realHand) Edit(id string, prices shop.Prices) {
	h.t.Helper()
	h.call(http.MethodPut, h.path(id), realProduct{Regular: prices.Regular, Sale: prices.Sale}, nil)
}

func (h *realHand) Remove(id string) {
	h.t.Helper()
	h.call(http.MethodDelete, h.path(id)+"?force=true", nil, nil)
}

func (h *realHand) Now(id string) (shop.Prices, bool) {
	h.t.Helper()
	var now realProduct
	found := h.call(http.MethodGet, h.path(id), nil, &now) != http.StatusNotFound
	return shop.Prices{Regular: now.Regular, Sale: now.Sale}, found
}

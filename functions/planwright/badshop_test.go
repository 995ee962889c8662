package main

import (
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
)

// badShop is a shop that answers badly, with a server that writes to it.
type badShop struct {
	*shopLine
	data   string
	server *server
}

func openBadShop(t *testing.T) *badShop {
	stand := woocommercetest.New()
	b := &badShop{data: filepath.Join(t.TempDir(), "local"), shopLine: &shopLine{t, stand, map[string]string{
		"SHOP_KIND": "woocommerce", "SHOP_URL": stand.Serve(t), "SHOP_KEY": woocommercetest.Key, "SHOP_SECRET": woocommercetest.Secret, quickShop: "small",
	}}}
	b.server = startWith(t, b.data, b.env)
	return b
}

// carryOut fetches the shop and carries operations out over it.
func (b *badShop) carryOut(id, operations string) {
	b.t.Helper()
	file := b.file(filepath.Join(b.t.TempDir(), "plan.json"), fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Change some prices.", "operations": [%s]}`, id, operations))
	b.must("shop", "fetch", "--data", b.data, "--plan", file)
}

// page is what a browser shows of a posting.
func (b *badShop) page(id string) string {
	b.t.Helper()
	answer, err := visit(http.MethodGet, b.server.address+"/postings/"+id)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return html.UnescapeString(string(body))
}

// TestBadAnswersOfAShop: whatever the shop answers, the command and the page say what it
// was and what to do, the writing goes on by itself, and no key is told.
func TestBadAnswersOfAShop(t *testing.T) {
	t.Parallel()
	b := openBadShop(t)
	var ids []string
	for i := range 3 {
		ids = append(ids, b.stand.Add(woocommercetest.Product{SKU: fmt.Sprint("B", i), Name: "Bad & worse", Prices: shop.Prices{Regular: "10.00"}}))
	}
	for i, c := range []struct {
		fault woocommercetest.Fault
		says  string
	}{
		{woocommercetest.Fault{On: "batch", Kind: woocommercetest.Redirects}, "sends its visitors on to https://login.example (302)"},
		{woocommercetest.Fault{On: "batch", Kind: woocommercetest.Page}, "answered with a page in place of data"},
		{woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 401}, "does not accept the keys (401). Check SHOP_KEY"},
		{woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 403}, "forbids it (403)"},
		{woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 413}, "does not take that many rows at once (413)"},
		{woocommercetest.Fault{On: "products", Skip: 1, Kind: woocommercetest.Status, Code: 429, Wait: "1"}, "asks to be left alone for a while (429)"},
		{woocommercetest.Fault{On: "batch", Kind: woocommercetest.Status, Code: 500}, "The shop failed (500)"},
		{woocommercetest.Fault{On: "batch", Kind: woocommercetest.Cut}, "is cut off, or no data"},
	} {
		id := fmt.Sprintf("plan_bad_%d_v1", i)
		price := fmt.Sprintf("%d.00", 20+i)
		if c.fault.On == "products" {
			c.fault.On, c.fault.Skip = "products", 3 // categories, products and variations are fetched first
		}
		b.stand.Next(c.fault)
		b.carryOut(id, fmt.Sprintf(`{"operation_id": "op_01", "filter": {}, "action": {"type": "set_price", "value": %s}}`, price))
		eventually(t, "the page says: "+c.says, func() bool { return strings.Contains(b.page(id), c.says) })
		b.must("shop", "post", "--data", b.data)
		out := b.must("shop", "status", id, "--data", b.data)
		if !strings.Contains(out, "posted") || !strings.Contains(out, "3 are written") && !strings.Contains(out, "3 were so already") {
			t.Errorf("after %q: %s", c.says, out)
		}
		for _, id := range ids {
			if b.costs(id) != price {
				t.Errorf("after %q %s costs %s", c.says, id, b.costs(id))
			}
		}
	}
	b.saysNoSecret()
}

// TestAShopThatCannotBeFetched: the command and the page say why, and hold nothing.
func TestAShopThatCannotBeFetched(t *testing.T) {
	t.Parallel()
	b := openBadShop(t)
	b.stand.Fill(10, 3)
	for _, c := range []struct {
		fault woocommercetest.Fault
		says  string
	}{
		{woocommercetest.Fault{Kind: woocommercetest.Redirects}, "sends its visitors on to https://login.example (302)"},
		{woocommercetest.Fault{Kind: woocommercetest.Page}, "answered with a page in place of data"},
		{woocommercetest.Fault{Kind: woocommercetest.Status, Code: 401}, "does not accept the keys (401). Check SHOP_KEY"},
		{woocommercetest.Fault{Kind: woocommercetest.Status, Code: 403}, "forbids it (403)"},
		{woocommercetest.Fault{Kind: woocommercetest.Status, Code: 429, Wait: "60"}, "asks to be left alone for a while (429)"},
		{woocommercetest.Fault{Kind: woocommercetest.Status, Code: 500}, "The shop failed (500)"},
		{woocommercetest.Fault{Kind: woocommercetest.Cut}, "is cut off, or no data"},
	} {
		for _, on := range []string{"settings", "categories", "v3/products", "variations"} {
			c.fault.On = on
			b.stand.Next(c.fault)
			b.refuses(c.says, "shop", "fetch", "--data", b.data)
			b.stand.Forgive()
		}
		b.stand.Next(c.fault)
		answer, err := visit(http.MethodPost, b.server.address+"/shop/fetch")
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode < 400 || !strings.Contains(html.UnescapeString(string(body)), c.says) {
			t.Errorf("%s: the page is %d: %s", c.says, answer.StatusCode, body)
		}
	}
	b.saysNoSecret()
}

func (b *badShop) saysNoSecret() {
	b.t.Helper()
	for _, secret := range []string{woocommercetest.Key, woocommercetest.Secret, "wp-login", "<title>Log in"} {
		if strings.Contains(b.server.log.String(), secret) {
			b.t.Errorf("%q is in the log of the server", secret)
		}
		b.noFileHas(secret)
	}
}

// noFileHas looks through all that the server stores.
func (b *badShop) noFileHas(secret string) {
	b.t.Helper()
	err := filepath.WalkDir(b.data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if content, err := os.ReadFile(path); err == nil && strings.Contains(string(content), secret) {
			b.t.Errorf("%q is stored in %s", secret, path)
		}
		return nil
	})
	if err != nil {
		b.t.Error(err)
	}
}

// TestRowsThatAShopDoesNotTake: each has its line with the product's name, for the command
// and on the page, and no other row is held up.
func TestRowsThatAShopDoesNotTake(t *testing.T) {
	t.Parallel()
	b := openBadShop(t)
	add := func(p woocommercetest.Product) string { return b.stand.Add(p) }
	priced := func(sku, name, regular, sale string) string {
		return add(woocommercetest.Product{SKU: sku, Name: name, Prices: shop.Prices{Regular: regular, Sale: sale}})
	}
	gone := priced("GONE", "Gone lamp", "10.00", "")
	parent := add(woocommercetest.Product{SKU: "PARENT", Type: "variable", Name: "Parent shirt"})
	number, _ := strconv.ParseInt(parent, 10, 64)
	add(woocommercetest.Product{SKU: "CHILD", Parent: number, Type: "variation", Name: "Parent shirt - red", Prices: shop.Prices{Regular: "10.00"}})
	fine := priced("FINE", "Fine cup", "10.00", "")
	priced("DECIMALS", "Fraction of a bolt", "10.00", "")
	equal := priced("EQUAL", "Equal mug", "10.00", "8.00")
	below := priced("BELOW", "Below bowl", "10.00", "8.00")
	last := priced("LAST", "Last plate", "10.00", "")
	set := func(n int, sku, price, options string) string {
		return fmt.Sprintf(`{"operation_id": "op_0%d", "filter": {"skus": [%q]}, "action": {"type": "set_price", "value": %s}%s}`, n, sku, price, options)
	}
	operations := []string{
		set(1, "GONE", "11", ""), set(2, "CHILD", "11", ""), set(3, "FINE", "11", ""), set(4, "DECIMALS", "10.125", `, "options": {"round_to": 3}`),
		set(5, "EQUAL", "8", ""), set(6, "BELOW", "7", ""), set(7, "LAST", "11", ""),
	}
	b.stand.Next(woocommercetest.Fault{On: "settings", Skip: 1, Kind: woocommercetest.Acts, Act: func() { b.stand.Remove(gone); b.stand.Remove(parent) }})
	b.carryOut("plan_rows_v1", strings.Join(operations, ", "))
	out, page := b.must("shop", "post", "--data", b.data), ""
	eventually(t, "the page has the end of it", func() bool {
		page = b.page("plan_rows_v1")
		return strings.Contains(page, "5 of 7 prices are not as planned")
	})
	for name, why := range map[string]string{
		"Gone lamp":          "The shop does not have it any more.",
		"Parent shirt - red": "The shop does not have it any more.",
		"Fraction of a bolt": "10.125 has more decimals than the 2 that the shop keeps.",
		"Equal mug":          "The regular price 8.00 is not above the sale price 8.00: the shop would drop the sale.",
		"Below bowl":         "The regular price 7.00 is not above the sale price 8.00: the shop would drop the sale.",
	} {
		if !hasLine(out, name, why) {
			t.Errorf("the command says nothing of %s: %s", name, out)
		}
		if !hasLine(page, name, why) {
			t.Errorf("the page says nothing of %s: %s", name, page)
		}
	}
	if b.costs(fine) != "11.00" || b.costs(last) != "11.00" || b.costs(equal) != "10.00" || b.costs(below) != "10.00" {
		t.Errorf("they cost %s, %s, %s and %s", b.costs(fine), b.costs(last), b.costs(equal), b.costs(below))
	}
	b.stand.Next(woocommercetest.Fault{On: "settings", Skip: 1, Kind: woocommercetest.Acts, Act: func() { b.stand.SetCurrency("USD") }})
	b.carryOut("plan_dollars_v1", set(1, "FINE", "12", ""))
	out = b.must("shop", "post", "--data", b.data)
	if !hasLine(out, "Fine cup", "The shop's prices are in USD now; they were in EUR when the table was fetched.") || b.costs(fine) != "11.00" {
		t.Errorf("in another currency it costs %s: %s", b.costs(fine), out)
	}
	b.saysNoSecret()
}

// hasLine reports whether one line has all texts.
func hasLine(text string, all ...string) bool {
	for line := range strings.Lines(text) {
		has := true
		for _, part := range all {
			has = has && strings.Contains(line, part)
		}
		if has {
			return true
		}
	}
	return false
}

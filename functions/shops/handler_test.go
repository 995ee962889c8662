package shops

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommerce"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
	"github.com/planwright/planwright/shared/tablestore"
)

// open is the function over a stand-in, and what it holds.
func open(t *testing.T) (*woocommercetest.Shop, *tablestore.Tables, http.Handler) {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "state.db"), sqlite.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	box := func(name string) *folder.Bucket {
		b, err := folder.Open(filepath.Join(dir, name), folder.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	stand := woocommercetest.New()
	to, err := woocommerce.New(woocommerce.Config{URL: stand.Serve(t), Key: woocommercetest.Key, Secret: woocommercetest.Secret})
	if err != nil {
		t.Fatal(err)
	}
	tables := tablestore.New(box("tables"))
	return stand, tables, newHandler(shop.New(store, box("inbox"), box("outbox"), box("audit"), to, logging.Discard), tables)
}

func post(h http.Handler, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestFetchHoldsTheCatalogue(t *testing.T) {
	stand, tables, h := open(t)
	stand.Fill(20, 3)
	answer := post(h, "/fetch", `{"by": "ana@example.com"}`)
	var got struct{ Table string }
	if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil || answer.Code != http.StatusCreated {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	found, err := tables.Find(t.Context(), got.Table, "ana@example.com", false)
	if err != nil || found.Shop == nil || found.Shop.Currency != "EUR" || found.File != "woocommerce.csv" {
		t.Errorf("held is %+v, %v", found, err)
	}
	if answer := post(h, "/fetch", `{}`); answer.Code != http.StatusBadRequest && answer.Code != http.StatusUnprocessableEntity {
		t.Errorf("for nobody: %d %s", answer.Code, answer.Body)
	}
	stand.Next(woocommercetest.Fault{Kind: woocommercetest.Status, Code: 401})
	answer = post(h, "/fetch", `{"by": "ana@example.com"}`)
	if answer.Code != http.StatusForbidden || !strings.Contains(answer.Body.String(), "SHOP_KEY") || strings.Contains(answer.Body.String(), woocommercetest.Key) {
		t.Errorf("with keys that are refused: %d %s", answer.Code, answer.Body)
	}
}

func TestDueWithNothingToWrite(t *testing.T) {
	_, _, h := open(t)
	if answer := post(h, "/due", ""); answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `{"next":null}`) {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

func TestReadConfig(t *testing.T) {
	all := map[string]string{
		"GOOGLE_CLOUD_PROJECT": "p", "INBOX_BUCKET": "i", "OUTBOX_BUCKET": "o", "AUDIT_BUCKET": "a", "TABLES_BUCKET": "t",
		"SHOP_KIND": "woocommerce", "SHOP_URL": "https://shop.example/", "SHOP_KEY": "ck_secret", "SHOP_SECRET": "cs_secret",
	}
	if c, err := ReadConfig(config.Map(all)); err != nil || c.Shop.Key.Reveal() != "ck_secret" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, name := range []string{"SHOP_KIND", "SHOP_URL", "SHOP_SECRET", "TABLES_BUCKET"} {
		without := map[string]string{}
		for key, value := range all {
			if key != name {
				without[key] = value
			}
		}
		if _, err := ReadConfig(config.Map(without)); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "_secret") {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

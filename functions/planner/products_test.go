package planner_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
)

const listedShop = "sku,name,brand,price\nA-1,Rain hat,Nike,12.50\nA-2,Sun Hat,Adidas,9\nB-1,Scarf,Nike,5\n"

func TestProductsAreFound(t *testing.T) {
	c := openCounter(t)
	held := c.as(t, "ana", "POST", "/v1/tables", "text/csv", listedShop).field(t, "table").(string)
	list := func(query string) answer {
		t.Helper()
		return c.as(t, "ana", "GET", "/v1/products?table="+held+query, "", "")
	}
	skus := func(got answer) (all string) {
		t.Helper()
		for _, one := range got.field(t, "products").([]any) {
			all += one.(map[string]any)["sku"].(string) + " "
		}
		return all
	}
	for query, want := range map[string]string{
		"": "A-1 A-2 B-1 ", "&q=hat": "A-1 A-2 ", "&q=" + url.QueryEscape("NIKE  hat"): "A-1 ", "&q=b-1": "B-1 ", "&q=glove": "",
	} {
		if got := list(query); skus(got) != want || got.field(t, "next_page_token") != "" {
			t.Errorf("%q finds %s, want %s", query, got.body, want)
		}
	}
	first := list("&q=hat&page_size=1")
	token := first.field(t, "next_page_token").(string)
	if second := list("&q=hat&page_size=1&page_token=" + token); skus(first) != "A-1 " || skus(second) != "A-2 " || second.field(t, "next_page_token") != "" {
		t.Errorf("the pages: %s, %s", first.body, second.body)
	}
	for query, status := range map[string]int{"?table=" + held + "&page_token=x": 422, "": 422, "?table=" + strings.Repeat("A", 26): 404} {
		if got := c.as(t, "ana", "GET", "/v1/products"+query, "", ""); got.status != status {
			t.Errorf("%s: %d %s", query, got.status, got.body)
		}
	}
	if got := c.as(t, "ben", "GET", "/v1/products?table="+held, "", ""); got.status != http.StatusForbidden {
		t.Errorf("somebody else: %d", got.status)
	}
}

func TestChangesForTheImporter(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	fetch := func() answer {
		t.Helper()
		got := s.call(t, "GET", "/v1/executions/"+decidedID+"/changes?format=import", "")
		describe(t).check(t, "GET", "/v1/executions/{execution_id}/changes", got)
		return got
	}
	sha := s.propose(t)
	if got := fetch(); got.status == http.StatusOK {
		t.Errorf("of what is proposed: %s", got.body)
	}
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/executions/"+decidedID+"/changes?format=import", nil)
	if err != nil {
		t.Fatal(err)
	}
	got := answerOf(t, request)
	if got.body != "sku,price\nA101,32.99\nA102,43.99\n" || !strings.Contains(got.header.Get("Content-Disposition"), "p-changes.csv") {
		t.Errorf("the file is %q as %s", got.body, got.header.Get("Content-Disposition"))
	}
	s.x.Policy = ledger.Policy{}
	s.call(t, "POST", "/v1/executions/"+decidedID+":undo", `{"table": "output"}`)
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := fetch(); got.status != http.StatusConflict || !strings.Contains(got.body, "was undone by") {
		t.Errorf("once it is undone: %d %s", got.status, got.body)
	}
	if held := s.call(t, "POST", "/v1/tables", `{"output_of": "`+decidedID+`"}`); held.status != http.StatusConflict {
		t.Errorf("the output of what is undone is held: %s", held.body)
	}
}

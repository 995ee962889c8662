package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
	"github.com/planwright/planwright/shared/web"
)

// shopLine types a command line as it stands in the README, in a folder of its own.
type shopLine struct {
	t     *testing.T
	stand *woocommercetest.Shop
	env   map[string]string
}

func openShop(t *testing.T) *shopLine {
	t.Helper()
	t.Chdir(t.TempDir())
	stand := woocommercetest.New()
	env := map[string]string{
		"SHOP_KIND": "woocommerce", "SHOP_URL": stand.Serve(t), "SHOP_KEY": woocommercetest.Key, "SHOP_SECRET": woocommercetest.Secret,
	}
	return &shopLine{t, stand, env}
}

// types runs a command and returns its exit code and all that it prints.
func (s *shopLine) types(args ...string) (int, string) {
	s.t.Helper()
	var out bytes.Buffer
	code := run(s.t.Context(), args, environment{
		stdin: strings.NewReader(""), stdout: &out, stderr: &out,
		lookup: s.lookup,
	})
	for _, secret := range []string{woocommercetest.Key, woocommercetest.Secret} {
		if strings.Contains(out.String(), secret) {
			s.t.Errorf("%v prints a key: %s", args, out.String())
		}
	}
	return code, out.String()
}

func (s *shopLine) must(args ...string) string {
	s.t.Helper()
	code, out := s.types(args...)
	if code != exitDone {
		s.t.Fatalf("planwright %s: exit %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// TestAShopsLife fetches, plans, writes, edits one price by hand meanwhile, and undoes:
// the shop is as it was, but for that price.
func TestAShopsLife(t *testing.T) {
	s := openShop(t)
	s.stand.Fill(60, 4)
	s.stand.Add(woocommercetest.Product{SKU: "ON-SALE", Name: "On sale", Category: 3, Prices: shop.Prices{Regular: "20.00", Sale: "15.00"}})
	before := s.stand.All()
	s.must("shop", "fetch", "--out", "shop.csv")
	s.must("plan", "Increase prices by 10% for all shoes.", "--csv", "shop.csv", "--plan-out", "plan.json", "--execution-id", "plan_shoes_v1")
	out := s.must("shop", "fetch", "--plan", "plan.json")
	if !strings.Contains(out, "completed plan_shoes_v1") {
		t.Fatalf("it says: %s", out)
	}
	edited := ""
	for id, prices := range before {
		if prices.Regular == "80.00" {
			edited = max(edited, id)
		}
	}
	s.stand.Edit(edited, shop.Prices{Regular: "71.50"})
	s.stand.Next(
		woocommercetest.Fault{On: "batch", Kind: woocommercetest.Acts, Act: func() {}},
		woocommercetest.Fault{On: "products", Kind: woocommercetest.Status, Code: 429, Wait: "1"},
	)
	out = s.must("shop", "post")
	if !strings.Contains(out, "posted plan_shoes_v1") || !strings.Contains(out, "the shop has 71.50") && !strings.Contains(out, "the shop has 88.00") {
		t.Errorf("it says: %s", out)
	}
	want := map[string]shop.Prices{}
	for id, prices := range before {
		if prices.Regular == "80.00" {
			prices.Regular = "88.00"
		}
		want[id] = prices
	}
	s.shopHas(want, edited, "71.50")
	s.must("shop", "fetch", "--undo", "plan_shoes_v1")
	s.must("shop", "post")
	s.shopHas(before, edited, "71.50")
	out = s.must("shop", "status")
	if strings.Count(out, "posted") != 2 {
		t.Errorf("it lists: %s", out)
	}
}

// shopHas fails unless every price is as wanted, but for one that was set by hand.
func (s *shopLine) shopHas(want map[string]shop.Prices, edited, by string) {
	s.t.Helper()
	want = maps.Clone(want)
	want[edited] = shop.Prices{Regular: by}
	for id, has := range s.stand.All() {
		if has != want[id] {
			s.t.Errorf("%s costs %+v, want %+v", id, has, want[id])
		}
	}
}

// TestAScheduledChangeInAShop: when its time comes the shop is fetched again, and once
// more when it is to be taken back. What was edited by hand meanwhile counts.
func TestAScheduledChangeInAShop(t *testing.T) {
	s := openShop(t)
	s.stand.Fill(20, 3)
	early := s.stand.Add(woocommercetest.Product{SKU: "EARLY", Name: "Early", Prices: shop.Prices{Regular: "50.00"}})
	late := s.stand.Add(woocommercetest.Product{SKU: "LATE", Name: "Late", Prices: shop.Prices{Regular: "60.00"}})
	plain := s.stand.Add(woocommercetest.Product{SKU: "PLAIN", Name: "Plain", Prices: shop.Prices{Regular: "70.00"}})
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	s.file("plan.json", `{"execution_id": "plan_timed_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase prices by 10%.",
		"apply_at": "`+at(8*time.Second)+`", "revert_at": "`+at(20*time.Second)+`",
		"operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "percent_increase", "value": 10}}]}`)
	err := withServer(t.Context(), environment{stdout: io.Discard, stderr: io.Discard, lookup: s.lookup}, "./local", func(*web.Client) error {
		if out := s.must("shop", "fetch", "--plan", "plan.json"); !strings.Contains(out, "proposed plan_timed_v1") {
			t.Errorf("it says: %s", out)
		}
		s.stand.Edit(early, shop.Prices{Regular: "80.00"}) // before its time: 10% of that
		eventually(t, "it is applied, and written", func() bool { return s.costs(early) == "88.00" && s.costs(plain) == "77.00" })
		eventually(t, "all is written", func() bool { return strings.Contains(s.must("shop", "status"), "posted") })
		s.stand.Edit(late, shop.Prices{Regular: "61.00"}) // before it is taken back: it stays
		eventually(t, "it is taken back", func() bool { return s.costs(early) == "80.00" && s.costs(plain) == "70.00" })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.costs(late) != "61.00" {
		t.Errorf("what was edited by hand costs %s", s.costs(late))
	}
	s.must("shop", "post")
}

// TestAnApprovalOfAScheduledChange: what was approved goes ahead at its time where it still
// comes to the same prices, whatever else the shop has changed. Else it is proposed anew.
func TestAnApprovalOfAScheduledChange(t *testing.T) {
	s := openShop(t)
	other := s.stand.Add(woocommercetest.Product{SKU: "OTHER", Name: "Other", Prices: shop.Prices{Regular: "10.00"}})
	same := s.stand.Add(woocommercetest.Product{SKU: "SAME", Name: "Same", Prices: shop.Prices{Regular: "20.00"}})
	moves := s.stand.Add(woocommercetest.Product{SKU: "MOVES", Name: "Moves", Prices: shop.Prices{Regular: "30.00"}})
	due := time.Now().Add(9 * time.Second).UTC().Format(time.RFC3339)
	approve := func(c *web.Client, id, sku string) plannerapi.Record {
		s.file("plan.json", `{"execution_id": "`+id+`", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase one price by 10%.", "approval": "always", "apply_at": "`+due+`",
			"operations": [{"operation_id": "op_01", "filter": {"skus": ["`+sku+`"]}, "action": {"type": "percent_increase", "value": 10}}]}`)
		s.must("shop", "fetch", "--plan", "plan.json")
		shown := s.record(c, id)
		if err := c.Send(t.Context(), http.MethodPost, "/v1/executions/"+id+":approve", map[string]string{"proposal_sha256": shown.Proposal.ProposalSHA256}, new(json.RawMessage)); err != nil {
			t.Fatal(err)
		}
		return shown
	}
	err := withServer(t.Context(), environment{stdout: io.Discard, stderr: io.Discard, lookup: s.lookup}, "./local", func(c *web.Client) error {
		approve(c, "plan_same_v1", "SAME")
		first := approve(c, "plan_moves_v1", "MOVES")
		s.stand.Edit(other, shop.Prices{Regular: "11.11"})
		s.stand.Edit(moves, shop.Prices{Regular: "33.00"})
		eventually(t, "what is the same is written", func() bool { return s.costs(same) == "22.00" })
		eventually(t, "what moved is proposed anew", func() bool {
			now := s.record(c, "plan_moves_v1")
			return now.Proposal != nil && now.ApprovalDue && now.Proposal.ProposalSHA256 != first.Proposal.ProposalSHA256
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.costs(moves) != "33.00" || s.costs(other) != "11.11" {
		t.Errorf("they cost %s and %s", s.costs(moves), s.costs(other))
	}
	s.must("shop", "post")
	s.must("verify", "--db", "local/state.db", "--execution", "plan_same_v1")
}

func (s *shopLine) record(c *web.Client, id string) (shown plannerapi.Record) {
	s.t.Helper()
	if err := c.Get(s.t.Context(), "/v1/executions/"+id, &shown); err != nil {
		s.t.Fatal(err)
	}
	return shown
}

func (s *shopLine) costs(id string) string {
	now, _ := s.stand.Now(id)
	return now.Regular
}

func (s *shopLine) lookup(name string) (string, bool) { value, ok := s.env[name]; return value, ok }

func TestAShopThatIsNotConnected(t *testing.T) {
	s := openShop(t)
	for name, c := range map[string]struct {
		env  map[string]string
		says string
	}{
		"nothing is set":  {map[string]string{}, "SHOP_KIND"},
		"another kind":    {map[string]string{"SHOP_KIND": "shopify", "SHOP_URL": "https://shop.example"}, "woocommerce"},
		"plain http":      {map[string]string{"SHOP_KIND": "woocommerce", "SHOP_URL": "http://shop.example", "SHOP_KEY": "k", "SHOP_SECRET": "s"}, "https://shop.example"},
		"no keys":         {map[string]string{"SHOP_KIND": "woocommerce", "SHOP_URL": "https://shop.example"}, "SHOP_KEY"},
		"keys are wrong":  {map[string]string{"SHOP_KIND": "woocommerce", "SHOP_URL": s.env["SHOP_URL"], "SHOP_KEY": "k", "SHOP_SECRET": "s"}, "401"},
		"nobody is there": {map[string]string{"SHOP_KIND": "woocommerce", "SHOP_URL": "http://127.0.0.1:1", "SHOP_KEY": "k", "SHOP_SECRET": "s"}, "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			(&shopLine{t, s.stand, c.env}).refuses(c.says, "shop", "fetch")
		})
	}
}

func (s *shopLine) refuses(says string, args ...string) {
	s.t.Helper()
	if code, out := s.types(args...); code == exitDone || !strings.Contains(out, says) {
		s.t.Errorf("planwright %s: exit %d\n%s", strings.Join(args, " "), code, out)
	}
}

// TestADroppedTableIsNotPosted: only what was fetched is ever written to a shop, and a
// plan that changes more than prices is refused over it.
func TestADroppedTableIsNotPosted(t *testing.T) {
	s := openShop(t)
	s.stand.Fill(5, 2)
	before := s.stand.All()
	s.must("shop", "fetch", "--out", "shop.csv")
	s.must("plan", "Increase prices by 10% for all shoes.", "--csv", "shop.csv", "--plan-out", "plan.json")
	s.must("apply", "--plan", "plan.json", "--csv", "shop.csv", "--out", "out.csv", "--audit", "audit.jsonl")
	if out := s.must("shop", "post"); !strings.Contains(out, "nothing") {
		t.Errorf("it says: %s", out)
	}
	s.must("plan", "--rules", s.file("rules.json", `[{"operation_id": "op_01", "filter": {}, "action": {"type": "set_stock", "value": false}}]`), "--plan-out", "stock.json", "--execution-id", "plan_stock_v1")
	s.refuses("not written to a shop", "shop", "fetch", "--plan", "stock.json")
	if !maps.Equal(before, s.stand.All()) {
		t.Error("the shop was changed")
	}
}

func (s *shopLine) file(name, text string) string {
	s.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return name
}

// TestThePagesOfAShop fetches by the pages, and looks at what came of a change.
func TestThePagesOfAShop(t *testing.T) {
	s := openShop(t)
	s.stand.Fill(12, 3)
	env := environment{stdout: io.Discard, stderr: io.Discard, lookup: s.lookup}
	s.must("shop", "fetch", "--out", "shop.csv")
	s.must("plan", "Increase prices by 10% for all shoes.", "--csv", "shop.csv", "--plan-out", "plan.json", "--execution-id", "plan_shoes_v1")
	edited := s.stand.Add(woocommercetest.Product{SKU: "EXTRA", Name: "Extra shoe", Category: 2, Prices: shop.Prices{Regular: "50.00"}})
	s.stand.Refuse(edited, "Locked by a plugin.")
	s.must("shop", "fetch", "--plan", "plan.json")
	s.must("shop", "post")
	s.stand.Accept()
	err := withServer(t.Context(), env, "./local", func(c *web.Client) error {
		base := strings.TrimSuffix(c.Base, "/planner")
		s.shows(visit("GET", base+"/"))("Fetch from the shop")
		s.shows(visit("POST", base+"/shop/fetch"))("woocommerce.csv")
		s.shows(visit("GET", base+"/postings/plan_shoes_v1"))("1 of ", "Extra shoe", "Locked by a plugin.", "Try the refused again")
		s.shows(visit("POST", base+"/postings/plan_shoes_v1/retry"))("plan_shoes_v1")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if out := s.must("shop", "post"); strings.Contains(out, "Locked") {
		t.Errorf("after another try: %s", out)
	}
	if now, _ := s.stand.Now(edited); now.Regular != "55.00" {
		t.Errorf("it costs %+v", now)
	}
}

// visit asks for a page as a browser does.
func visit(method, address string) (*http.Response, error) {
	r, err := http.NewRequest(method, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/html")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return http.DefaultClient.Do(r)
}

// shows fails unless a page came and has some texts.
func (s *shopLine) shows(answer *http.Response, err error) func(texts ...string) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return func(texts ...string) {
		s.t.Helper()
		for _, text := range texts {
			if answer.StatusCode != http.StatusOK || !strings.Contains(string(body), text) {
				s.t.Errorf("%s: %d, without %q: %.2000s", answer.Request.URL, answer.StatusCode, text, body)
			}
		}
	}
}

var commandLines = regexp.MustCompile("(?s)## Connect a WooCommerce shop.*?```sh\n(.*?)```")

// TestReadmeConnectsAShop types the README's lines, against the stand-in.
func TestReadmeConnectsAShop(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := commandLines.FindSubmatch(readme)
	if found == nil {
		t.Fatal("the README has no lines to connect a shop")
	}
	s := openShop(t)
	s.stand.Fill(30, 3)
	before := s.stand.All()
	typed := 0
	for line := range strings.Lines(string(found[1])) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "   #")
		if args, is := strings.CutPrefix(line, "planwright "); is {
			typed++
			s.must(typedWords(args)...)
			if strings.HasPrefix(args, "shop post") && maps.Equal(before, s.stand.All()) && typed < 5 {
				t.Errorf("%s changed nothing in the shop", line)
			}
		}
	}
	if typed < 4 || !maps.Equal(before, s.stand.All()) {
		t.Errorf("after %d lines, the last of which undo, the shop is not as it was", typed)
	}
}

// typedWords splits a line as a shell does, with quotation marks.
func typedWords(line string) (all []string) {
	for _, part := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(line, -1) {
		all = append(all, strings.Trim(part, `"`))
	}
	return all
}

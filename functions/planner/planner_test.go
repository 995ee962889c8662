package planner_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/web"
)

var createOptions = bucket.CreateOptions{ContentType: "text/csv"}

const byHand = `{"execution_id":"by_hand_1","created_at":"2026-01-02T03:04:05Z","source_instruction":"Set all yoga products to $15.","operations":[{"operation_id":"op_01","filter":{"categories":["yoga"]},"action":{"type":"set_price","value":15.00}}]}`

func TestCreatePlan(t *testing.T) {
	s := open(t)
	got := s.call(t, "POST", "/v1/plans", `{"instruction":"`+raise+`"}`)
	want := `{"plan":{"created_at":"2026-01-02T03:00:01Z","execution_id":"plan_increase_prices_10pct_stock_fitness_v1","operations":[{"action":{"type":"percent_increase","value":10},"filter":{"categories":["fitness"],"in_stock":true},"operation_id":"op_01"}],"source_instruction":"Increase prices by 10% for all in-stock fitness products."},` +
		`"plan_sha256":"SHA","explanation":["Increase the price by 10% for products in category fitness that are in stock; round to 2 decimals, or as many as the prices have."],"warnings":[],"agreement":"both","planner":{"model":"scripted","prompt_sha256":"abc","attempts":2},"created_at":"2026-01-02T03:00:02Z","created_by":"",` +
		`"upload":{"bucket":"shop-inbox","prefix":"plan_increase_prices_10pct_stock_fitness_v1/","command":"gcloud storage cp products.csv gs://shop-inbox/plan_increase_prices_10pct_stock_fitness_v1/"}}` + "\n"
	sha := got.field(t, "plan_sha256").(string)
	if diff := cmp.Diff(strings.Replace(want, "SHA", sha, 1), got.body); got.status != 201 || diff != "" {
		t.Fatalf("%d, body (-want +got):\n%s", got.status, diff)
	}
	if again := s.call(t, "POST", "/v1/plans", `{"instruction":"`+raise+`"}`); again.status != 200 || again.body != got.body {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	if shown := s.call(t, "GET", "/v1/plans/plan_increase_prices_10pct_stock_fitness_v1", ""); shown.status != 200 || shown.body != got.body {
		t.Errorf("GET: %d %s", shown.status, shown.body)
	}
	if len(s.planner.asked) != 1 {
		t.Errorf("the planner was asked %d times", len(s.planner.asked))
	}
}

func TestCreatePlanUnderAnID(t *testing.T) {
	s := open(t)
	order := func(instruction, id, categories string) string {
		return fmt.Sprintf(`{"instruction":%q,"execution_id":%q,"categories":%s}`, instruction, id, categories)
	}
	steps := []struct {
		name, body string
		status     int
		want       string
	}{
		{"new", order(raise, "spring_sale_v1", `["yoga","fitness"]`), 201, `"execution_id":"spring_sale_v1"`},
		{"the same", order(raise, "spring_sale_v1", `["yoga","fitness"]`), 200, `"execution_id":"spring_sale_v1"`},
		{"the same, categories in another order", order(raise, "spring_sale_v1", `["fitness","yoga","yoga"]`), 200, `"execution_id":"spring_sale_v1"`},
		{"another instruction", order("Set all yoga products to $15.", "spring_sale_v1", `["yoga","fitness"]`), 409, "spring_sale_v2, which is free"},
		{"other categories", order(raise, "spring_sale_v1", `["yoga"]`), 409, "spring_sale_v2, which is free"},
		{"no categories", order(raise, "spring_sale_v1", `null`), 409, `"code":"conflict"`},
		{"with terms", order(raise, "weekend_v1", `null,"apply_at":"2026-11-27T00:00:00Z","revert_at":"2026-11-30T00:00:00Z","approval":"always"`), 201,
			`"Apply this on Friday, 27 November 2026, 00:00 UTC, not before.","Undo this on Monday, 30 November 2026, 00:00 UTC."`},
		{"the same terms", order(raise, "weekend_v1", `null,"apply_at":"2026-11-27T00:00:00Z","revert_at":"2026-11-30T00:00:00Z","approval":"always"`), 200, `"approval":"always"`},
		{"other terms", order(raise, "weekend_v1", `null,"apply_at":"2026-11-28T00:00:00Z"`), 409, "weekend_v2, which is free"},
	}
	for _, step := range steps {
		if got := s.call(t, "POST", "/v1/plans", step.body); got.status != step.status || !strings.Contains(got.body, step.want) {
			t.Errorf("%s: %d %s, want %d with %s", step.name, got.status, got.body, step.status, step.want)
		}
	}
	if diff := cmp.Diff([]string{"fitness", "yoga"}, s.planner.asked[0].Categories); diff != "" || len(s.planner.asked) != 2 {
		t.Errorf("asked %d times, categories (-want +got):\n%s", len(s.planner.asked), diff)
	}
}

// A person's rules are a plan as they are: no planner is asked.
func TestCreatePlanOfRules(t *testing.T) {
	s := open(t)
	const yoga = `{"filter":{"categories":["yoga"]},"action":{"type":"set_price","value":15}}`
	const named = `{"operation_id":"rest","filter":{"exclude_categories":["yoga"]},"action":{"type":"percent_decrease","value":5},"options":{"round_to":0}}`
	steps := []struct {
		name, body string
		status     int
		want       string
	}{
		{"without an instruction", `{"operations":[` + yoga + `]}`, 201,
			`"execution_id":"plan_set_price_15_category_yoga_v1","operations":[{"action":{"type":"set_price","value":15},"filter":{"categories":["yoga"]},"operation_id":"op_01"}],` +
				`"source_instruction":"Set the price to 15 for products in category yoga; round to 2 decimals, or as many as the prices have."}`},
		{"once more", `{"operations":[` + yoga + `]}`, 200, `"execution_id":"plan_set_price_15_category_yoga_v1"`},
		{"who made it", `{"operations":[` + yoga + `]}`, 200, `"agreement":"person","planner":{"model":""}`},
		{"with terms", `{"operations":[` + yoga + `],"approval":"always"}`, 201, `"execution_id":"plan_set_price_15_category_yoga_v2"`},
		{"with an instruction", `{"instruction":"Yoga costs 15.","operations":[` + yoga + `,` + named + `]}`, 201,
			`"execution_id":"plan_yoga_costs_15_v1","operations":[{"action":{"type":"set_price","value":15},"filter":{"categories":["yoga"]},"operation_id":"op_01"},{"action":{"type":"percent_decrease","value":5}`},
		{"other rules for it", `{"instruction":"Yoga costs 15.","operations":[` + yoga + `]}`, 201, `"execution_id":"plan_yoga_costs_15_v2"`},
		{"under an id", `{"execution_id":"my_rules_v1","operations":[` + yoga + `]}`, 201, `"execution_id":"my_rules_v1"`},
		{"the same under it", `{"execution_id":"my_rules_v1","operations":[` + yoga + `]}`, 200, `"execution_id":"my_rules_v1"`},
		{"others under it", `{"execution_id":"my_rules_v1","operations":[` + named + `]}`, 409, "my_rules_v2, which is free"},
		{"every problem", `{"operations":[{"action":{"type":"set_price","value":-1},"filter":{"price_gte":9,"price_lte":8,"colour":"red"}},{"operation_id":"op_01","filter":{},"action":{"type":"halve","value":1}}]}`, 422,
			`"details":[{"path":"operations[0].filter.colour",`},
		{"a range without a price", `{"operations":[{"action":{"type":"set_price","value":1},"filter":{"price_gte":9,"price_lte":8}}]}`, 422,
			`{"path":"operations[0].filter.price_gte","message":"is 9, above price_lte 8: no price is in that range"}`},
		{"one id twice", `{"operations":[` + yoga + `,{"operation_id":"op_01","filter":{},"action":{"type":"end_sale"}}]}`, 422,
			`{"path":"operations[1].operation_id","message":"\"op_01\" is already the id of operations[0]: give each its own"}`},
		{"no rule", `{"operations":[]}`, 422, `{"path":"operations","message":"must hold 1 to 100 operations, but holds 0"}`},
		{"a short instruction", `{"instruction":"Yes","operations":[` + yoga + `]}`, 422, `{"path":"instruction","message":"must be 5 to 2000 characters, but is 3"}`},
		{"a list of names", `{"operations":[` + yoga + `],"brands":["Nike"]}`, 422, `{"path":"operations","message":"say their own names: give no categories, brands or tags beside them"}`},
		{"long names", `{"operations":[{"filter":{"categories":[` + strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("é", 500)+`",`, 600), ",") + `]},"action":{"type":"end_sale"}}]}`, 422, "in canonical form, more than 512 KiB"},
	}
	for _, step := range steps {
		if got := s.call(t, "POST", "/v1/plans", step.body); got.status != step.status || !strings.Contains(got.body, step.want) {
			t.Errorf("%s: %d %s, want %d with %s", step.name, got.status, got.body, step.status, step.want)
		}
	}
	if len(s.planner.asked) != 0 {
		t.Error("the planner was asked")
	}
	// The same words, to be read, are not the person's rules for them.
	if got := s.call(t, "POST", "/v1/plans", `{"instruction":"Yoga costs 15."}`); got.status != 201 || got.field(t, "agreement") != "both" {
		t.Errorf("the instruction alone: %d %s", got.status, got.body)
	}
}

func TestRefusedOrders(t *testing.T) {
	tests := []struct {
		name, body string
		status     int
		want       string
	}{
		{"too short", `{"instruction":"Hi"}`, 422, `"details":[{"path":"instruction","message":"must be 5 to 2000 characters, but is 2"}]`},
		{"too long", `{"instruction":"` + strings.Repeat("é", 2001) + `"}`, 422, `but is 2001`},
		{"no instruction", `{}`, 422, `"path":"instruction","message":"is required"`},
		{"every problem", `{"instruction":7,"execution_id":"../../x","categories":["",""],"extra":1}`, 422,
			`{"path":"instruction","message":"must be a string, but is a number"},{"path":"execution_id","message":"must be 8 to 64 characters, each a letter a-z or A-Z, a digit, _ or -"},{"path":"categories","message":"entry 0 must be 1 to 512 bytes long"}`},
		{"every problem of the terms", `{"instruction":"Raise all by 5%","execution_id":"` + strings.Repeat("p", 60) + `","apply_at":"2026-11-30T00:00:00Z","revert_at":"2026-11-27T00:00:00Z","approval":"never"}`, 422,
			`{"path":"revert_at","message":"is 2026-11-27T00:00:00Z, which is not after apply_at 2026-11-30T00:00:00Z"},{"path":"approval","message":"must be always, but is \"never\""},{"path":"execution_id","message":"must have at most 59 characters where revert_at is given"}`},
		{"to be undone in the past", `{"instruction":"` + raise + `","revert_at":"2020-01-01T00:00:00Z"}`, 422,
			`"details":[{"path":"revert_at","message":"is 2020-01-01T00:00:00Z, which is past: choose a later time, or leave it out"}]`},
		{"not JSON", `{"instruction":`, 400, `"code":"malformed"`},
		{"too large", `{"instruction":"` + strings.Repeat("x", 2<<20) + `"}`, 413, `"code":"too_large"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t)
			got := s.call(t, "POST", "/v1/plans", tt.body)
			if got.status != tt.status || !strings.Contains(got.body, tt.want) {
				t.Errorf("%d %s, want %d with %s", got.status, got.body, tt.status, tt.want)
			}
			if len(s.planner.asked) != 0 {
				t.Error("the planner was asked")
			}
		})
	}
}

func TestPlannerErrors(t *testing.T) {
	ten := plan.Operation{OperationID: "op_01", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	asked := &planning.ClarificationError{
		Class: "missing_unit", Questions: []string{"By 10 percent, or by 10 in money?"},
		Draft: &planning.Draft{Operations: planning.RulesOf([]plan.Operation{ten}), Open: []planning.OpenPart{}},
	}
	tests := []struct {
		name   string
		err    error
		status int
		want   string
	}{
		{"a question", asked, 422, `"code":"needs_clarification"`},
		{"its reason and draft", asked, 422, `"details":{"class":"missing_unit","draft":{"operations":[{"sentence":"Increase the price by 10% for all products; round to 2 decimals, or as many as the prices have.",` +
			`"filter":{},"action":{"type":"percent_increase","value":10},"options":{},"from":[],"ask":[]}],"open":[],"complete":false},` +
			`"execution_id":"plan_ten_v1","created_at":"2026-01-02T03:00:01Z","source_instruction":"Increase prices by 10"},"questions":["By 10 percent, or by 10 in money?"]`},
		{"nonsense", errs.New(errs.Unusable, "m"), 502, `"code":"unusable_answer"`},
		{"no answer", errs.New(errs.Unavailable, "m"), 503, `"code":"unavailable"`},
		{"quota", errs.New(errs.Exhausted, "m"), 429, `"code":"exhausted"`},
		{"late", errs.New(errs.Deadline, "m"), 504, `"code":"deadline"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t)
			s.planner.err = tt.err
			got := s.call(t, "POST", "/v1/plans", `{"instruction":"Increase prices by 10","execution_id":"plan_ten_v1"}`)
			if got.status != tt.status || !strings.Contains(got.body, tt.want) {
				t.Errorf("%d %s, want %d with %s", got.status, got.body, tt.status, tt.want)
			}
			if got := s.call(t, "GET", "/v1/plans/plan_ten_v1", ""); got.status != 404 {
				t.Errorf("a plan was stored: %s", got.body)
			}
		})
	}
}

// A plan is not made with a time that is past, which would be at once; one that is stored
// is answered with however late it is asked for again, and a plan from elsewhere is stored.
func TestAnApplyAtThatIsPast(t *testing.T) {
	s := open(t)
	now := time.Unix(s.clock.Load(), 0).UTC()
	order := func(id string, at time.Time) answer {
		return s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", `+id+`"apply_at": "`+at.Format(time.RFC3339)+`"}`)
	}
	for _, id := range []string{"", `"execution_id": "plan_at_a_time_v1", `} {
		if got := order(id, now.Add(-time.Hour)); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "leave it out to apply at once") {
			t.Errorf("an hour ago: %d %s", got.status, got.body)
		}
		if got := order(id, now.Add(-time.Minute)); got.status != http.StatusCreated {
			t.Errorf("a minute ago: %d %s", got.status, got.body)
		}
		s.clock.Add(3600)
		if got := order(id, now.Add(-time.Minute)); got.status != http.StatusOK {
			t.Errorf("asked for again: %d %s", got.status, got.body)
		}
		s.clock.Add(-3600)
	}
	for _, status := range []int{http.StatusCreated, http.StatusOK} {
		if got := s.call(t, "PUT", "/v1/plans/plan_of_old_v1", `{"execution_id": "plan_of_old_v1", "created_at": "2020-01-02T03:00:00Z", "apply_at": "2020-01-03T03:00:00Z", "source_instruction": "Of old.", "operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "set_price", "value": 1}}]}`); got.status != status {
			t.Errorf("a plan from elsewhere: %d %s", got.status, got.body)
		}
	}
}

func TestVersions(t *testing.T) {
	s := open(t)
	const slug = "plan_increase_prices_10pct_stock_fitness"
	expect := func(step, instruction, want string) {
		t.Helper()
		if got := s.plan(t, instruction); got != want {
			t.Errorf("%s: %s, want %s", step, got, want)
		}
	}
	expect("first", raise, slug+"_v1")
	expect("not executed yet", raise, slug+"_v1")
	s.execute(t, slug+"_v1", "sku,price\n")
	expect("failed changed nothing", raise, slug+"_v1")
	s.execute(t, slug+"_v1", products)
	expect("after it was executed", raise, slug+"_v2")
	expect("not executed yet either", raise, slug+"_v2")
	expect("the slug belongs to another instruction", raise+"  ", slug+"_v3")
	expect("the first again", raise, slug+"_v2")
}

func TestTheSameOrderAtOnceMakesOnePlan(t *testing.T) {
	s := open(t)
	var ready sync.WaitGroup
	ready.Add(8)
	s.planner.wait = func() { ready.Done(); ready.Wait() } // all eight are past the look-up
	ids := make([]string, 8)
	var done sync.WaitGroup
	for i := range ids {
		done.Go(func() { ids[i] = s.plan(t, raise) })
	}
	done.Wait()
	for _, id := range ids {
		if id != "plan_increase_prices_10pct_stock_fitness_v1" {
			t.Errorf("one of them made %s", id)
		}
	}
	if len(s.planner.asked) != 8 {
		t.Errorf("the planner was asked %d times by 8 requests", len(s.planner.asked))
	}
}

// The next version is found by as many reads after 1,000 uses of a sentence as after one,
// and there is no last one.
func TestVersionsAreOneRead(t *testing.T) {
	const slug = "plan_increase_prices_10pct_stock_fitness"
	s := open(t)
	reads := func(step, want string) []string {
		t.Helper()
		counted := &countedReads{Store: s.store}
		handler := planner.NewHandler(planner.Dependencies{Store: counted, Planner: s.planner, InboxBucket: "shop-inbox", Now: s.now})
		got := send(web.Service{}.Serve(handler), "POST", "/v1/plans", `{"instruction":"`+raise+`"}`)
		if id := got.field(t, "plan.execution_id"); id != want {
			t.Errorf("%s: %d %s, want %s", step, got.status, got.body, want)
		}
		return counted.reads
	}
	first := reads("first", slug+"_v1")
	s.execute(t, slug+"_v1", products)
	second := reads("second", slug+"_v2")
	if len(first) != 1 || len(second) != 3 {
		t.Errorf("reads %v, then %v", first, second)
	}
	for _, n := range []int{999, 12345} {
		stored, err := s.store.Plan(t.Context(), slug+"_v2")
		if err != nil {
			t.Fatal(err)
		}
		stored.ExecutionID, stored.Instruction = plans.Version(slug, n), "Somebody else's sentence."
		if err := s.store.CreatePlan(t.Context(), stored); err != nil {
			t.Fatal(err)
		}
		latest := plans.Version(slug, n+1)
		if n == 999 {
			s.execute(t, slug+"_v2", products)
		} else {
			s.execute(t, plans.Version(slug, 1000), products)
		}
		if again := reads("after many", latest); len(again) != len(second) {
			t.Errorf("after %d versions it reads %v", n, again)
		}
		if again := reads("not executed", latest); len(again) != len(second) {
			t.Errorf("it reads %v to find it again", again)
		}
	}
}

// countedReads notes what is read of a ledger.
type countedReads struct {
	ledger.Store
	reads []string
}

func (c *countedReads) Plan(ctx context.Context, id string) (plans.Record, error) {
	c.reads = append(c.reads, "plan "+id)
	return c.Store.Plan(ctx, id)
}

func (c *countedReads) Execution(ctx context.Context, id string) (ledger.Execution, error) {
	c.reads = append(c.reads, "execution "+id)
	return c.Store.Execution(ctx, id)
}

func (c *countedReads) PlanVersions(ctx context.Context, name string, r plans.Request) (plans.Versions, error) {
	c.reads = append(c.reads, "versions of "+name)
	return c.Store.PlanVersions(ctx, name, r)
}

// Two sentences of one slug, asked by many at once, have a plan each.
func TestTwoSentencesOfOneSlugAtOnce(t *testing.T) {
	s := open(t)
	var ready, done sync.WaitGroup
	ready.Add(8)
	var waited atomic.Int64
	s.planner.wait = func() {
		if waited.Add(1) <= 8 {
			ready.Done()
			ready.Wait() // all eight have looked for a version
		}
	}
	ids := make([]string, 8)
	for i := range ids {
		done.Go(func() { ids[i] = s.plan(t, raise+strings.Repeat(" ", i%2)) })
	}
	done.Wait()
	versions := map[string]bool{}
	for i, id := range ids {
		if id != ids[i%2] {
			t.Errorf("sentence %d has the plans %s and %s", i%2, ids[i%2], id)
		}
		versions[id] = true
	}
	const slug = "plan_increase_prices_10pct_stock_fitness"
	if len(versions) != 2 || !versions[slug+"_v1"] || !versions[slug+"_v2"] {
		t.Errorf("the versions are %v", versions)
	}
}

func TestPutPlan(t *testing.T) {
	s := open(t)
	steps := []struct {
		name, path, body string
		status           int
		want             string
	}{
		{"new", "/v1/plans/by_hand_1", byHand, 201, `"agreement":""`},
		{"identical but for its spelling", "/v1/plans/by_hand_1", strings.Replace(byHand, "15.00", "15", 1) + " \n", 200, `"model":""`},
		{"made at another time", "/v1/plans/by_hand_1", strings.Replace(byHand, "2026-01-02", "2026-01-03", 1), 200, `"created_at":"2026-01-02T03:04:05Z"`},
		{"another", "/v1/plans/by_hand_1", strings.Replace(byHand, "15.00", "16", 1), 409, "by_hand_1_v2, which is free"},
		{"ids differ", "/v1/plans/by_hand_2", byHand, 422, "by_hand_1 and the address names by_hand_2"},
		{"invalid", "/v1/plans/by_hand_2", `{"execution_id":"by_hand_2","extra":{}}`, 422, `{"path":"operations","message":"is required"}`},
		{"not an id", "/v1/plans/..%2F..%2Fx", byHand, 422, `"code":"invalid"`},
		{"to be undone in the past", "/v1/plans/by_hand_1", strings.Replace(byHand, `"operations"`, `"revert_at":"2020-01-01T00:00:00Z","operations"`, 1), 409, "by_hand_1_v2, which is free"},
		{"to be undone in the past, and new", "/v1/plans/by_hand_3", strings.NewReplacer("by_hand_1", "by_hand_3", `"operations"`, `"revert_at":"2020-01-01T00:00:00Z","operations"`).Replace(byHand), 422, `"path":"revert_at","message":"is 2020-01-01T00:00:00Z, which is past`},
		{"not JSON", "/v1/plans/by_hand_2", `{NaN}`, 400, `"code":"malformed"`},
	}
	for _, step := range steps {
		if got := s.call(t, "PUT", step.path, step.body); got.status != step.status || !strings.Contains(got.body, step.want) {
			t.Errorf("%s: %d %s, want %d with %s", step.name, got.status, got.body, step.status, step.want)
		}
	}
}

func TestValidatePlan(t *testing.T) {
	s := open(t)
	got := s.call(t, "POST", "/v1/plans:validate", byHand)
	decoded, err := plan.Decode([]byte(byHand))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"valid":true,"plan_sha256":"` + decoded.SHA256() + `","explanation":["Set the price to 15 for products in category yoga; round to 2 decimals, or as many as the prices have."],"warnings":[]}` + "\n"
	if diff := cmp.Diff(want, got.body); got.status != 200 || diff != "" {
		t.Errorf("%d, body (-want +got):\n%s", got.status, diff)
	}
	got = s.call(t, "POST", "/v1/plans:validate", strings.Replace(byHand, `"categories":["yoga"]`, `"price_gte":10,"price_lte":5`, 1))
	if got.status != 422 || !strings.Contains(got.body, `"path":"operations[0].filter`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	got = s.call(t, "POST", "/v1/plans:validate", strings.Replace(byHand, `"operations"`, `"revert_at":"2020-01-01T00:00:00Z","operations"`, 1))
	if got.status != 422 || !strings.Contains(got.body, `"path":"revert_at"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := s.call(t, "GET", "/v1/plans/by_hand_1", ""); got.status != 404 {
		t.Errorf("validating stored the plan: %s", got.body)
	}
}

func TestPreview(t *testing.T) {
	s := open(t)
	id := s.plan(t, raise)
	preview := "/v1/plans/" + id + ":preview"
	got := s.call(t, "POST", preview, products)
	sha := s.call(t, "GET", "/v1/plans/"+id, "").field(t, "plan_sha256").(string)
	_, effect, _ := strings.Cut(got.body, `"effect":`)
	effect, _, _ = strings.Cut(effect, `,"warnings":`) // package pricing says what it must be
	for _, part := range []string{`"rows_raised":2`, `"raised":"7"`, `{"from_percent":9,"to_percent":11,"rows":2}`, `"sku":"A102","before":"39.99","after":"43.99"`} {
		if !strings.Contains(effect, part) {
			t.Errorf("the effect has no %s: %s", part, effect)
		}
	}
	hash, _ := got.field(t, "preview_sha256").(string) // TestExecuteWhatWasSeen says what it must be
	want := `{"plan_sha256":"` + sha + `","preview_sha256":"` + hash + `","table":{"dialect":{"delimiter":"comma","line_end":"LF","encoding":"UTF-8"},"profile":"plain","columns":[{"title":"sku","role":"sku"},{"title":"category","role":"category","form":"name"},{"title":"price","role":"price","form":"1234.56"},{"title":"in_stock","role":"in_stock","form":"words"}]},"summary":{"rows_total":4,"rows_changed":2,"operations":[{"operation_id":"op_01","rows_matched":2,"rows_changed":2}]},"effect":` + effect + `,"warnings":[],` +
		`"changes":[{"row":2,"sku":"A101","operation_ids":["op_01"],"before":{"price":"29.99","in_stock":true},"after":{"price":"32.99","in_stock":true},"moved_percent":"10.0033"},` +
		`{"row":3,"sku":"A102","operation_ids":["op_01"],"before":{"price":"39.99","in_stock":true},"after":{"price":"43.99","in_stock":true},"moved_percent":"10.0025"}],"rows_found":2,"changes_truncated":false,"next_page_token":""}` + "\n"
	if diff := cmp.Diff(want, got.body); got.status != 200 || diff != "" {
		t.Errorf("%d, body (-want +got):\n%s", got.status, diff)
	}
	tests := []struct {
		name, path, body string
		status           int
		want             string
	}{
		{"a bad price", preview, strings.Replace(products, "39.99", "free", 1), 422, `"details":[{"row":3,"column":"price","value":"free"`},
		{"nothing matches", preview, "sku,category,price,in_stock\nB1,fitness,1.00,false\n", 200, `"figures":{"unmatched":{"operations":["op_01"]}}`},
		{"an unknown category", preview, "sku,category,price,in_stock\nB1,Fitness,1.00,true\n", 422, `"name":"fitness","operation_ids":["op_01"],"nearest":["Fitness"]`},
		{"columns", preview + "?columns=sku%3DVariant%20SKU%2Cprice%3DCost", "Variant SKU,category,Cost,in_stock\nA,fitness,1.00,yes\n", 200, `"rows_changed":1`},
		{"blank prices", preview, "sku,category,price,in_stock\nA,fitness,,true\n", 200, `1 row has no price, and is left alone by op_01: row 2.`},
		{"a table by its parameters", preview + "?delimiter=pipe&price_form=1.234,56&columns=sku=id", "id|category|price|in_stock\nA|fitness|1.000|true\n", 200, `"after":{"price":"1.100,00"`},
		{"a blank price, by its setting here", preview + "?blank_price=error", "sku,category,price,in_stock\nA,fitness,,true\n", 422, `the query parameter blank_price=keep`},
		{"an empty cell is called empty", preview + "?blank_price=error", "sku,category,price,in_stock\nA,fitness,,true\n", 422, `column price, an empty cell`},
		{"a header, all of it", preview, "Artikel,Betrag,Platz\nA,1.00,1\n", 422, `say which column it is, with the query parameter columns=category=TITLE,price=TITLE,in_stock=TITLE:`},
		{"a parameter that is none", preview + "?price_form=nonsense", products, 422, `"details":[{"path":"price_form","message":"\"nonsense\" must be`},
		{"an unknown parameter", preview + "?colums=sku", products, 422, `"path":"colums"`},
		{"a parameter where there are none", "/v1/plans?dry_run=true", `{"instruction":"Discount yoga by 6%."}`, 422, `"path":"dry_run"`},
		{"more than 100", preview, "sku,category,price,in_stock\n" + strings.Repeat("A,fitness,1.00,true\n", 101), 200, `"changes_truncated":true`},
		{"a page", preview + "?page_size=1", products, 200, `A101","operation_ids":["op_01"],"before":{"price":"29.99","in_stock":true},"after":{"price":"32.99","in_stock":true},"moved_percent":"10.0033"}],"rows_found":2,"changes_truncated":true,"next_page_token":"0.2"}`},
		{"the page after it", preview + "?page_size=1&page_token=0.2", products, 200, `"changes":[{"row":3,"sku":"A102","operation_ids":["op_01"],"before":{"price":"39.99","in_stock":true},"after":{"price":"43.99","in_stock":true},"moved_percent":"10.0025"}],"rows_found":2,"changes_truncated":true,"next_page_token":""}`},
		{"some SKUs", preview + "?search=a102", products, 200, `"changes":[{"row":3,`},
		{"no such SKU", preview + "?search=zzz", products, 200, `"changes":[],"rows_found":0,"changes_truncated":true,"next_page_token":""}`},
		{"a token of none", preview + "?page_token=-1", products, 422, "page_token"},
		{"too large", preview, products + strings.Repeat("B,yoga,1.00,true\n", 2<<20), 413, `30 MiB`},
		{"too large and no table", preview, strings.Repeat("\x00", 31<<20), 413, `30 MiB`},
		{"no such plan", "/v1/plans/plan_none_v1:preview", products, 404, "There is no plan plan_none_v1."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.call(t, "POST", tt.path, tt.body); got.status != tt.status || !strings.Contains(got.body, tt.want) {
				t.Errorf("%d %.500s, want %d with %s", got.status, got.body, tt.status, tt.want)
			}
		})
	}
	if got := s.call(t, "GET", "/v1/executions", ""); got.field(t, "next_page_token") != "" || !strings.Contains(got.body, `"executions":[]`) {
		t.Errorf("a preview was recorded: %s", got.body)
	}
}

// A plan that leaves out a category under another name would raise what was to
// be left alone: it is refused, with the name that was meant.
func TestPreviewRefusesNamesThatNoRowHas(t *testing.T) {
	s := open(t)
	for i, tt := range []struct{ name, filter, table, nearest, allowed string }{
		{"another case, left out", `{"exclude_categories":["Fitness"]}`, products, `"column":"category","name":"Fitness","excluded":true,"confirm":"reprice Fitness too","operation_ids":["op_01"],"nearest":["fitness"]`, "reprice Fitness too"},
		{"another case, asked for", `{"categories":["FITNESS"]}`, products, `"column":"category","name":"FITNESS","operation_ids":["op_01"],"nearest":["fitness"]`, "allow"},
		{"other blanks, left out", `{"exclude_categories":["fitness "]}`, products, `"nearest":["fitness"]`, "reprice fitness too"},
		{"another Unicode form", `{"exclude_categories":["Größe"]}`, "sku,category,price,in_stock\nA,Gro\u0308ße,1.00,true\n", "\"nearest\":[\"Gro\u0308ße\"]", "reprice Größe too"},
		{"a SKU, left out", `{"exclude_skus":["a101"]}`, products, `"column":"sku","name":"a101","excluded":true,"confirm":"reprice a101 too","operation_ids":["op_01"],"nearest":["A101"`, "reprice a101 too"},
		{"a SKU that is not there", `{"skus":["A101","Z9"]}`, products, `"column":"sku","name":"Z9","operation_ids":["op_01"],"nearest":[]`, "allow"},
		{"one that nothing is like", `{"exclude_categories":["gardening"]}`, products, `"name":"gardening","excluded":true,"confirm":"reprice gardening too","operation_ids":["op_01"],"nearest":[]`, "reprice gardening too"},
		{"one of two, the other there", `{"categories":["yoga","Fitness"]}`, products, `"details":[{"column":"category","name":"Fitness",`, "allow"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := fmt.Sprintf("names_%d_v1", i)
			body := `{"execution_id":"` + id + `","created_at":"2026-01-02T03:04:05Z","source_instruction":"Increase all prices by 10% except Fitness.","operations":[{"operation_id":"op_01","filter":` + tt.filter + `,"action":{"type":"percent_increase","value":10}}]}`
			if got := s.call(t, "PUT", "/v1/plans/"+id, body); got.status != 201 {
				t.Fatal(got.body)
			}
			got := s.call(t, "POST", "/v1/plans/"+id+":preview", tt.table)
			if got.status != 422 || got.field(t, "error.code") != "unknown_names" || !strings.Contains(got.body, tt.nearest) || !strings.Contains(got.body, "the query parameter unmatched="+tt.allowed) {
				t.Errorf("%d %s, want unknown_names with %s", got.status, got.body, tt.nearest)
			}
			exact := ""
			if strings.Contains(got.body, `"alike":`) { // both settings that the answer names
				exact = "&near_names=exact"
			}
			got = s.call(t, "POST", "/v1/plans/"+id+":preview?unmatched="+url.QueryEscape(tt.allowed)+exact, tt.table)
			if got.status != 200 || !strings.Contains(got.body, `"names":[{"column":`) {
				t.Errorf("allowed: %d %s", got.status, got.body)
			}
		})
	}
}

// Every kind of table is taken under its own media type, in its own dialect. JSON names a held table.
func TestPreviewTakesEveryKindOfTable(t *testing.T) {
	s := open(t)
	id := s.plan(t, raise)
	for contentType, want := range map[string]int{"text/csv": 200, "text/tab-separated-values": 200, "text/plain": 200, "text/plain; charset=utf-8": 200, "application/json": 400, "text/html": 415} {
		request, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/plans/"+id+":preview", strings.NewReader(strings.ReplaceAll(products, ",", "\t")))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", contentType)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != want || want == 200 && !strings.Contains(string(body), `"delimiter":"tab"`) {
			t.Errorf("%s: %d %s, %v; want %d", contentType, response.StatusCode, body, err, want)
		}
	}
}

func TestPreviewCountsRowsThatMoveAgainstTheirAction(t *testing.T) {
	s := open(t)
	capped := `{"execution_id":"capped_v1","created_at":"2026-01-02T03:04:05Z","source_instruction":"Raise by 10%, capped at 50.","operations":[{"operation_id":"op_01","filter":{},"action":{"type":"percent_increase","value":10},"options":{"max_price":50}}]}`
	if got := s.call(t, "PUT", "/v1/plans/capped_v1", capped); got.status != 201 {
		t.Fatal(got.body)
	}
	got := s.call(t, "POST", "/v1/plans/capped_v1:preview", "sku,category,price,in_stock\nA,x,40.00,true\nB,x,60.00,true\nC,x,50.01,true\n")
	if want := `{"code":"against_direction","operation_ids":["op_01"],"message":"2 rows have what customers pay moved the other way than op_01 is to move it, by a limit, rounding, an ending, their cost or their sale; the first are rows 3, 4.","rows":2,"first_rows":[3,4]}`; !strings.Contains(got.body, want) {
		t.Errorf("%d %s, want %s", got.status, got.body, want)
	}
}

func TestExecutions(t *testing.T) {
	s := open(t)
	id := s.plan(t, raise)
	got := s.call(t, "GET", "/v1/executions/"+id, "")
	if got.status != 404 || !strings.Contains(got.body, "is stored, and no CSV was uploaded for it yet. Upload one: gcloud storage cp products.csv gs://shop-inbox/"+id+"/") {
		t.Errorf("before: %d %s", got.status, got.body)
	}
	s.execute(t, id, products)
	got = s.call(t, "GET", "/v1/executions/"+id, "")
	if got.status != 200 || got.field(t, "status") != "completed" || got.field(t, "summary.rows_changed") != 2.0 || got.field(t, "error") != nil {
		t.Errorf("after: %d %s", got.status, got.body)
	}
	if outputs := got.field(t, "outputs").([]any); len(outputs) != 2 || outputs[0].(map[string]any)["object"] != id+"/products.csv" {
		t.Errorf("outputs %v", outputs)
	}
	if audit := got.field(t, "audit").([]any); len(audit) != 1 || audit[0].(map[string]any)["status"] != "completed" {
		t.Errorf("audit %v", audit)
	}
	if sha := s.call(t, "GET", "/v1/plans/"+id, "").field(t, "plan_sha256"); got.field(t, "plan_sha256") != sha {
		t.Errorf("plan_sha256 %v, want %v", got.field(t, "plan_sha256"), sha)
	}

	first := s.call(t, "GET", "/v1/executions/"+id+"/changes?page_size=1", "")
	if !strings.Contains(first.body, `"sku":"A101"`) || strings.Contains(first.body, `"sku":"A102"`) {
		t.Errorf("first page %s", first.body)
	}
	second := s.call(t, "GET", "/v1/executions/"+id+"/changes?page_size=1&page_token="+first.field(t, "next_page_token").(string), "")
	if !strings.Contains(second.body, `"sku":"A102"`) || strings.Contains(second.body, `"sku":"A101"`) {
		t.Errorf("second page %s", second.body)
	}
	sku := s.call(t, "GET", "/v1/skus/A101/changes", "")
	if !strings.Contains(sku.body, `"changes":[{"execution_id":"`+id+`"`) || sku.field(t, "next_page_token") != "" {
		t.Errorf("SKU history %s", sku.body)
	}
	if none := s.call(t, "GET", "/v1/skus/A%2F1/changes", ""); none.status != 200 || !strings.HasPrefix(none.body, `{"changes":[],`) {
		t.Errorf("a SKU without history: %d %s", none.status, none.body)
	}
}

func TestListExecutions(t *testing.T) {
	s := open(t)
	raised, two := s.plan(t, raise), s.plan(t, "Set all yoga products to $15.")
	s.execute(t, raised, products)
	s.execute(t, two, "sku,price\n")
	all := s.call(t, "GET", "/v1/executions", "").field(t, "executions").([]any)
	if len(all) != 2 || all[0].(map[string]any)["execution_id"] != two {
		t.Errorf("not the newest first: %v", all)
	}
	failed := s.call(t, "GET", "/v1/executions?status=failed", "")
	if list := failed.field(t, "executions").([]any); len(list) != 1 || list[0].(map[string]any)["error"] == nil {
		t.Errorf("failed: %s", failed.body)
	}
	page := s.call(t, "GET", "/v1/executions?page_size=1", "")
	rest := s.call(t, "GET", "/v1/executions?page_size=1&page_token="+page.field(t, "next_page_token").(string), "")
	if list := rest.field(t, "executions").([]any); len(list) != 1 || list[0].(map[string]any)["execution_id"] != raised {
		t.Errorf("second page: %s", rest.body)
	}
}

func TestRefusedQuestions(t *testing.T) {
	s := open(t)
	tests := []struct {
		path   string
		status int
		want   string
	}{
		{"/v1/executions?status=skipped", 422, `"path":"status"`},
		{"/v1/executions?page_size=0", 422, `"path":"page_size"`},
		{"/v1/executions?page_size=501", 422, `from 1 to 500`},
		{"/v1/executions?page_size=x&pagetoken=y", 422, `"path":"pagetoken"`},
		{"/v1/executions?page_token=nonsense", 422, `"code":"invalid"`},
		{"/v1/executions?page_size=1&page_size=2", 422, `more than once`},
		{"/v1/executions/plan_none_v1", 404, "There is no plan and no execution plan_none_v1."},
		{"/v1/executions/short", 422, "8 to 64"},
		{"/v1/executions/plan_none_v1/changes", 404, "There is no plan and no execution plan_none_v1."},
		{"/v1/plans/plan_none_v1", 404, "There is no plan plan_none_v1."},
		{"/v1/skus/" + strings.Repeat("A", 513) + "/changes", 422, "512 bytes"},
		{"/v1/skus/%FF/changes", 422, "UTF-8"},
	}
	for _, tt := range tests {
		if got := s.call(t, "GET", tt.path, ""); got.status != tt.status || !strings.Contains(got.body, tt.want) {
			t.Errorf("%.60s: %d %s, want %d with %s", tt.path, got.status, got.body, tt.status, tt.want)
		}
	}
}

func TestDocuments(t *testing.T) {
	s := open(t)
	got := s.call(t, "GET", "/v1/schema/execution_plan.json", "")
	if got.status != 200 || got.header.Get("Content-Type") != "application/schema+json" || got.body != string(plan.SchemaJSON) {
		t.Errorf("schema: %d %s", got.status, got.header.Get("Content-Type"))
	}
	if got := s.call(t, "GET", "/openapi.json", ""); got.status != 200 || got.field(t, "openapi") != "3.1.0" {
		t.Errorf("openapi: %d %.100s", got.status, got.body)
	}
}

package simulation

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/schedule"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// TestShops runs a shop's life through its schedules: its table is fetched, a plan is
// carried out over it, at once or at its time, publishers write it back, people edit
// prices by hand meanwhile, and it is undone, when somebody asks or at its time. Before
// what has a time, the shop is fetched again.
func TestShops(t *testing.T) {
	if *flags.Replay {
		if err := runShop(shopMutant{}, *flags.Seed, t.Logf); err != nil {
			t.Fatal(err)
		}
		return
	}
	total := lockstep.Hold(t, *flags.Seed, max(*flags.Schedules/5, 100), func(seed uint64) (Stats, error) { return Stats{Deliveries: 1}, runShop(shopMutant{}, seed, nil) }, Stats.plus,
		"go test ./shared/execution/simulation -run TestShops -v -replay")
	t.Logf("%d schedules", total.Deliveries)
}

// shopMutant is a publisher without one of its guards.
type shopMutant struct {
	name   string
	limits func(*shop.Limits)
	shop   func(simShop) shop.Shop
	store  func(*shopWorld) ledger.Store
	// fetcher is the ledger of whoever fetches for what is due.
	fetcher func(*shopWorld) ledger.Store
	// likely is a schedule that noticed the mutant, where few do: it is tried first.
	likely uint64
}

var shopMutants = []shopMutant{
	{name: "nobody waits for what may still land", limits: func(l *shop.Limits) { l.Settle = 0 }},
	{name: "a shop that is written without a look", shop: func(s simShop) shop.Shop { return blind{s} }},
	{name: "a lease that is not looked at", likely: 957, store: func(w *shopWorld) ledger.Store { return unleased{w.store} }},
	{name: "a shop that is fetched while it is written", fetcher: func(w *shopWorld) ledger.Store { return unposted{w.store} }},
}

func TestEveryGuardOfAShopIsNeeded(t *testing.T) {
	lockstep.Long(t)
	for _, mutant := range shopMutants {
		t.Run(mutant.name, func(t *testing.T) {
			lockstep.Notice(t, mutant.likely, 5_000,
				func(seed uint64) error { return runShop(mutant, seed, nil) },
				func(seed uint64) error { return runShop(shopMutant{}, seed, nil) })
		})
	}
}

const (
	shopURL   = "https://shop.example"
	shopTable = execution.HandedInFolder + onlyID + "/shop.csv"
)

// simLimits are a shop's that lets a batch have 4 rows.
var simLimits = shop.Limits{Most: 4, First: 3, Aim: 2 * time.Second, Timeout: 60 * time.Second, Settle: 60 * time.Second}

// shopWorld is the world with a shop in it.
type shopWorld struct {
	*world
	mutantOf shopMutant
	hands    *rand.Rand
	variants []*variant
	ghosts   []ghost
	broken   string   // what a worker was seen to do
	posts    []string // executions whose results are written, in their order
	undone   bool
}

// variant is a product of the shop.
type variant struct {
	id, group string
	price     string
	before    string // as it was fetched
	hand      string // what somebody set by hand last
	lost      bool   // somebody's edit between a reading and its writing was lost
}

// ghost is a request that was given up and lands late.
type ghost struct {
	at  time.Time
	set []shop.Set
}

// runShop runs the schedule of a seed.
func runShop(mutant shopMutant, seed uint64, trace func(format string, args ...any)) (violation error) {
	w := &shopWorld{world: newWorld(Mutant{}, seed), mutantOf: mutant, hands: rand.New(rand.NewPCG(seed, 2))}
	w.builds, w.trace = []string{pricing.Build}, trace
	defer lockstep.Catch(&violation, fmt.Sprintf("seed %d", seed))
	defer w.loseAll()
	w.faults = []float64{0, 0.02, 0.1, 0.25}[w.rng.IntN(4)]
	w.crashes = []float64{0, 0.01, 0.05}[w.rng.IntN(3)]
	for i := range 2 + w.rng.IntN(14) {
		group := []string{"", "7"}[i/5%2]
		w.variants = append(w.variants, &variant{id: fmt.Sprint(11 + i), group: group, price: fmt.Sprintf("%d.00", 10+i), before: fmt.Sprintf("%d.00", 10+i)})
	}
	w.until("fetched", w.fetchTable, func() bool { _, exists := w.inbox.live(shopTable); return exists })
	terms, undoID := w.terms()
	w.carriedOut(terms)
	asks := undoID == undoesOnly
	early := asks && w.hands.IntN(2) == 0 // while it is being written
	if early {
		w.smoothly(w.undo(onlyID, undoID, true))
	}
	w.posted(onlyID)
	if undoID != "" {
		if asks && !early {
			w.smoothly(w.undo(onlyID, undoID, true))
		}
		if !asks {
			w.now = w.now.Add(72 * time.Hour)
		}
		w.settle(undoID)
		w.undone = true
		if w.store.postings[undoID].ExecutionID != "" { // else nothing is as it was made
			w.posted(undoID)
		}
	}
	w.checkShop()
	return nil
}

// terms are those of the plan, and the id of the undo that somebody asks for, or that
// comes at its time; "" is none.
func (w *shopWorld) terms() (t plan.Terms, undoID string) {
	if w.hands.IntN(3) == 0 {
		t.ApplyAt = in(w.world, time.Hour)
	}
	if w.hands.IntN(3) == 0 {
		t.Approval = plan.ApprovalAlways
	}
	switch w.hands.IntN(4) {
	case 0:
		t.RevertAt = in(w.world, 72*time.Hour)
		return t, plan.UndoID(onlyID)
	case 1, 2:
		return t, undoesOnly
	}
	return t, ""
}

// settle has an execution completed: the shop is fetched for it where its time has come,
// by workers to whom anything may happen, and people approve of what is proposed.
func (w *shopWorld) settle(id string) {
	w.faults, w.crashes = []float64{0, 0.05, 0.2}[w.rng.IntN(3)], []float64{0, 0.03}[w.rng.IntN(2)]
	for n := 0; !w.settled(id); n++ {
		if n == 40 {
			w.faults, w.crashes = 0, 0
		}
		if n > 80 {
			w.fail("%s does not complete: it is %s", id, asJSON(w.store.records[id]))
		}
		w.now = w.now.Add([]time.Duration{time.Minute, 20 * time.Minute}[w.rng.IntN(2)])
		if w.rng.IntN(3) == 0 {
			w.edit()
		}
		for one := w.fetchDue(); one.Running(); {
			w.step(one, w.fate())
		}
		for _, d := range slices.Clone(w.uploads) {
			if !d.acked {
				w.smoothly(w.deliver(d, pricing.Build, 0, time.Time{}))
			}
		}
		if record := w.store.records[id]; record.NeedsApproval() {
			w.smoothly(w.approve(id, record.Proposal.ProposalSHA256))
		}
		w.smoothly(w.sweep(false, pricing.Build, 0))
	}
}

// settled reports whether an execution has completed, or is an undo of which nothing is left.
func (w *shopWorld) settled(id string) bool {
	record := w.store.records[id]
	return record.Status == ledger.Completed || record.Status == ledger.Failed && record.Error.Code == "stale" &&
		!slices.ContainsFunc(w.variants, func(v *variant) bool { return v.hand == "" })
}

// fetchDue begins a look at what is due in the shop, on a new worker.
func (w *shopWorld) fetchDue() *worker {
	one := w.hire()
	w.say("%s fetches the shop for what is due", one.name)
	p := w.publisher(one)
	if w.mutantOf.fetcher != nil {
		p.Ledger = one.store(w.mutantOf.fetcher(w))
	}
	return w.begin(one, func() error { _, err := schedule.Run(context.Background(), p); return err })
}

// step is the world's, and takes note of what was fetched: the plan is made of that table then.
func (w *shopWorld) step(one *worker, f lockstep.Fate) {
	before := len(w.uploads)
	w.world.step(one, f)
	for _, d := range w.uploads[before:] {
		if table, exists := w.inbox.live(d.event.Object); exists && d.id == onlyID {
			w.rebase(table.data)
		}
	}
}

// until has workers of a kind begin, with all that may go wrong, until something is so.
// After a while nothing goes wrong any more, and it must come to be so.
func (w *shopWorld) until(what string, begin func(), is func() bool) {
	for n := 0; !is(); n++ {
		if n == 150 {
			w.say("the faults end")
			w.faults, w.crashes = 0, 0
		}
		if n > 2500 {
			w.fail("it is not %s after %d events", what, n)
		}
		switch k := w.rng.IntN(40); {
		case len(w.workers) == 0, k == 0 && len(w.workers) < 3:
			begin()
		case k < 6:
			w.pass()
			w.land()
		case k == 6:
			w.edit()
		default:
			w.step(w.workers[w.rng.IntN(len(w.workers))], w.fate())
		}
		if w.broken != "" {
			w.fail("%s", w.broken)
		}
	}
}

// pass lets time go by, at times as much as what was given up needs to land.
func (w *shopWorld) pass() {
	by := []time.Duration{time.Second, time.Second, 10 * time.Second, 40 * time.Second, 70 * time.Second, 4 * time.Minute, 16 * time.Minute}
	w.now = w.now.Add(by[w.rng.IntN(len(by))])
	w.say("time passes")
}

func (w *shopWorld) publisher(one *worker) *shop.Publisher {
	records := ledger.Store(w.store)
	if w.mutantOf.store != nil {
		records = w.mutantOf.store(w)
	}
	s := simShop{w, one, map[string]string{}, new(string)}
	p := &shop.Publisher{
		Ledger: one.store(records), Inbox: one.bucket(w.inbox), Outbox: one.bucket(w.outbox), Audit: one.bucket(w.audit), Shop: s,
		Now: func() time.Time { return w.now }, NewHolder: func() string { w.holders++; return fmt.Sprintf("%s-%d", one.name, w.holders) },
		Pause: func(context.Context, time.Duration) {}, Log: logging.Discard,
	}
	if w.mutantOf.shop != nil {
		p.Shop = w.mutantOf.shop(s)
	}
	return p
}

func (w *shopWorld) fetchTable() {
	one := w.hire()
	w.say("%s fetches", one.name)
	p := w.publisher(one)
	w.begin(one, func() error {
		var table []byte
		_, err := p.Fetch(context.Background(), func(in io.Reader, _ postings.Shop) (err error) {
			table, err = io.ReadAll(in)
			return err
		})
		if err != nil {
			return err
		}
		return one.Call("put the table into the inbox", func() error {
			if _, exists := w.inbox.live(shopTable); !exists {
				w.keep(table)
			}
			return nil
		})
	})
}

// keep puts the fetched table into the inbox, as a delivery that is to come.
func (w *shopWorld) keep(table []byte) {
	metadata := map[string]string{execution.ExecutionIDKey: onlyID, execution.ShopURLKey: shopURL, execution.ShopCurrencyKey: "EUR"}
	object := w.inbox.put(shopTable, table, bucket.CreateOptions{Metadata: metadata}, w.now)
	d := &delivery{id: onlyID, event: execution.Event{Bucket: "inbox", Object: shopTable, Generation: object.Generation, Size: object.Size, Metadata: metadata, CreatedAt: w.now}}
	d.upload = ledger.Upload{Bucket: "inbox", Object: shopTable, Generation: object.Generation}.ID()
	w.uploads = append(w.uploads, d)
	w.past.inputs++
	w.rebase(table)
}

// rebase takes the prices of a table for those that the plan changes: somebody may have
// edited them before it was fetched.
func (w *shopWorld) rebase(table []byte) {
	for _, v := range w.variants {
		v.before, v.lost = priceIn(table, v.id), false
		if v.hand == v.before {
			v.hand = ""
		}
	}
}

// priceIn is what a fetched table says of a variant.
func priceIn(table []byte, id string) string {
	for line := range strings.Lines(string(table)) {
		if cells := strings.Split(line, ","); cells[0] == id {
			return cells[4]
		}
	}
	return ""
}

// carriedOut has the plan carried out over the fetched table.
func (w *shopWorld) carriedOut(terms plan.Terms) {
	w.stored(terms)
	w.smoothly(w.deliver(w.uploads[0], pricing.Build, 0, time.Time{}))
	w.settle(onlyID)
	for range w.hands.IntN(3) {
		w.edit()
	}
}

// smoothly steps a worker to its end: what may go wrong there is TestSchedules' business.
func (w *shopWorld) smoothly(one *worker) {
	for one.Running() {
		one.Step(lockstep.CarriedOut)
	}
	w.noteEnd(one)
	w.check()
}

// posted has publishers write an execution to the shop, the one who notes the end last.
func (w *shopWorld) posted(id string) {
	w.faults, w.crashes = []float64{0, 0.02, 0.1, 0.25}[w.rng.IntN(4)], []float64{0, 0.01, 0.05}[w.rng.IntN(3)]
	w.loseAll()
	w.posts = append(w.posts, id)
	w.until("posted", func() {
		if w.rng.IntN(5) == 0 { // an undo may be due before all is written
			w.fetchDue()
			return
		}
		one := w.hire()
		w.say("%s publishes", one.name)
		p := w.publisher(one)
		w.begin(one, func() error { _, err := p.Run(context.Background()); return err })
	}, func() bool { return w.store.postings[id].Status == postings.Posted })
	p := w.store.postings[id]
	if done := p.Progress; done.Done() != p.Rows {
		w.fail("%d of %d rows of %s have their result: %+v", done.Done(), p.Rows, id, done)
	}
	w.loseAll()
}

// edit is somebody who sets a price by hand.
func (w *shopWorld) edit() {
	v := w.variants[w.hands.IntN(len(w.variants))]
	v.hand = fmt.Sprintf("%d.11", 500+w.hands.IntN(400))
	v.price, v.lost = v.hand, false
	w.say("somebody sets %s to %s", v.id, v.price)
}

// land has those land that have had their time.
func (w *shopWorld) land() {
	w.ghosts = slices.DeleteFunc(w.ghosts, func(g ghost) bool {
		if g.at.After(w.now) {
			return false
		}
		w.say("what was given up lands: %d rows", len(g.set))
		w.apply(g.set)
		return true
	})
}

func (w *shopWorld) find(id string) *variant {
	for _, v := range w.variants {
		if v.id == id {
			return v
		}
	}
	return nil
}

// apply sets prices. One that somebody has edited since it was read is lost, which no
// shop that compares and sets nothing can help.
func (w *shopWorld) apply(set []shop.Set) {
	for _, s := range set {
		v := w.find(s.ID)
		if v.hand != "" && v.price == v.hand {
			v.lost = true
		}
		v.price = *s.Regular
	}
}

// checkShop: every price is as the plan, or its undoing, has it, but for those that
// somebody set by hand, and those of which people were told that they were given up.
func (w *shopWorld) checkShop() {
	for _, v := range w.variants {
		want := dearerBy10(v.before)
		if w.undone {
			want = v.before
		}
		switch {
		case v.hand != "" && !v.lost:
			want = v.hand
		case v.lost && v.price == v.hand:
			continue // it came back with what was undone
		}
		if v.price != want && !((v.lost || w.isReported(v)) && (v.price == dearerBy10(v.before) || v.price == v.before)) {
			w.fail("%s costs %s in the end, want %s (by hand %q, lost %t)", v.id, v.price, want, v.hand, v.lost)
		}
	}
	if len(w.ghosts) > 0 {
		w.now = w.now.Add(time.Hour)
		before := w.prices()
		w.land()
		if !maps.Equal(before, w.prices()) {
			w.fail("what was given up lands when all is over")
		}
	}
}

// isReported reports whether people were told that a variant was given up, for the shop never
// answered about it.
func (w *shopWorld) isReported(v *variant) bool {
	return slices.ContainsFunc(w.posts, func(id string) bool {
		return slices.ContainsFunc(w.store.postings[id].Left, func(l postings.LeftRow) bool {
			return l.SKU == "S"+v.id && l.Result == postings.LeftRefused
		})
	})
}

func (w *shopWorld) prices() map[string]string {
	all := map[string]string{}
	for _, v := range w.variants {
		all[v.id] = v.price
	}
	return all
}

// dearerBy10 is what the plan makes of a price.
func dearerBy10(price string) string {
	var whole, cents int
	fmt.Sscanf(price, "%d.%d", &whole, &cents)
	hundredths := (whole*100+cents)*11 + 5
	return fmt.Sprintf("%d.%02d", hundredths/1000, hundredths/10%100)
}

// simShop is the shop as one worker sees it.
type simShop struct {
	w     *shopWorld
	one   *worker
	seen  map[string]string // what the worker read of each variant last
	table *string           // as it was when the worker asked the shop
}

func (s simShop) Kind() string { return "simulated" }

func (s simShop) URL() string { return shopURL }

func (s simShop) Limits() shop.Limits {
	limits := simLimits
	if s.w.mutantOf.limits != nil {
		s.w.mutantOf.limits(&limits)
	}
	return limits
}

func (s simShop) About(context.Context) (about shop.About, err error) {
	err = s.one.Call("ask the shop", func() error {
		about = shop.About{Currency: "EUR", Decimals: 2}
		var table strings.Builder
		table.WriteString("ID,SKU,Name,Parent,Regular price,Sale price,Date sale price starts,Date sale price ends,In stock?\r\n")
		for _, v := range s.w.variants {
			parent := ""
			if v.group != "" {
				parent = "id:" + v.group
			}
			fmt.Fprintf(&table, "%s,S%s,Product %s,%s,%s,,,,1\r\n", v.id, v.id, v.id, parent, v.price)
		}
		*s.table = table.String()
		return nil
	})
	return about, err
}

// Fetch writes the table beside whoever reads it, and makes no call: of two that are made
// at once, nobody could say which was first.
func (s simShop) Fetch(_ context.Context, to io.Writer) (shop.Fetched, error) {
	_, err := io.WriteString(to, *s.table)
	return shop.Fetched{Rows: int64(len(s.w.variants))}, err
}

// allowed is how long a request may take from now: what its context has left.
func (s simShop) allowed(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	return time.Until(deadline).Round(time.Second)
}

func (s simShop) Read(ctx context.Context, group string, ids []string) (states []shop.State, err error) {
	until := s.w.now.Add(s.allowed(ctx))
	err = s.one.Call(fmt.Sprintf("read %d rows of the shop", len(ids)), func() error {
		if s.w.now.After(until) {
			return errs.New(errs.Deadline, "The shop did not answer in time.")
		}
		s.touches(ids)
		for _, v := range s.w.variants {
			if v.group == group && slices.Contains(ids, v.id) {
				states = append(states, shop.State{ID: v.id, Prices: shop.Prices{Regular: v.price}})
				s.seen[v.id] = v.price
			}
		}
		return nil
	})
	return states, err
}

// Write may be carried out, in part, late, or not at all.
func (s simShop) Write(ctx context.Context, group string, set []shop.Set) (results []shop.Result, err error) {
	until := s.w.now.Add(s.allowed(ctx))
	err = s.one.Call(fmt.Sprintf("write %d rows to the shop", len(set)), func() error {
		if s.w.now.After(until) {
			return errs.New(errs.Deadline, "The shop did not answer in time.")
		}
		s.check(group, set)
		unwell := s.w.faults > 0
		switch n := s.w.rng.IntN(12); {
		case n == 0 && unwell: // given up, and lands within the time that is waited
			late := min(time.Duration(s.w.rng.IntN(int(simLimits.Settle))), until.Sub(s.w.now)+simLimits.Settle)
			s.w.ghosts = append(s.w.ghosts, ghost{s.w.now.Add(late), set})
			return errs.New(errs.Deadline, "The shop did not answer in time.")
		case n == 1 && unwell: // killed in the middle
			s.w.apply(set[:s.w.rng.IntN(len(set))])
			return errs.New(errs.Unavailable, "The shop broke the connection off.")
		}
		s.w.apply(set)
		for _, one := range set {
			results = append(results, shop.Result{ID: one.ID, Now: shop.Prices{Regular: *one.Regular}})
		}
		return nil
	})
	return results, err
}

// check: nobody writes over a price that they saw to be another's, nor another price
// than was sealed, nor a batch that is noted as done.
func (s simShop) check(group string, set []shop.Set) {
	id := s.w.posts[len(s.w.posts)-1]
	posting := s.w.store.postings[id]
	for _, one := range set {
		v := s.w.find(one.ID)
		before, after := v.before, dearerBy10(v.before)
		if id != onlyID {
			before, after = after, before
		}
		switch {
		case v.group != group:
			s.breaks("%s is written in the group %q", v.id, group)
		case *one.Regular != after:
			s.breaks("%s is set to %s, and %s is sealed", v.id, *one.Regular, after)
		case s.seen[v.id] != before:
			s.breaks("%s is written by who saw it to cost %s", v.id, s.seen[v.id])
		case posting.Status != postings.Writes || s.w.isDone(id, v.id):
			s.breaks("%s is written of a batch that is noted as done", v.id)
		}
	}
}

// breaks ends the schedule once the worker has made its call.
func (s simShop) breaks(format string, args ...any) {
	s.w.broken = s.one.name + ": " + fmt.Sprintf(format, args...)
}

// touches: nobody reads or writes what may still change by a request that was given up.
func (s simShop) touches(ids []string) {
	s.w.land()
	for _, g := range s.w.ghosts {
		for _, set := range g.set {
			if slices.Contains(ids, set.ID) {
				s.breaks("%s is touched while what was given up may still land", set.ID)
			}
		}
	}
}

// isDone reports whether the results of a row are noted.
func (w *shopWorld) isDone(id, variantID string) bool {
	for batch := range w.store.postings[id].Progress.Batch {
		results, _ := w.audit.live(shop.ResultsName(id, batch))
		if strings.Contains(string(results.data), `"id":"`+variantID+`"`) {
			return true
		}
	}
	return false
}

// blind tells that every variant holds what it was fetched with.
type blind struct{ simShop }

func (b blind) Read(ctx context.Context, group string, ids []string) ([]shop.State, error) {
	states, err := b.simShop.Read(ctx, group, ids)
	for i := range states {
		v := b.w.find(states[i].ID)
		states[i].Regular = v.before
		if b.w.posts[len(b.w.posts)-1] != onlyID {
			states[i].Regular = dearerBy10(v.before)
		}
	}
	return states, err
}

// unleased tells everybody that nobody has the shop.
type unleased struct{ *store }

func (u unleased) ShopLease(ctx context.Context, shop string) (postings.ShopLease, error) {
	lease, err := u.store.ShopLease(ctx, shop)
	lease.Until = time.Time{}
	return lease, err
}

// unposted says that nothing is to be written.
type unposted struct{ *store }

func (u unposted) PostingsDue(context.Context, time.Time, paging.Page) (list paging.List[postings.Posting], err error) {
	return list, nil
}

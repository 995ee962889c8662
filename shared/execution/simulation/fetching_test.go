package simulation

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/schedule"
)

// fetchDue begins a look at what is due in the shop, on a new worker. What was to be
// written there before has been.
func (w *world) fetchDue() *worker {
	for _, id := range slices.Sorted(maps.Keys(w.store.postings)) {
		if p := w.store.postings[id]; p.IsOpen() {
			p.Status, p.DueAt = postings.Posted, time.Time{}
			w.store.putPosting(p)
		}
	}
	one := w.hire()
	w.say("%s fetches the shop for what is due", one.name)
	p := &shop.Publisher{
		Ledger: one.store(w.records()), Inbox: one.bucket(w.inbox), Outbox: one.bucket(w.outbox), Audit: one.bucket(w.audit),
		Shop: &catalogue{w: w, one: one}, Now: func() time.Time { return w.now },
		NewHolder: func() string { w.holders++; return fmt.Sprintf("%s-%d", one.name, w.holders) },
		Pause:     func(context.Context, time.Duration) {}, Log: logging.Discard,
	}
	return w.begin(one, func() error { _, err := schedule.Run(context.Background(), p); return err })
}

// catalogue is a shop whose table is read alone.
type catalogue struct {
	shop.Shop
	w     *world
	one   *worker
	table string // when the shop was asked
}

func (c *catalogue) URL() string { return shopURL }

func (c *catalogue) Limits() shop.Limits { return simLimits }

func (c *catalogue) About(context.Context) (about shop.About, err error) {
	err = c.one.Call("ask the shop", func() error {
		about = shop.About{Currency: "EUR", Decimals: 2}
		c.table = fmt.Sprintf("good %d %d", c.w.shopping.IntN(4), c.w.shopping.IntN(3))
		if c.w.mutant.ranges {
			c.table = csv(c.table)
		}
		return nil
	})
	return about, err
}

func (c *catalogue) Fetch(_ context.Context, to io.Writer) (shop.Fetched, error) {
	_, err := io.WriteString(to, c.table)
	return shop.Fetched{}, err
}

// isFetchedAgain reports whether a table was fetched from the shop, and then once more for
// the same execution: what is proposed stays, and there is nothing to be told.
func (w *world) isFetchedAgain(d ledger.AuditDocument) bool {
	return strings.HasPrefix(d.Upload.Object, execution.HandedInFolder) && slices.ContainsFunc(w.uploads, func(other *delivery) bool {
		return other.id == d.ExecutionID && other.upload > d.Upload.ID && strings.HasPrefix(other.event.Object, execution.HandedInFolder)
	})
}

// noteFetched takes note of tables that were put into the inbox for what is due: their
// events are to be delivered.
func (w *world) noteFetched() {
	if w.past.inputs == w.inputs() {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.inbox.generations)) {
		known := slices.ContainsFunc(w.uploads, func(d *delivery) bool { return d.event.Object == name })
		rest, isHeld := strings.CutPrefix(name, execution.HandedInFolder)
		if id, _, isDue := strings.Cut(rest, "/due-"); isHeld && isDue && !known {
			w.noteUpload(id, name)
		}
	}
}

func (w *world) noteUpload(id, name string) {
	object := w.inbox.generations[name][0].object
	d := &delivery{id: id, event: execution.Event{
		Bucket: "inbox", Object: name, Generation: object.Generation, Size: object.Size, Metadata: object.Metadata, CreatedAt: object.CreatedAt,
	}}
	d.upload = ledger.Upload{Bucket: "inbox", Object: name, Generation: object.Generation}.ID()
	w.uploads = append(w.uploads, d)
	w.past.inputs++
	w.say("the shop was fetched as %s", name)
}

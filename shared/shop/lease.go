package shop

import (
	"context"
	"errors"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/postings"
)

// lease is the right to talk to a shop. Its end is always further away than a request
// may take and than what was given up may still land.
type lease struct {
	p    *Publisher
	held postings.ShopLease
}

// take takes the shop. Unavailable: another has it, until a time that is said.
func (p *Publisher) take(ctx context.Context) (*lease, error) {
	found, err := p.Ledger.ShopLease(ctx, p.Shop.URL())
	if err != nil {
		return nil, err
	}
	if found.Until.After(p.now()) {
		return nil, &takenError{found.Until}
	}
	l := &lease{p, found}
	l.held.Holder = p.NewHolder()
	return l, l.put(ctx, p.now().Add(p.leaseTime()))
}

// leaseTime is how long a lease is: two requests and half a one, and what lands after them.
func (p *Publisher) leaseTime() time.Duration {
	limits := p.Shop.Limits()
	return 5*limits.Timeout/2 + limits.Settle
}

// Reclaim ends the lease of a process that is known to be dead, once its last request can
// not land any more. The caller knows that no other process talks to the shop.
func (p *Publisher) Reclaim(ctx context.Context) error {
	held, err := p.Ledger.ShopLease(ctx, p.Shop.URL())
	until := p.now().Add(p.Shop.Limits().Settle)
	if err != nil || !held.Until.After(until) {
		return err
	}
	held.Until = until
	_, err = p.Ledger.PutShopLease(ctx, held)
	return err
}

// put changes the lease's end. After a refused or unanswered write the lease is read:
// with our holder and that end it is ours.
func (l *lease) put(ctx context.Context, until time.Time) error {
	next := l.held
	next.Until = until.UTC().Truncate(time.Microsecond)
	stored, err := l.p.Ledger.PutShopLease(ctx, next)
	if err == nil {
		l.held = stored
		return nil
	}
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	now, readErr := l.p.Ledger.ShopLease(ctx, l.held.Shop)
	switch {
	case readErr != nil:
		return err
	case now.Holder == next.Holder && now.Until.Equal(next.Until):
		l.held = now
		return nil
	case now.Holder == next.Holder: // the write did not happen
		l.held = now
		return err
	}
	return errs.Wrap(errs.Stale, err, "Another process has taken the shop over.")
}

// renew has the lease last for the next two requests.
func (l *lease) renew(ctx context.Context) error {
	if l.held.Until.Sub(l.p.now()) >= l.p.leaseTime()-l.p.Shop.Limits().Timeout/2 {
		return nil
	}
	return l.put(ctx, l.p.now().Add(l.p.leaseTime()))
}

// request is a context for one request, which ends long enough before the lease does.
// What it does, it has done or given up by then.
func (l *lease) request(ctx context.Context) (context.Context, context.CancelFunc, error) {
	limits := l.p.Shop.Limits()
	left := l.held.Until.Add(-limits.Settle).Sub(l.p.now())
	if left < limits.Timeout/2 {
		return nil, nil, errs.New(errs.Unavailable, "The time for this batch ran out before it was written.")
	}
	ctx, cancel := context.WithTimeout(ctx, min(limits.Timeout, left))
	return ctx, cancel, nil
}

// release ends the lease at a time: now, or once what was given up has landed.
func (l *lease) release(ctx context.Context, until time.Time) {
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	if err := l.put(ctx, until); err != nil {
		l.p.Log.WarnContext(ctx, "the shop was not given back, and is free when the lease ends",
			"cause", err.Error())
	}
}

// takenError says that another talks to the shop.
type takenError struct{ until time.Time }

// IsTaken reports whether an error says that another talks to the shop.
func IsTaken(err error) bool {
	_, is := errors.AsType[*takenError](err)
	return is
}

func (e *takenError) Error() string {
	return "Another process talks to the shop, until " + e.until.Format("15:04:05") + " UTC at the latest."
}

func (e *takenError) Unwrap() error { return errs.New(errs.Unavailable, "%s", e.Error()) }

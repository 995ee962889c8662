package shop

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/postings"
)

// fetchTries is how often a catalogue is read that changes while it is.
const fetchTries = 3

// Fetch reads the whole catalogue into what `to` makes of it, which is called anew where
// the catalogue changed meanwhile. Conflict: a posting of this shop is open, whose prices
// are partly written. Unavailable: another talks to the shop.
func (p *Publisher) Fetch(
	ctx context.Context, to func(in io.Reader, from postings.Shop) error,
) (Fetched, error) {
	open, err := postings.Open(ctx, p.Ledger)
	if err != nil {
		return Fetched{}, err
	}
	for _, posting := range open {
		if posting.Shop.URL == p.Shop.URL() {
			return Fetched{}, errs.New(errs.Conflict, "The changes of %s are still being written to the shop. Fetch again when that is done: planwright shop status shows it.", posting.ExecutionID)
		}
	}
	held, err := p.take(ctx)
	if err != nil {
		return Fetched{}, err
	}
	defer func() { held.release(ctx, p.now()) }()
	about, err := p.Shop.About(ctx)
	if err != nil {
		return Fetched{}, err
	}
	from := postings.Shop{URL: p.Shop.URL(), Currency: about.Currency}
	for tries := 1; ; tries++ {
		fetched, err := p.fetchOnce(ctx, held, func(in io.Reader) error { return to(in, from) })
		if errs.KindOf(err) != errs.Stale || tries == fetchTries {
			return fetched, err
		}
		p.Log.WarnContext(ctx, "the catalogue changed while it was read; it is read again",
			"cause", err.Error())
	}
}

func (p *Publisher) fetchOnce(
	ctx context.Context, held *lease, to func(io.Reader) error,
) (fetched Fetched, err error) {
	out, in := io.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		failed := errs.New(errs.Internal, "The reading of the shop ended before its end.")
		defer func() { in.CloseWithError(failed) }()
		fetched, failed = p.Shop.Fetch(ctx, &leased{ctx, in, held})
	}()
	err = to(out)
	out.CloseWithError(err) // ends the reading, where it did not come to its end
	<-read
	return fetched, err
}

// leased writes on as long as the shop is ours.
type leased struct {
	ctx  context.Context
	to   io.Writer
	held *lease
}

func (w *leased) Write(data []byte) (int, error) {
	if err := w.held.renew(w.ctx); err != nil {
		return 0, err
	}
	return w.to.Write(data)
}

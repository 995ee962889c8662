package sweeper

import (
	"context"
	"fmt"
	"net/http"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/web"
)

// Dependencies are what the handler works with.
type Dependencies struct {
	Executor *execution.Executor
	Inbox    execution.List // of its objects
	// Round reads how far the inbox was listed, and SetRound notes it.
	Round    func(context.Context) (ledger.InboxRound, error)
	SetRound func(context.Context, ledger.InboxRound) error
	// Sign takes new outcomes into the signed tree; nil keeps none.
	Sign func(context.Context) error
	// Tell posts what the webhook is owed, and returns how many posts failed; nil posts
	// nothing.
	Tell func(context.Context) (int, error)
}

// handler answers the clock's calls.
type handler struct{ Dependencies }

// NewHandler returns the calls of the clock: POST /due, once a minute, delivers
// what is due; POST /inbox, once an hour, what lies forgotten in the inbox, from
// where the call before ran out of time. Either answers 200 with the number of
// deliveries that failed and will be made again, and 503 where it could not look at
// all.
func NewHandler(d Dependencies) http.Handler {
	h := handler{d}
	router := web.NewRouter()
	router.Handle("POST /due", h.sweep(h.due))
	router.Handle("POST /inbox", h.sweep(h.inbox))
	return router
}

// inbox delivers what lies forgotten in the inbox.
func (h handler) inbox(ctx context.Context) (failed int, err error) {
	round, err := h.Round(ctx)
	if err != nil {
		return 0, err
	}
	return h.Executor.SweepInboxOn(ctx, h.Inbox, round, h.SetRound)
}

// due delivers what is due and posts what the webhook is owed, side by side: a large
// table holds up no post, and a dead receiver no table.
func (h handler) due(ctx context.Context) (failed int, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.tell(ctx)
	}()
	failed, err = h.Executor.Sweep(ctx)
	<-ended
	return failed, err
}

// tell logs what failed: each post is tried again in its own time.
func (h handler) tell(ctx context.Context) {
	if h.Tell == nil {
		return
	}
	if failed, err := h.Tell(ctx); err != nil || failed > 0 {
		web.Log(ctx).
			WarnContext(ctx, "not everything could be posted", "posts", failed, "cause", fmt.Sprint(err))
	}
}

// swept is the answer to a sweep.
type swept struct {
	Failed int `json:"failed"` // deliveries that the next sweep makes again
}

func (h handler) sweep(run func(context.Context) (int, error)) web.Handler {
	return func(_ http.ResponseWriter, r *http.Request) (any, error) {
		failed, err := run(r.Context())
		h.sign(r.Context())
		if err != nil {
			return nil, errs.Wrap(
				errs.Unavailable,
				err,
				"The sweep stopped early. The next one goes on; the log has the reason.",
			)
		}
		web.Log(r.Context()).InfoContext(r.Context(), "swept", "failed", failed)
		return swept{failed}, nil
	}
}

// sign brings the signed tree up to date. What is not in it yet, the next sweep
// adds.
func (h handler) sign(ctx context.Context) {
	if h.Sign != nil {
		tree.Report(ctx, web.Log(ctx), h.Sign(ctx))
	}
}

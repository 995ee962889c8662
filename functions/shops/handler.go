package shops

import (
	"net/http"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/schedule"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

type handler struct {
	publisher *shop.Publisher
	tables    *tablestore.Tables
}

// newHandler returns the function's calls: POST /due, by the clock, writes what is due,
// and POST /fetch, by the planner, holds the catalogue for somebody.
func newHandler(publisher *shop.Publisher, tables *tablestore.Tables) http.Handler {
	h := handler{publisher, tables}
	router := web.NewRouter()
	router.Handle("POST /due", h.due)
	router.Handle("POST /fetch", h.fetch)
	return router
}

// written is the answer to the clock.
type written struct {
	Next *time.Time `json:"next"` // when something goes on; null where nothing is left
}

// due writes what is due, and then fetches the shop for what is due there. What stands in
// the way is in the posting, or in the record: the clock is answered 503 only where nobody
// could look.
func (h handler) due(_ http.ResponseWriter, r *http.Request) (any, error) {
	next, err := h.publisher.Run(r.Context())
	if err == nil {
		_, err = schedule.Run(r.Context(), h.publisher)
	}
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err,
			"What is due in the shop was not all looked at. The next call goes on; the log has the reason.")
	}
	if next.IsZero() {
		return written{}, nil
	}
	return written{&next}, nil
}

// fetch holds the catalogue for whom the planner names.
func (h handler) fetch(w http.ResponseWriter, r *http.Request) (any, error) {
	var by string
	if err := web.ReadObject(w, r,
		func(body *strictjson.Object) { by, _ = body.Required("by").String() }); err != nil {
		return nil, err
	}
	id, err := h.tables.Fetch(r.Context(), h.publisher, by, table.Settings{})
	if err != nil {
		return nil, err
	}
	return web.Reply{Status: http.StatusCreated, Value: plannerapi.FetchedTable{Table: id}}, nil
}

package planner

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/shop/kinds"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/web"
)

// fetchShop answers POST /v1/shops/{shop}:fetch: the catalogue as it is now is held as
// any table is, and what comes of it is written back to the shop.
func (h handler) fetchShop(_ http.ResponseWriter, r *http.Request) (any, error) {
	p := h.person(r)
	if err := cmp.Or(h.checkTables(), p.unknown, p.refusal(plannerapi.ActPlan)); err != nil {
		return nil, err
	}
	if name := r.PathValue("shop"); name != h.ShopKind &&
		(h.Fetch != nil || !slices.Contains(kinds.All(), name)) {
		known := cmp.Or(h.ShopKind, strings.Join(kinds.All(), " or "))
		return nil, errs.New(errs.NotFound, "There is no shop %.40q: %s is the one that can be connected.",
			name, known)
	}
	if h.Fetch == nil {
		return nil, web.NotImplemented("No shop is connected here: its operator sets SHOP_KIND, SHOP_URL, SHOP_KEY and SHOP_SECRET.")
	}
	id, err := h.Fetch(r.Context(), p.name)
	if err != nil {
		return nil, err
	}
	found, err := h.tableOf(r, id)
	if err != nil {
		return nil, err
	}
	answer, err := h.Tables.Show(r.Context(), found.Table, found.settings, nil)
	return web.Reply{Status: http.StatusCreated, Value: answer}, table.On(err, setting.QueryParameter)
}

// fetchBy has the function at an address fetch the shop; nil where there is none.
func fetchBy(address string) (func(ctx context.Context, by string) (string, error), error) {
	if address == "" {
		return nil, nil
	}
	tokens, err := identity.OwnTokens(address)
	if err != nil {
		return nil, err
	}
	shops := &web.Client{Base: address, HTTP: identity.Own{Tokens: tokens, HTTP: http.DefaultTransport}}
	return func(ctx context.Context, by string) (string, error) {
		var held plannerapi.FetchedTable
		err := shops.Send(ctx, http.MethodPost, "/fetch", map[string]string{"by": by}, &held)
		return held.Table, err
	}, nil
}

// checkForShop refuses a plan over a fetched table that changes what is not written back.
func (s *tableSource) checkForShop(p *plan.Plan) error {
	if !s.fetched {
		return nil
	}
	return p.CheckForShop()
}

// listPostings answers GET /v1/postings.
func (h handler) listPostings(_ http.ResponseWriter, r *http.Request) (any, error) {
	var page paging.Page
	if err := web.ReadQuery(r, func(q *web.Query) { page = readPage(q) }); err != nil {
		return nil, err
	}
	found, err := h.Store.Postings(r.Context(), page)
	if err != nil {
		return nil, err
	}
	list := paging.Each(found, plannerapi.NewPosting)
	return plannerapi.Postings{Postings: list.Items, NextPageToken: list.NextPageToken}, nil
}

// getPosting answers GET /v1/postings/{execution_id}.
func (h handler) getPosting(_ http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	posting, err := h.Store.Posting(r.Context(), executionID)
	if errs.KindOf(err) == errs.NotFound {
		return nil, errs.Wrap(errs.NotFound, err, "Nothing of %s is written to a shop: it has not completed, or its table was not fetched from one.", executionID)
	}
	return plannerapi.NewPosting(posting), err
}

// retryPosting answers POST /v1/postings/{execution_id}:retry.
func (h handler) retryPosting(_ http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	p := h.person(r)
	if err := cmp.Or(p.unknown, p.refusal(plannerapi.ActExecute)); err != nil {
		return nil, err
	}
	posting, err := postings.Retry(r.Context(), h.Store, executionID, h.now())
	if err != nil {
		return nil, err
	}
	return plannerapi.NewPosting(posting), nil
}

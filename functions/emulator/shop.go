package emulator

import (
	"context"
	"net/http"
	"time"

	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/schedule"
)

// fetchTime bounds a request that reads a whole shop.
const fetchTime = 30 * time.Minute

// connectShop connects the shop that the settings name, to be fetched when asked and
// written by the clock. The folder's lock proves that whoever held its lease is dead.
func (s *Server) connectShop(ctx context.Context, settings Settings) error {
	if settings.shop == nil {
		return nil
	}
	client, err := settings.shop.Open()
	if err != nil {
		return err
	}
	s.publisher = shop.New(s.stores.ledger, s.stores.inbox, s.stores.outbox, s.stores.audit, client, s.log)
	if s.stores.records == nil {
		return nil // in Firestore, others may hold the lease
	}
	return s.publisher.Reclaim(ctx)
}

// shopKind is the kind of the shop; "": none is connected.
func (s *Server) shopKind() string {
	if s.publisher == nil {
		return ""
	}
	return s.publisher.Shop.Kind()
}

// fetchShop is what the planner calls to fetch the shop; nil: none is connected.
func (s *Server) fetchShop(settings Settings) func(ctx context.Context, by string) (string, error) {
	if s.publisher == nil || s.stores.tables == nil {
		return nil
	}
	return func(ctx context.Context, by string) (string, error) {
		return s.stores.tables.Fetch(ctx, s.publisher, by, settings.executor.Settings)
	}
}

// planner is the planner for the pages, which may have the shop fetched.
func (s *Server) planner() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/v1/shops/", s.service("planner", fetchTime, s.plans))
	mux.Handle("/", s.service("planner", requestTime, s.plans))
	return mux
}

// publish writes what is due to the shop, and then fetches it for what is due there. What
// stands in the way is in the posting, or in the record.
func (s *Server) publish(ctx context.Context) (well bool) {
	if s.publisher == nil {
		return true
	}
	_, err := s.publisher.Run(ctx)
	if err == nil {
		well, err = schedule.Run(ctx, s.publisher)
	}
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "what is to be done in the shop is done later", "cause", err.Error())
	}
	return well
}

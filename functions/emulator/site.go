package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/functions/executor"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/web"
)

// requestTime bounds a request to the planner or the sessions, as the platform
// does. Deliveries run as long as they must.
const requestTime = 2 * time.Minute

// site is everything that runs while a server does.
type site struct {
	page    page
	plans   http.Handler
	agents  http.Handler
	events  web.Handler
	ready   func(context.Context) error
	watch   func(context.Context) error // the inbox; nil where it is no folder
	project string
	log     *slog.Logger
}

// newSite wires the three functions to the stores.
func newSite(ctx context.Context, lookup config.Lookup, from settings, folder *dataFolder, opened *stores, log *slog.Logger) (*site, error) {
	records := &announced{Store: opened.ledger, stored: func() {}}
	x := newExecutor(records, opened, from.executor, log)
	plans, planned, err := newPlanner(ctx, lookup, log)
	if err != nil {
		return nil, err
	}
	model, _, err := agentsModel(lookup)
	if err != nil {
		return nil, err
	}
	s := &site{events: executor.NewHandler(x), ready: opened.ready, project: from.project, log: log}
	s.page = page{
		Data: folder.path, Planner: planned, Agents: model.Model,
		Ledger: opened.ledgerName, Objects: opened.objectsName, Routes: routes,
	}
	if opened.local {
		watcher, err := newWatcher(ctx, folder, x, log)
		if err != nil {
			return nil, err
		}
		s.watch, records.stored = watcher.Run, watcher.Wake
	}
	s.plans = planner.NewHandler(planner.Dependencies{
		Store: records, Planner: plans, InboxBucket: opened.inbox.Name(), Settings: from.executor.Settings,
		UploadCommand: opened.uploadCommand(filepath.Join(folder.path, inboxName)),
	})
	if s.agents, err = sessionHandler(ctx, opened.sessions, lookup, 0, log); err != nil {
		return nil, err
	}
	return s, nil
}

// handler puts the functions side by side, each under its own name in the log.
func (s *site) handler() http.Handler {
	own := web.NewRouter()
	own.Handle("POST /executor", s.events)
	own.Handle("GET /healthz", health(s.ready))
	own.Handle("GET /{$}", s.page.serve)
	mux := http.NewServeMux()
	mux.Handle("/planner/", http.StripPrefix("/planner", s.service("planner", requestTime, s.plans)))
	mux.Handle("/session/", http.StripPrefix("/session", s.service("session", requestTime, s.agents)))
	mux.Handle("/", s.service("emulator", 0, own))
	return mux
}

func (s *site) service(name string, limit time.Duration, next http.Handler) http.Handler {
	return web.Service{Name: name, Project: s.project, Log: s.log, Timeout: limit}.Serve(next)
}

// run answers and watches until ctx ends or one of the two fails.
func (s *site) run(ctx context.Context, listener net.Listener) error {
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return answer(ctx, listener, s.handler(), s.log) })
	if s.watch != nil {
		parts.Go(func() error { return s.watch(ctx) })
	}
	return parts.Wait()
}

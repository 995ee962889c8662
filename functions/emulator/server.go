// Package emulator serves the whole product behind one address, over one data folder.
// It runs the code of the deployed functions and only wires it: to a folder and an SQLite
// file, or to Google's emulators and Gemini if the environment names them.
package emulator

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/functions/console"
	"github.com/planwright/planwright/functions/emulator/devui"
	"github.com/planwright/planwright/functions/emulator/inbox"
	"github.com/planwright/planwright/functions/executor"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/web"
)

// aboutPath shows where everything lies, and every route.
const aboutPath = "/about"

// requestTime bounds a request to the planner or the sessions, as the platform
// does. Deliveries run as long as they must.
const requestTime = 2 * time.Minute

// Server is the three functions, their stores and the drop folder on one
// machine.
type Server struct {
	folder *DataFolder
	stores *stores
	page   page
	handlers
	background
	project string
	log     *slog.Logger

	settings  Settings
	announced bool
}

// handlers answer the requests of the functions.
type handlers struct {
	plans  http.Handler
	agents http.Handler
	devUI  http.Handler // ADK's page for the agents
	pages  *console.Console
	events web.Handler
}

// background is what works without a request.
type background struct {
	watch   func(context.Context) error // the inbox; nil where it is no folder
	waiting func() []string             // drops for which there is no room; nil as watch is
	tree    *tree.Log
	sweeper *sweeper
	sender  *messages.Sender
	// publisher writes to the shop; nil: none is connected.
	publisher *shop.Publisher
}

// Open takes the data folder and wires the three functions to it, or to the
// emulators that the settings name. Conflict: another process serves the
// folder. The caller closes the server.
func Open(ctx context.Context, data string, settings Settings, log *slog.Logger) (_ *Server, err error) {
	s := &Server{project: settings.project, log: log, settings: settings}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.folder, err = hold(ctx, data, log); err != nil {
		return nil, err
	}
	if s.stores, err = openStores(ctx, settings, s.folder, log); err != nil {
		return nil, err
	}
	return s, s.wire(ctx, settings)
}

// Close closes the stores and releases the data folder.
func (s *Server) Close() (err error) {
	if s.stores != nil {
		err = errors.Join(err, s.stores.Close())
	}
	if s.folder != nil {
		err = errors.Join(err, s.folder.Close())
	}
	return err
}

// wire makes the handlers and the watcher of an opened server.
func (s *Server) wire(ctx context.Context, settings Settings) error {
	key, err := tree.LocalKey(filepath.Join(s.folder.Folder, keyName))
	if err != nil {
		return err
	}
	if s.tree, err = tree.New(s.stores.leaves, s.stores.audit, key); err != nil {
		return err
	}
	records := &observed{Store: s.stores.ledger, stored: func() {}}
	x := newExecutor(records, s.stores, settings.executor, s.log)
	inboxes, err := s.watchInbox(ctx, x, records)
	if err != nil {
		return err
	}
	s.sweeper = &sweeper{Executor: x, inbox: inboxes.List, held: s.stores.tables}
	s.sender = messages.NewSender(records, settings.notify, s.log)
	plans, planned, err := NewPlanner(ctx, settings.lookup, s.log)
	if err != nil {
		return err
	}
	agents, err := AgentModel(ctx, settings.lookup)
	if err != nil {
		return err
	}
	named := *x
	named.Inbox = inboxes
	s.events = executor.NewHandler(&named)
	s.page = page{
		Data: s.folder.Folder, Planner: planned, Agents: agents.Name(),
		Ledger: s.stores.ledgerName, Objects: s.stores.objectsName, Routes: routes(),
	}
	if err := s.connectShop(ctx, settings); err != nil {
		return err
	}
	s.plans = planner.NewHandler(planner.Dependencies{
		Store:          records,
		Caller:         settings.caller,
		Decisions:      settings.decisions,
		Roles:          settings.roles,
		Uploader:       settings.uploader(),
		Notifies:       settings.notify.URL != "",
		Fetch:          s.fetchShop(settings),
		ShopKind:       s.shopKind(),
		Planner:        plans,
		AsksGemini:     planned != reader.Model,
		ApprovalAlways: settings.executor.Policy.Approval == ledger.ApproveAlways,
		InboxBucket:    s.stores.inbox.Name(),
		Settings:       settings.executor.Settings,
		Tables:         s.stores.tables,
		Buckets:        x.Buckets,
		MaxTableBytes:  s.stores.maxTableBytes(),
		UploadCommand:  s.stores.uploadCommand(s.folder.Folder),
	})
	if s.devUI, err = devui.NewPage("/session"); err != nil {
		return err
	}
	s.agents, err = session.NewHandler(session.Dependencies{
		Store: s.stores.sessions, Model: agents, Caller: settings.sessionUser(), Log: s.log,
	})
	if err != nil {
		return err
	}
	s.pages = console.New(console.Dependencies{
		Planner:  inProcess(s.planner()),
		Sessions: inProcess(s.service("session", requestTime, s.agents)),
		Files:    s.stores.bucket, AnySize: s.stores.local, About: aboutPath, PublicURL: settings.publicURL,
		Waiting: s.waiting,
	})
	return nil
}

// WatchChanges tells of changes in the inbox. A test with a clock of its own, which stands
// still while the system is listened to, has nobody tell.
var WatchChanges = inbox.WatchChanges

// watchInbox begins to watch an inbox that is a folder, and returns the uploads in it.
func (s *Server) watchInbox(
	ctx context.Context, x *execution.Executor, records *observed,
) (bucket.Store, error) {
	if !s.stores.local {
		return s.stores.inbox.(bucket.Store), nil // a bucket of Cloud Storage
	}
	rows, err := inbox.NewRows(ctx, s.folder.state)
	if err != nil {
		return nil, err
	}
	watcher := newWatcher(s.folder, rows, x, s.log)
	if watcher.Changes, err = WatchChanges(s.folder.inboxPath()); err != nil {
		s.log.InfoContext(ctx,
			"the system does not tell of changes in the inbox: it is looked through four times a second",
			"cause", err.Error())
	}
	s.stores.closers = append(s.stores.closers, watcher.Changes.Close)
	s.watch, s.waiting, records.stored = watcher.Run, watcher.Waiting, watcher.Wake
	return written{s.folder.inbox, rows}, nil
}

// inProcess is how the console speaks to a function of the same process.
func inProcess(function http.Handler) *web.Client {
	return &web.Client{Base: "http://localhost", HTTP: web.InProcess(function)}
}

// Describe writes the routes, the folders and the next commands to type, for a
// server that answers at an address over a data folder named as its user did.
func (s *Server) Describe(out io.Writer, address, data string) error {
	s.page.Next = nextSteps(address, filepath.Join(data, InboxName), s.settings.userHeader)
	return textPage.Execute(out, s.page)
}

// handler puts the functions side by side, each under its own name in the log.
// Pages of other sites are kept from all of them. Everybody may ask whether the server
// works, and for the style of its pages.
func (s *Server) handler() http.Handler {
	own := web.NewRouter()
	own.Handle("POST /executor", s.events)
	own.Handle("GET /healthz", health(s.stores.ready))
	own.Handle("GET /{$}", s.page.serve)
	own.Handle("GET "+aboutPath, s.page.serve)
	own.Handle("/v1/", func(_ http.ResponseWriter, r *http.Request) (any, error) {
		return nil, errs.New(errs.NotFound, "There is nothing at %q. The planner's addresses begin with /planner here, such as /planner/v1/plans, and those of sessions with /session.", r.URL.Path)
	})
	ownPages, calls := s.forSignedIn("console", 0, s.pages), s.forSignedIn("emulator", 0, own)
	mux := http.NewServeMux()
	mux.Handle("/planner/", http.StripPrefix("/planner", s.forSignedIn("planner", requestTime, s.plans)))
	mux.Handle("/planner/v1/shops/",
		http.StripPrefix("/planner", s.forSignedIn("planner", fetchTime, s.plans)))
	mux.Handle("/session/", http.StripPrefix("/session", s.forSignedIn("session", requestTime, s.agents)))
	mux.Handle("/session/dev/",
		http.StripPrefix("/session", s.forSignedIn("session", requestTime, devui.NewDevCalls())))
	mux.Handle(devui.Path, s.forSignedIn("dev-ui", 0, s.devUI))
	mux.Handle("/executor", calls)
	mux.Handle(aboutPath, calls)
	mux.Handle("/healthz", s.forAll("emulator", own))
	mux.Handle("/static/", s.forAll("console", s.pages))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if forPeople(r) {
			ownPages.ServeHTTP(w, r)
			return
		}
		calls.ServeHTTP(w, r)
	})
	return mux
}

func (s *Server) service(name string, limit time.Duration, next http.Handler) http.Handler {
	return web.Service{Name: name, Project: s.project, Log: s.log, Timeout: limit}.Serve(next)
}

// forAll is a service that asks nobody who they are.
func (s *Server) forAll(name string, next http.Handler) http.Handler {
	return s.service(name, 0, web.LocalOnly(s.settings.publicURL, next))
}

// forSignedIn is a service that knows who sends a request. A preflight, which LocalOnly
// answers itself, names somebody too.
func (s *Server) forSignedIn(name string, limit time.Duration, next http.Handler) http.Handler {
	return s.service(name, limit, s.settings.signedIn(web.LocalOnly(s.settings.publicURL, next)))
}

// Announce says in the folder's lock where commands find the server, and returns that
// address. Commands are told nothing where a proxy names people: they do not come by it.
func (s *Server) Announce(listener net.Listener) (address string, err error) {
	address = "http://" + listener.Addr().String()
	found := address
	if s.settings.userHeader != "" {
		found = ""
	}
	if err := writeHolder(s.folder.lock, found); err != nil {
		return "", errs.Wrap(errs.Unavailable, err, "%s cannot be written: is the disk full?", lockName)
	}
	s.announced = true
	return address, nil
}

// Run answers and watches until ctx ends or one of the two fails.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	if !s.announced {
		if _, err := s.Announce(listener); err != nil {
			return err
		}
	}
	if s.settings.namesNobody() {
		s.log.WarnContext(ctx, "whoever comes by the public address acts as the user of this machine: --user-header takes who they are from the proxy there", "address", s.settings.publicURL)
	}
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return Serve(ctx, listener, s.handler(), s.log) })
	if s.watch != nil {
		parts.Go(func() error { return s.watch(ctx) })
	}
	parts.Go(func() error { return s.folder.guard(ctx, s.log) })
	for _, do := range []func(context.Context) bool{s.sweeper.sweep, s.sign, s.tell, s.index, s.publish} {
		parts.Go(func() error { repeat(ctx, do); return nil })
	}
	err := parts.Wait()
	s.sign(context.WithoutCancel(ctx)) // what was settled while the others ended
	return err
}

// sign takes the outcomes that are new into the signed tree.
func (s *Server) sign(ctx context.Context) (well bool) {
	err := s.tree.Append(ctx)
	if ctx.Err() == nil {
		tree.Report(ctx, s.log, err)
	}
	return err == nil && s.writeLines(ctx)
}

// writeLines adds the lines of commands that were killed before they could.
func (s *Server) writeLines(ctx context.Context) (well bool) {
	if s.stores.records == nil {
		return true
	}
	err := WriteLines(ctx, s.stores.records, "", false)
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "an audit log lacks a line", "cause", err.Error())
	}
	return err == nil
}

// index stores the changes of executions that have completed since, so that nobody who asks
// for the history of a product waits for it.
func (s *Server) index(ctx context.Context) (well bool) {
	if s.stores.records == nil {
		return true
	}
	err := s.stores.records.Index(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "the history of products lacks an execution", "cause", err.Error())
	}
	return err == nil
}

// tell posts what the webhook is owed, beside the sweep, which does not wait for it. What
// was not posted when the server ends is due at the next start.
func (s *Server) tell(ctx context.Context) (well bool) {
	_, err := s.sender.Run(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "what the webhook is owed cannot be read", "cause", err.Error())
	}
	return err == nil
}

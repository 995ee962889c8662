package emulator

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/sessions"
	sessionsfirestore "github.com/planwright/planwright/shared/sessions/firestore"
	sessionsqlite "github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/tablestore"
)

// stores are the ports that everything works on.
type stores struct {
	ledger               ledger.Store
	leaves               merkle.LeafStore // of the same records
	sessions             sessions.Store
	inbox, outbox, audit bucket.Bucket
	tables               *tablestore.Tables
	local                bool          // the inbox is a folder, to be watched
	records              *sqlite.Store // where the ledger is a file; nil elsewhere
	ledgerName           string
	objectsName          string
	closers              []func() error
}

// openStores opens everything for a server: in the cloud's emulators where the
// settings say so, and in the data folder otherwise.
func openStores(
	ctx context.Context, from Settings, folder *DataFolder, log *slog.Logger,
) (_ *stores, err error) {
	s := &stores{}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if from.firestore {
		err = s.openFirestore(ctx, from)
	} else {
		err = s.openState(ctx, folder.Place, log)
	}
	if err != nil {
		return nil, err
	}
	if from.storage {
		err = s.openStorage(ctx, from)
	} else {
		s.local, s.objectsName = true, "the folders above"
		s.inbox = folder.inbox
		s.outbox = folder.outbox
		s.audit = folder.audit
		s.tables = tablestore.New(folder.tables)
	}
	if s.records != nil && err == nil {
		s.records.ChangesFile = ChangesIn(s.audit)
	}
	return s, err
}

// Close closes what was opened.
func (s *stores) Close() error {
	var failed error
	for _, closeOne := range s.closers {
		failed = errors.Join(failed, closeOne())
	}
	return failed
}

// openState opens the records and the agents' sessions in the state file. Every
// lease ends first: the folder's lock proves that the process that held one is
// dead.
func (s *stores) openState(ctx context.Context, place Place, log *slog.Logger) error {
	records, err := openRecords(ctx, place, sqlite.Options{})
	if err != nil {
		return err
	}
	s.ledger, s.leaves, s.records, s.closers = records, records, records, append(s.closers, records.Close)
	s.ledgerName = "SQLite, " + StateName
	expired, err := records.ExpireLeases(ctx, time.Now())
	if err != nil {
		return err
	}
	if expired > 0 {
		log.InfoContext(ctx, "leases of an earlier run have ended", "leases", expired)
	}
	turns, err := sessionsqlite.Open(ctx, place.State, sqlitedb.Options{})
	if err != nil {
		return err
	}
	s.sessions, s.closers = turns, append(s.closers, turns.Close)
	return turns.ExpireLeases(ctx)
}

// openFirestore opens the records and the agents' sessions in Firestore.
func (s *stores) openFirestore(ctx context.Context, from Settings) error {
	records, err := firestore.Open(ctx, from.project, from.database)
	if err != nil {
		return err
	}
	s.ledger, s.leaves, s.ledgerName, s.closers = records, records, "the Firestore emulator", append(
		s.closers, records.Close,
	)
	turns, err := sessionsfirestore.Open(ctx, from.project, from.database)
	if err != nil {
		return err
	}
	s.sessions, s.closers = turns, append(s.closers, turns.Close)
	return nil
}

// openStorage opens the three buckets in Cloud Storage.
func (s *stores) openStorage(ctx context.Context, from Settings) error {
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return err
	}
	s.objectsName, s.closers = "the Cloud Storage emulator", append(s.closers, client.Close)
	s.inbox = gcs.New(client, from.inbox)
	s.outbox = gcs.New(client, from.outbox)
	s.audit = gcs.New(client, from.audit)
	if from.tables != "" {
		s.tables, err = planner.OpenTables(ctx, gcs.New(client, from.tables))
	}
	return err
}

// bucket returns one of the buckets that executions work on, by its name.
func (s *stores) bucket(name string) bucket.Bucket {
	for _, known := range []bucket.Bucket{s.inbox, s.outbox, s.audit} {
		if known.Name() == name {
			return known
		}
	}
	return nil
}

// ready asks the ledger for something that is not there: an answer is proof
// that it works.
func (s *stores) ready(ctx context.Context) error {
	_, err := s.ledger.Execution(ctx, "health_check")
	if errs.KindOf(err) == errs.NotFound {
		return nil
	}
	return err
}

// uploadCommand says how to upload a table: by copying it into the inbox where
// that is a folder; nil leaves it to the planner. Whoever asks is told of the data folder
// as it lies below where the server was started, or of its whole path.
func (s *stores) uploadCommand(data string) func(executionID string) string {
	if !s.local {
		return nil
	}
	shown := data
	if here, err := os.Getwd(); err == nil {
		if below, err := filepath.Rel(here, data); err == nil && filepath.IsLocal(below) {
			shown = below
		}
	}
	return func(executionID string) string {
		return dropCommand(filepath.Join(shown, InboxName), executionID, "products.csv")
	}
}

// maxTableBytes is the largest table that is sent here to be held; 0 leaves it to
// the planner, which has a platform in front.
func (s *stores) maxTableBytes() int64 {
	if s.local {
		return tablestore.MaxUploadBytes
	}
	return 0
}

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/cloudstores"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/table/setting"
)

// Names of what lies in a data folder.
const (
	inboxName  = "inbox"
	outboxName = "outbox"
	auditName  = "audit"
	stateName  = "state.db"
	keyName    = "state.key"
)

// places say where the objects lie, as workers are told: in the folders of a
// data folder, or in buckets.
type places struct {
	Data, Inbox, Outbox, Audit string
}

// opened are the buckets that this process has open: workers share them.
var opened struct {
	sync.Mutex
	buckets map[places]execution.Buckets
}

// buckets opens the buckets, once in a process.
func (p places) buckets(ctx context.Context) (execution.Buckets, error) {
	opened.Lock()
	defer opened.Unlock()
	if found, ok := opened.buckets[p]; ok {
		return found, nil
	}
	made, err := p.open(ctx)
	if err == nil {
		if opened.buckets == nil {
			opened.buckets = map[places]execution.Buckets{}
		}
		opened.buckets[p] = made
	}
	return made, err
}

func (p places) open(ctx context.Context) (made execution.Buckets, err error) {
	if p.Data == "" {
		client, err := gcs.NewClient(context.WithoutCancel(ctx))
		if err != nil {
			return made, err
		}
		at := func(name string) bucket.Bucket { return gcs.New(client, name) }
		return execution.Buckets{Inbox: at(p.Inbox), Outbox: at(p.Outbox), Audit: at(p.Audit)}, nil
	}
	for name, b := range map[string]*bucket.Bucket{
		inboxName:  &made.Inbox,
		outboxName: &made.Outbox,
		auditName:  &made.Audit,
	} {
		if *b, err = folder.Open(filepath.Join(p.Data, name), folder.Options{Name: name}); err != nil {
			return made, err
		}
	}
	return made, nil
}

// shop is what the driver works on.
type shop struct {
	at places
	execution.Buckets
	ledger ledger.Store
	config execution.Config
	sign   func(context.Context) error // takes new outcomes into the signed tree
	close  func() error
}

// openShop opens the stores that the command line means.
func (f flags) openShop(ctx context.Context, lookup config.Lookup) (*shop, error) {
	if f.data != "" {
		return openFolder(ctx, f.data, lookup)
	}
	c, err := execution.ReadConfig(lookup)
	if err != nil {
		return nil, err
	}
	stores, err := cloudstores.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &shop{
		at: places{Inbox: c.Inbox, Outbox: c.Outbox, Audit: c.Audit}, Buckets: stores.Buckets,
		ledger: stores.Ledger, config: c, sign: stores.Sign, close: stores.Close,
	}, nil
}

// openFolder opens a data folder that a server has made.
func openFolder(ctx context.Context, data string, lookup config.Lookup) (*shop, error) {
	data, err := filepath.Abs(data)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(data, stateName)); err != nil {
		return nil, errs.New(
			errs.NotFound,
			"There is no %s in %s: give the --data folder of a server.",
			stateName,
			data,
		)
	}
	reader := config.Read(lookup)
	s := &shop{
		at:     places{Data: data},
		config: execution.Config{Settings: setting.Read(reader), Policy: execution.ReadPolicy(reader)},
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	key, err := tree.LocalKey(filepath.Join(data, keyName))
	if err != nil {
		return nil, err
	}
	if s.Buckets, err = s.at.buckets(ctx); err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, filepath.Join(data, stateName), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	signed, err := tree.New(store, s.Audit, key)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	s.ledger, s.sign, s.close = store, signed.Append, store.Close
	return s, nil
}

// find returns the object that a command line means. A file in a folder is
// copied first, so that nobody can change it meanwhile.
func (s *shop) find(ctx context.Context, name string) (bucket.Object, error) {
	if s.at.Data == "" {
		object, ok := strings.CutPrefix(name, "gs://"+s.config.Inbox+"/")
		if !ok {
			return bucket.Object{}, errs.New(
				errs.Invalid,
				"%s does not lie in the inbox, gs://%s/.",
				name,
				s.config.Inbox,
			)
		}
		return s.Inbox.Stat(ctx, object)
	}
	object, ok := strings.CutPrefix(filepath.ToSlash(filepath.Clean(name)), inboxName+"/")
	if !ok {
		return bucket.Object{}, errs.New(
			errs.Invalid,
			"%s does not begin with %s/: name the file as it lies in the data folder.",
			name,
			inboxName,
		)
	}
	info, err := os.Stat(filepath.Join(s.at.Data, inboxName, filepath.FromSlash(object)))
	if err != nil {
		return bucket.Object{}, errs.New(errs.NotFound, "There is no file %s in %s.", name, s.at.Data)
	}
	inbox := s.Inbox.(*folder.Bucket)
	copied, _, err := inbox.Ingest(ctx, object, folder.IngestOptions{Generation: info.ModTime().UnixMicro()})
	if errs.KindOf(err) != errs.Conflict {
		return copied, err
	}
	// There is a copy, which this command has taken before, or a server.
	copied, err = inbox.Stat(ctx, object)
	if err == nil && (copied.Size != info.Size() || !copied.CreatedAt.After(info.ModTime())) {
		copied, _, err = inbox.Ingest(ctx, object, folder.IngestOptions{})
	}
	return copied, err
}

// dropParts removes the parts of an execution in a data folder, where no rule of
// a bucket does.
func (s *shop) dropParts(executionID string) error {
	if s.at.Data == "" {
		return nil
	}
	var failed error
	for _, name := range []string{outboxName, auditName} {
		failed = errors.Join(failed, os.RemoveAll(filepath.Join(s.at.Data, name, ranges.Folder, executionID)))
	}
	return failed
}

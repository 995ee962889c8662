// Package cloudstores opens the stores of the deployed functions: the records in Firestore,
// the buckets in Cloud Storage.
package cloudstores

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/tree"
)

// Stores are the records and the buckets.
type Stores struct {
	Ledger  *firestore.Store
	Buckets execution.Buckets
	Inbox   *gcs.Bucket // of the buckets, as the sweep lists it

	config execution.Config
	client io.Closer
	tree   *tree.Log // nil: no key was given to sign it with
}

// Open opens the stores that a configuration names.
func Open(ctx context.Context, c execution.Config) (*Stores, error) {
	records, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return nil, err
	}
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return nil, errors.Join(err, records.Close())
	}
	open := func(name string) *gcs.Bucket { return gcs.New(client, name) }
	inbox := open(c.Inbox)
	buckets := execution.Buckets{Inbox: inbox, Outbox: open(c.Outbox), Audit: open(c.Audit)}
	s := &Stores{Ledger: records, Buckets: buckets, Inbox: inbox, config: c, client: client}
	if key := c.AuditKey.Reveal(); key != "" {
		if s.tree, err = tree.New(records, buckets.Audit, key); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.tree.Epoch = c.AuditEpoch
	}
	return s, nil
}

// Close ends the connections.
func (s *Stores) Close() error { return errors.Join(s.Ledger.Close(), s.client.Close()) }

// Executor returns the executor over the stores.
func (s *Stores) Executor(log *slog.Logger) *execution.Executor {
	return execution.New(s.Ledger, s.Buckets, s.config, log)
}

// Sign takes new outcomes into the signed tree. Without a key it does nothing.
func (s *Stores) Sign(ctx context.Context) error {
	if s.tree == nil {
		return nil
	}
	return s.tree.Append(ctx)
}

package firestore

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
)

// commit gathers the writes of one commit. The first that cannot be prepared is
// its error, and nothing is written.
type commit struct {
	store  *Store
	what   string // is tried
	writes []firestoredb.Write
	err    error
}

func (s *Store) commit(what string) *commit { return &commit{store: s, what: what} }

func (c *commit) add(write firestoredb.Write) { c.writes = append(c.writes, write) }

func (c *commit) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// check refuses what is no id.
func (c *commit) check(ids ...string) {
	for _, id := range ids {
		if err := ledger.CheckID(id); err != nil {
			c.fail(err)
		}
	}
}

// fields are those of a document.
func (c *commit) fields(value any) map[string]any {
	fields, err := firestoredb.Encode(value, c.what)
	if err != nil {
		c.fail(err)
		return map[string]any{}
	}
	return fields
}

// replace writes the fields of a document that is called thing and must be at a revision.
func (c *commit) replace(document *firestore.DocumentRef, thing string, fields map[string]any, revision string) {
	read, err := time.Parse(time.RFC3339Nano, revision)
	if err != nil { // no document has had that revision
		c.fail(errs.New(errs.Stale, "%s was changed meanwhile", thing))
	}
	c.add(firestoredb.Update(document, fields, read))
}

// run writes all of it, or nothing, and returns the new revision of the first
// document. Exists and changed say what it means that a document is there, or at
// another revision; "" that it cannot be so.
func (c *commit) run(ctx context.Context, exists, changed string) (string, error) {
	if c.err != nil {
		return "", c.err
	}
	updated, err := firestoredb.Commit(ctx, c.store.client, c.writes...)
	switch {
	case exists != "" && firestoredb.Exists(err):
		return "", errs.Wrap(errs.Conflict, err, "%s", exists)
	case changed != "" && firestoredb.Changed(err):
		return "", errs.Wrap(errs.Stale, err, "%s", changed)
	}
	return revision(updated), firestoredb.Error(err, "%s", c.what)
}

package firestore

import (
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
)

// commit is one to the documents of a store.
type commit struct {
	*firestoredb.Commit
	store *Store
}

func (s *Store) commit(what string) commit { return commit{firestoredb.NewCommit(s.client, what), s} }

// check refuses what is no id, and reports whether there is still something to write.
func (c commit) check(ids ...string) bool {
	for _, id := range ids {
		if err := ledger.CheckID(id); err != nil {
			c.Fail(err)
		}
	}
	return c.Err() == nil
}

// stale says that something was changed since it was read.
func stale(thing string) error { return errs.New(errs.Stale, "%s was changed meanwhile", thing) }

package firestore_test

import (
	"testing"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/ledgertest"
)

func TestConformance(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) ledger.Store {
		store, err := firestore.Open(t.Context(), firestoretest.Project(t), "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store
	})
}

// Without a project there is no database to be opened.
func TestOpenRefuses(t *testing.T) {
	if store, err := firestore.Open(t.Context(), "", ""); err == nil {
		t.Errorf("%v is open", store)
	}
}

package firestore_test

import (
	"testing"
	"time"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/test/expect"
)

func TestInboxRoundOutlivesItsSweep(t *testing.T) {
	project := firestoretest.Project(t)
	open := func() *firestore.Store {
		store := expect.Result(firestore.Open(t.Context(), project, ""))(t)
		t.Cleanup(func() { store.Close() })
		return store
	}
	first := open()
	expect.Equal(t, "where nobody has listed", ledger.InboxRound{}, expect.Result(first.InboxRound(t.Context()))(t))
	at := time.Date(2026, 3, 1, 10, 0, 0, 1000, time.UTC)
	for _, round := range []ledger.InboxRound{
		{Tables: true, Name: "plan_crowd_v1/p.csv", BeganAt: at.Add(time.Hour), PreviousBeganAt: at},
		{BeganAt: at.Add(2 * time.Hour), PreviousBeganAt: at.Add(time.Hour)},
	} {
		expect.NoError(t, first.SetInboxRound(t.Context(), round))
		expect.Equal(t, "as it was noted", round, expect.Result(open().InboxRound(t.Context()))(t))
	}
}

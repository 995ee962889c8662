package ledgertest

import (
	"slices"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/test/expect"
)

var messageTests = []test{
	{"a message is there with the commit that it tells of, and without it is not", messagesWithTheirCommit},
	{"messages are due by their own time, and are changed as they were read", messagesDue},
	{"each step of a life is told of once", messagesOfALife},
}

func messageAt(id string, at time.Time) *ledger.Message {
	return &ledger.Message{ID: id, Kind: ledger.ToldCompleted, ExecutionID: executionID, At: noon, DueAt: at, Effect: "3 of 9 rows change"}
}

func messagesWithTheirCommit(t *testing.T, store ledger.Store) {
	messages := as[ledger.MessageStore](t, store)
	record := create(t, store, ledger.Execution{ExecutionID: executionID, Status: ledger.Running, Source: source(1), CreatedAt: noon})
	next := record
	next.Attempt = 2
	expect.NoError(t, expect.ErrorOf(store.UpdateExecution(t.Context(), next, ledger.Settlement{Message: messageAt("one", noon)})))
	wantKind(t, expect.ErrorOf(store.UpdateExecution(t.Context(), record, ledger.Settlement{Message: messageAt("two", noon)})), errs.Stale)
	found := expect.Result(messages.DueMessages(t.Context(), noon, 10))(t)
	if len(found) != 1 || found[0].ID != "one" || found[0].Effect != "3 of 9 rows change" || !found[0].At.Equal(noon.Truncate(time.Microsecond)) {
		t.Fatalf("due: %+v", found)
	}
	record = read(t, store, executionID)
	expect.NoError(t, expect.ErrorOf(store.UpdateExecution(t.Context(), record, ledger.Settlement{Message: messageAt("one", noon.Add(time.Hour))})))
	again := expect.Result(messages.DueMessages(t.Context(), noon.Add(time.Minute), 10))(t)
	expect.ErrorIf(t, len(again) != 0, "told again in an hour, and due now: %+v", again)
	wantKind(t, messages.UpdateMessage(t.Context(), found[0]), errs.Stale) // it was replaced meanwhile
}

func messagesDue(t *testing.T, store ledger.Store) {
	messages := as[ledger.MessageStore](t, store)
	record := create(t, store, ledger.Execution{ExecutionID: executionID, Status: ledger.Running, Source: source(1), CreatedAt: noon})
	for id, at := range map[string]time.Time{"later": noon.Add(time.Minute), "second": noon, "first": noon.Add(-time.Minute), "never": {}} {
		record = expect.Result(store.UpdateExecution(t.Context(), record, ledger.Settlement{Message: messageAt(id, at)}))(t)
	}
	due := func(limit int) (ids []string) {
		for _, m := range expect.Result(messages.DueMessages(t.Context(), noon, limit))(t) {
			ids = append(ids, m.ID)
		}
		return ids
	}
	expect.Equal(t, "what is due", []string{"first", "second"}, due(10))
	expect.Equal(t, "one of it", []string{"first"}, due(1))
	first := expect.Result(messages.DueMessages(t.Context(), noon, 1))(t)[0]
	first.DueAt, first.Tries, first.Told, first.GivenUp = time.Time{}, 3, []string{"a"}, []string{"b"}
	expect.NoError(t, messages.UpdateMessage(t.Context(), first))
	expect.Equal(t, "once it was told", []string{"second"}, due(10))
	wantKind(t, messages.UpdateMessage(t.Context(), first), errs.Stale)
}

// messagesOfALife follows executions that are proposed, decided about and ended.
func messagesOfALife(t *testing.T, store ledger.Store) {
	messageOf := func(want ledger.MessageKind) ledger.Message {
		t.Helper()
		told := expect.Result(as[ledger.MessageStore](t, store).DueMessages(t.Context(), noon.Add(24*time.Hour), 100))(t)
		told = slices.DeleteFunc(told, func(m ledger.Message) bool { return m.Kind != want })
		if len(told) != 1 {
			t.Fatalf("told %d times that it was %s, want once", len(told), want)
		}
		return told[0]
	}
	propose(t, store, 1, dueProposal())
	m := messageOf(ledger.ToldProposed)
	expect.ErrorIf(t, m.Effect == "" || m.By != "", "of the proposal: %+v", m)
	approve(t, store, 0)
	approve(t, store, 0)
	m = messageOf(ledger.ToldApproved)
	expect.ErrorIf(t, m.By == "" || m.Effect == "", "of the approval: %+v", m)
	fail(t, hold(t, store, delivery("first", 1, 0)))
	m = messageOf(ledger.ToldFailed)
	expect.ErrorIf(t, m.Code == "" || m.ExecutionID != executionID || m.Effect != "", "of the failure: %+v", m)
	finish(t, hold(t, store, delivery("second", 2, time.Hour)))
	m = messageOf(ledger.ToldCompleted)
	expect.ErrorIf(t, m.Effect == "", "of the end: %+v", m)
}

package firestore_test

import (
	"testing"
	"time"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/firestore"
)

// A delete takes several round trips. A session that is made after the first of
// them keeps its events, and its turns too: one that was a leftover is its own
// once it has written it.
func TestASlowDeleteLeavesTheNextSessionAlone(t *testing.T) {
	project := firestoretest.Project(t)
	w := &wire{calls: map[string]int{}}
	slow, err := firestore.Open(t.Context(), project, "", w.dial(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slow.Close() })
	quick, err := firestore.Open(t.Context(), project, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { quick.Close() })
	key := sessions.Key{App: "a", User: "u", Session: "s"}
	turnOf := func(epoch, revision string) sessions.Change {
		return sessions.Change{
			Session:          sessions.Record{Key: key, Epoch: epoch, State: "{}", NextSeq: 1},
			Turn:             &sessions.Turn{ID: "t1", Epoch: epoch, RequestSHA256: "cafe", Revision: revision},
			Events:           []sessions.Event{{Seq: 0, JSON: `{"epoch":"` + epoch + `"}`}},
			ChildrenExpireAt: time.Now().Add(time.Hour),
		}
	}
	if err := quick.Commit(t.Context(), turnOf("EPOCH1", "")); err != nil {
		t.Fatal(err)
	}
	w.then = func(method string) {
		if method != "Commit" {
			return
		}
		w.then = nil
		left, err := quick.Load(t.Context(), key, "t1")
		if err != nil || left.Session.Revision != "" || left.Turn.Revision == "" {
			t.Errorf("after the first commit: %+v, %v", left, err)
		}
		if err := quick.Commit(t.Context(), turnOf("EPOCH2", left.Turn.Revision)); err != nil {
			t.Error(err)
		}
	}
	if err := slow.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	found, err := quick.Load(t.Context(), key, "t1")
	if err != nil || found.Session.Epoch != "EPOCH2" || found.Turn.Epoch != "EPOCH2" {
		t.Errorf("the next session is %+v, %v", found, err)
	}
	for epoch, want := range map[string]int{"EPOCH1": 0, "EPOCH2": 1} {
		events, err := quick.Events(t.Context(), key, epoch, 0, 9)
		if err != nil || len(events) != want {
			t.Errorf("events %v of %s, %v; want %d", events, epoch, err, want)
		}
	}
}

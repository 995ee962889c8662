package firestore_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	adk "google.golang.org/adk/v2/session"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/firestore"
)

// wire counts the calls that a store makes.
type wire struct {
	mu    sync.Mutex
	calls map[string]int
	then  func(method string) // what happens after a call; nil is nothing
}

func (w *wire) count(method string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[path.Base(method)]++
}

func (w *wire) dial(t *testing.T) option.ClientOption {
	t.Helper()
	conn, err := grpc.NewClient(os.Getenv(firestoretest.HostVariable), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(func(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
			w.count(method)
			err := invoke(ctx, method, request, reply, conn, options...)
			if w.then != nil {
				w.then(path.Base(method))
			}
			return err
		}),
		grpc.WithStreamInterceptor(func(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
			w.count(method)
			return open(ctx, desc, conn, method, options...)
		}))
	if err != nil {
		t.Fatal(err)
	}
	return option.WithGRPCConn(conn)
}

// A turn costs one read and one commit on the wire, the first and the
// hundredth alike, whatever events it has. A message with an id of the client's
// costs one commit more, for its lease.
func TestATurnIsTwoRoundTrips(t *testing.T) {
	project := firestoretest.Project(t)
	w := &wire{calls: map[string]int{}}
	store, err := firestore.Open(t.Context(), project, "", w.dial(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	service := sessions.NewService(store, sessions.Options{})
	key := sessions.Key{App: "a", User: "u", Session: "s"}
	if _, err := service.Create(t.Context(), &adk.CreateRequest{AppName: "a", UserID: "u", SessionID: "s"}); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		clear(w.calls)
		request, commits := sessions.TurnRequest{Key: key}, 1
		if i%2 == 1 {
			request.MessageID, commits = fmt.Sprint("m", i), 2
		}
		turn, err := service.Begin(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		ctx := turn.Context(t.Context())
		got, err := service.Get(ctx, &adk.GetRequest{AppName: "a", UserID: "u", SessionID: "s"})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			e := &adk.Event{Author: "user", Actions: adk.EventActions{StateDelta: map[string]any{"n": float64(i), "user:n": float64(i)}}}
			if err := service.AppendEvent(ctx, got.Session, e); err != nil {
				t.Fatal(err)
			}
		}
		if err := turn.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]int{"BatchGetDocuments": 1, "Commit": commits}, w.calls); diff != "" {
			t.Fatalf("calls of turn %d (-want +got):\n%s", i, diff)
		}
	}
}

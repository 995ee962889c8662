package firestore_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"sync"
	"testing"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// wire watches what a store sends, and can lose replies and refuse to read.
type wire struct {
	mu        sync.Mutex
	calls     map[string]int // by method
	largest   int            // request, in bytes
	lose      int            // of the next replies to a commit
	fail      string         // the method whose calls fail
	unlimited int            // calls that could go on for ever
}

// open opens a store over a wire to the emulator.
func open(t testing.TB, project string, w *wire) *firestore.Store {
	t.Helper()
	conn, err := grpc.NewClient(os.Getenv(firestoretest.HostVariable),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(w.unary), grpc.WithStreamInterceptor(w.stream))
	if err != nil {
		t.Fatal(err)
	}
	store, err := firestore.Open(t.Context(), project, "", option.WithGRPCConn(conn))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func (w *wire) unary(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	w.count(ctx, method, proto.Size(request.(proto.Message)))
	if err := invoke(ctx, method, request, reply, conn, options...); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lose > 0 && path.Base(method) == "Commit" {
		w.lose--
		return status.Error(codes.Unavailable, "the reply was lost")
	}
	return nil
}

func (w *wire) stream(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
	w.count(ctx, method, 0)
	w.mu.Lock()
	defer w.mu.Unlock()
	if path.Base(method) == w.fail {
		return nil, status.Error(codes.PermissionDenied, "it is forbidden")
	}
	return open(ctx, desc, conn, method, options...)
}

func (w *wire) count(ctx context.Context, method string, size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]int{}
	}
	w.calls[path.Base(method)]++
	w.largest = max(w.largest, size)
	if _, limited := ctx.Deadline(); !limited {
		w.unlimited++
	}
}

// taken returns the calls since it was asked last.
func (w *wire) taken() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	calls := maps.Clone(w.calls)
	clear(w.calls)
	return calls
}

func (w *wire) loseReplies(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lose = n
}

func (w *wire) failReads(method string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail = method
}

func (w *wire) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprintf("%v, the largest of %d bytes", w.calls, w.largest)
}

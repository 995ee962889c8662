package terraform_test

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"

	"github.com/planwright/planwright/shared/ledger"
	ledgerstore "github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/sessions"
	sessionstore "github.com/planwright/planwright/shared/sessions/firestore"
)

// described is one database in indexes.json.
type described struct {
	Indexes []struct {
		CollectionGroup string
		QueryScope      string
		Fields          []struct{ FieldPath, Order, ArrayConfig string }
	}
	FieldOverrides []struct{ CollectionGroup, FieldPath string }
}

// TestIndexesServeEveryQuery lets both stores ask every query they know of a
// server that only listens, works out which composite index each needs, and
// compares that with indexes.json. Google's emulator does not enforce indexes.
func TestIndexesServeEveryQuery(t *testing.T) {
	text, err := os.ReadFile("indexes.json")
	if err != nil {
		t.Fatal(err)
	}
	var databases map[string]described
	if err := json.Unmarshal(text, &databases); err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func(*testing.T){"pricing": askLedger, "sessions": askSessions} {
		t.Run(name, func(t *testing.T) {
			queries := listen(t, ask)
			want := []string{}
			for _, query := range queries {
				if index := needs(query); index != "" && !slices.Contains(want, index) {
					want = append(want, index)
				}
			}
			got := databases[name].indexes()
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("indexes (-that queries need +in indexes.json):\n%s", diff)
			}
			for _, fault := range databases[name].hidden(queries) {
				t.Error(fault)
			}
		})
	}
}

// askLedger asks each of the ledger's queries.
func askLedger(t *testing.T) {
	ctx := t.Context()
	store, err := ledgerstore.Open(ctx, "demo-indexes", "")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	_, all := store.Executions(ctx, "", paging.Page{})
	_, some := store.Executions(ctx, ledger.Completed, paging.Page{})
	_, changes := store.Changes(ctx, "plan_fitness_v1", paging.Page{})
	_, history := store.SKUChanges(ctx, "A101", paging.Page{})
	_, audit := store.Audit(ctx, "plan_fitness_v1", 10)
	_, on := store.ExecutionsOn(ctx, ledger.File{CRC32C: 1})
	for _, err := range []error{all, some, changes, history, audit, on} {
		if err != nil {
			t.Error(err)
		}
	}
}

// askSessions asks each of the sessions' queries.
func askSessions(t *testing.T) {
	ctx := t.Context()
	store, err := sessionstore.Open(ctx, "demo-indexes", "")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	_, list := store.List(ctx, "app", "user", sessions.Place{}, 10)
	_, events := store.Events(ctx, sessions.Key{App: "app", User: "user", Session: "session"}, "epoch", 0, 9)
	for _, err := range []error{list, events} {
		if err != nil {
			t.Error(err)
		}
	}
}

// listener is a Firestore that remembers queries and finds nothing.
type listener struct {
	pb.UnimplementedFirestoreServer
	mu      sync.Mutex
	queries []*pb.StructuredQuery
}

func (l *listener) RunQuery(request *pb.RunQueryRequest, _ pb.Firestore_RunQueryServer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queries = append(l.queries, request.GetStructuredQuery())
	return nil
}

func (l *listener) BatchGetDocuments(*pb.BatchGetDocumentsRequest, pb.Firestore_BatchGetDocumentsServer) error {
	return nil
}

// listen returns the queries that ask sends.
func listen(t *testing.T, ask func(*testing.T)) []*pb.StructuredQuery {
	t.Helper()
	socket, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	heard, server := &listener{}, grpc.NewServer()
	pb.RegisterFirestoreServer(server, heard)
	go server.Serve(socket)
	defer server.Stop()
	t.Setenv("FIRESTORE_EMULATOR_HOST", socket.Addr().String())
	ask(t)
	if len(heard.queries) == 0 {
		t.Fatal("no query was asked")
	}
	return heard.queries
}

// needs returns the index without which Firestore refuses a query, "" where
// the automatic ones do: those hold one field each, in each collection, with
// the document's name in the same direction.
// https://firebase.google.com/docs/firestore/query-data/index-overview
func needs(query *pb.StructuredQuery) string {
	from := query.From[0]
	equal, fields := filters(query.Where)
	for _, order := range query.OrderBy {
		path := order.Field.FieldPath
		if path != "__name__" && !slices.Contains(equal, path) {
			fields = append(fields, path+" "+order.Direction.String())
		}
	}
	scope := "COLLECTION"
	if from.AllDescendants {
		scope = "COLLECTION_GROUP"
	}
	if len(fields) < 2 && scope == "COLLECTION" {
		return ""
	}
	return scope + " " + from.CollectionId + ": " + strings.Join(fields, ", ")
}

// filters returns the fields that are held equal, and how an index holds those
// that are filtered by.
func filters(where *pb.StructuredQuery_Filter) (equal, fields []string) {
	if all := where.GetCompositeFilter(); all != nil {
		for _, one := range all.Filters {
			e, f := filters(one)
			equal, fields = append(equal, e...), append(fields, f...)
		}
		return equal, fields
	}
	filter := where.GetFieldFilter()
	if filter == nil || filter.Field.FieldPath == "__name__" {
		return nil, nil
	}
	path := filter.Field.FieldPath
	switch filter.Op {
	case pb.StructuredQuery_FieldFilter_EQUAL:
		return []string{path}, []string{path + " ASCENDING"}
	case pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS:
		return nil, []string{path + " CONTAINS"}
	default:
		return nil, []string{path + " " + filter.Op.String()} // is in no index: review it here
	}
}

// indexes returns the composite indexes in the form of needs.
func (d described) indexes() []string {
	found := []string{}
	for _, index := range d.Indexes {
		fields := make([]string, len(index.Fields))
		for i, field := range index.Fields {
			fields[i] = field.FieldPath + " " + field.Order + field.ArrayConfig
		}
		found = append(found, index.QueryScope+" "+index.CollectionGroup+": "+strings.Join(fields, ", "))
	}
	slices.Sort(found)
	return found
}

// hidden reports fields that a query asks for and that are left out of
// indexing.
func (d described) hidden(queries []*pb.StructuredQuery) []string {
	var faults []string
	for _, query := range queries {
		_, asked := filters(query.Where)
		for _, order := range query.OrderBy {
			asked = append(asked, order.Field.FieldPath)
		}
		for _, override := range d.FieldOverrides {
			for _, field := range asked {
				if override.CollectionGroup == query.From[0].CollectionId && override.FieldPath == strings.Fields(field)[0] {
					faults = append(faults, "a query on "+override.CollectionGroup+" asks for "+override.FieldPath+", which is in no index")
				}
			}
		}
	}
	return faults
}

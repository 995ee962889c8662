// Package firestore keeps the ledger in a Firestore database, in the documents
// that package ledger names. A document's fields have the names of the JSON
// fields; times are timestamps, plans are strings with their canonical bytes.
//
// What is new is created and never overwritten; a record is replaced on the
// condition that its update time, which is its revision, is the one that was
// read. Every change is one commit and no transaction: a transaction costs a
// round trip more and makes rivals wait for each other. A record carries the
// version of its fields; one of a newer program is neither read nor written.
//
// The commit that stores a plan whose id has a version raises versions/{name}_v to it, and
// notes the id for the plan's request, so that the next free id is one read.
//
// The Merkle tree over all outcomes has the documents tree/tree and, for each
// outcome, leaves/{execution}.{upload}, whose number is null at first;
// sweeps/inbox says how far the sweep has listed the inbox.
//
// Queries that need a composite index:
//
//	executions               status ASC, created_at DESC
//	changes (collection group)  skus CONTAINS, executed_at DESC, execution_id DESC, number ASC
//
// What is due is found by the index that every field has, of due_at and of post_at, each
// null where a record is never due.
//
// Fields to exempt from indexing: plan of plans; proposal, seal, owed, error of
// executions; plan_snapshot, changes, skus_changed, result of audit; changes of changes;
// left of postings.
package firestore

import (
	"context"
	"encoding/json"

	"cloud.google.com/go/firestore"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"google.golang.org/api/option"
)

// Store is a ledger.Store in a Firestore database.
type Store struct {
	client *firestore.Client
}

var _ ledger.Store = (*Store)(nil)

// Open connects to a database of a project, "" meaning the default one. It
// honours FIRESTORE_EMULATOR_HOST.
func Open(ctx context.Context, project, database string, options ...option.ClientOption) (*Store, error) {
	client, err := firestoredb.Open(ctx, project, database, options...)
	if err != nil {
		return nil, err
	}
	return &Store{client: client}, nil
}

// Close ends the connection.
func (s *Store) Close() error {
	return firestoredb.Error(s.client.Close(), "cannot close the connection to Firestore")
}

// Collections; the last two are below an execution.
const (
	plansCollection = "plans"
	versions        = "versions"
	executions      = "executions"
	audit           = "audit"
	changes         = "changes"
)

func (s *Store) plan(executionID string) *firestore.DocumentRef {
	return s.client.Collection(plansCollection).Doc(executionID)
}

func (s *Store) lastVersion(name string) *firestore.DocumentRef {
	return s.client.Collection(versions).Doc(name + "_v")
}

func (s *Store) latestVersion(name string, request plans.Request) *firestore.DocumentRef {
	return s.client.Collection(versions).Doc(name + "_v." + request.SHA256())
}

func (s *Store) execution(executionID string) *firestore.DocumentRef {
	return s.client.Collection(executions).Doc(executionID)
}

func (s *Store) outcome(executionID, uploadID string) *firestore.DocumentRef {
	return s.execution(executionID).Collection(audit).Doc(uploadID)
}

// take removes a field that holds JSON as text, byte for byte, and returns
// it; null where there is none.
func take(fields map[string]any, name string) json.RawMessage {
	text, ok := fields[name].(string)
	delete(fields, name)
	if !ok {
		return json.RawMessage("null")
	}
	return json.RawMessage(text)
}

// verbatim is JSON as a field that keeps its bytes.
func verbatim(text json.RawMessage) any {
	if string(text) == "null" {
		return nil
	}
	return string(text)
}

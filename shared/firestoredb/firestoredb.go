// Package firestoredb connects to a Firestore database, reads and commits
// documents in one round trip each, and translates the client's errors. The
// rooms that keep something there have their own documents; none of them reads
// a status code or builds a batch.
package firestoredb

import (
	"cmp"
	"context"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"

	"github.com/planwright/planwright/shared/errs"
)

//lint:file-ignore SA1019 The batch is the client's one way to commit writes together in one round trip: a transaction begins with another, a bulk write is not atomic.

// Open connects to a database of a project, "" meaning the default one. It
// honours FIRESTORE_EMULATOR_HOST.
func Open(ctx context.Context, project, database string, options ...option.ClientOption) (*firestore.Client, error) {
	client, err := firestore.NewClientWithDatabase(ctx, project, cmp.Or(database, firestore.DefaultDatabaseID), options...)
	if err != nil {
		return nil, errs.Wrap(errs.Denied, err, "cannot connect to Firestore: check the project and the credentials")
	}
	return client, nil
}

// CallTimeout ends a call that the client would repeat for as long as its context lets it.
const CallTimeout = 30 * time.Second

// Get reads documents in one round trip, "what" saying what is tried. One that
// does not exist is there as a snapshot that says so.
func Get(ctx context.Context, client *firestore.Client, what string, documents ...*firestore.DocumentRef) ([]*firestore.DocumentSnapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, CallTimeout)
	defer cancel()
	found, err := client.GetAll(ctx, documents)
	return found, Error(err, "%s", what)
}

// Write is one write of a commit.
type Write func(*firestore.WriteBatch)

// Create writes a document that must not exist.
func Create(document *firestore.DocumentRef, fields map[string]any) Write {
	return func(batch *firestore.WriteBatch) { batch.Create(document, fields) }
}

// Update replaces the fields of a document that must not have been changed
// since it was read. A record always has all its fields, so that none is left
// of the record before.
func Update(document *firestore.DocumentRef, fields map[string]any, read time.Time) Write {
	updates := make([]firestore.Update, 0, len(fields))
	for name, value := range fields {
		updates = append(updates, firestore.Update{Path: name, Value: value})
	}
	return func(batch *firestore.WriteBatch) { batch.Update(document, updates, firestore.LastUpdateTime(read)) }
}

// Set writes a document whether or not it exists.
func Set(document *firestore.DocumentRef, fields map[string]any) Write {
	return func(batch *firestore.WriteBatch) { batch.Set(document, fields) }
}

// Delete removes a document that must not have been changed since it was read.
func Delete(document *firestore.DocumentRef, read time.Time) Write {
	return func(batch *firestore.WriteBatch) { batch.Delete(document, firestore.LastUpdateTime(read)) }
}

// Change replaces some fields of a document that must be there.
func Change(document *firestore.DocumentRef, fields ...firestore.Update) Write {
	return func(batch *firestore.WriteBatch) { batch.Update(document, fields) }
}

// All is several writes of a commit as one.
func All(writes ...Write) Write {
	return func(batch *firestore.WriteBatch) {
		for _, write := range writes {
			write(batch)
		}
	}
}

// Commit carries out all writes, or none, in one round trip, and returns the
// update time of the first document. Its error is the client's own, for Exists,
// Changed and Error.
func Commit(ctx context.Context, client *firestore.Client, writes ...Write) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, CallTimeout)
	defer cancel()
	batch := client.Batch()
	All(writes...)(batch)
	results, err := batch.Commit(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return results[0].UpdateTime, nil
}

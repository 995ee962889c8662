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
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/planwright/planwright/shared/errs"
)

//lint:file-ignore SA1019 The batch is the client's one way to commit writes together in one round trip: a transaction begins with another, a bulk write is not atomic.

// Open connects to a database of a project, "" meaning the default one. It
// honours FIRESTORE_EMULATOR_HOST.
func Open(
	ctx context.Context,
	project, database string,
	options ...option.ClientOption,
) (*firestore.Client, error) {
	own, err := clientOptions()
	if err != nil {
		return nil, errs.Wrap(
			errs.Internal,
			err,
			"cannot connect to Firestore: FIRESTORE_EMULATOR_HOST is no address",
		)
	}
	client, err := firestore.NewClientWithDatabase(
		ctx,
		project,
		cmp.Or(database, firestore.DefaultDatabaseID),
		append(own, options...)...)
	if err != nil {
		return nil, errs.Wrap(
			errs.Denied,
			err,
			"cannot connect to Firestore: check the project and the credentials",
		)
	}
	return client, nil
}

// CallTimeout ends a call that the client would repeat for as long as its context lets it.
const CallTimeout = 30 * time.Second

// Get reads documents in one round trip, "what" saying what is tried. One that
// does not exist is there as a snapshot that says so. They are as of one moment: where
// their read times differ, those read first have not changed until the last
// (https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases.documents/batchGet).
func Get(
	ctx context.Context,
	client *firestore.Client,
	what string,
	documents ...*firestore.DocumentRef,
) ([]*firestore.DocumentSnapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, CallTimeout)
	defer cancel()
	found, err := client.GetAll(ctx, documents)
	return found, Error(err, "%s", what)
}

// Commit gathers writes that are carried out together, in one round trip, or not at
// all. The first that cannot be prepared is its error, and nothing is written then.
// What tells of others is to be written last: Firestore shows all writes at once,
// but the emulator one after the other, in a transaction's reads too.
type Commit struct {
	What  string // is tried
	batch *firestore.WriteBatch
	err   error
}

// NewCommit returns a commit without writes.
func NewCommit(client *firestore.Client, what string) *Commit {
	return &Commit{What: what, batch: client.Batch()}
}

// Fail has nothing written, for that reason.
func (c *Commit) Fail(err error) { c.err = cmp.Or(c.err, err) }

// Err is why nothing will be written; nil: all is prepared.
func (c *Commit) Err() error { return c.err }

// Fields are those of a document.
func (c *Commit) Fields(value any) map[string]any {
	fields, err := encode(value, c.What)
	if err != nil {
		c.Fail(err)
		return map[string]any{}
	}
	return fields
}

// Create writes a document that must not exist.
func (c *Commit) Create(document *firestore.DocumentRef, fields map[string]any) {
	c.batch.Create(document, fields)
}

// Replace writes a document that must be at a revision. It always has all its fields, so
// that none is left of the one before. Stale: changed, it has not had that revision.
func (c *Commit) Replace(
	document *firestore.DocumentRef,
	fields map[string]any,
	revision string,
	changed error,
) {
	read, err := time.Parse(time.RFC3339Nano, revision)
	if err != nil {
		c.Fail(changed)
	}
	updates := make([]firestore.Update, 0, len(fields))
	for name, value := range fields {
		updates = append(updates, firestore.Update{Path: name, Value: value})
	}
	c.batch.Update(document, updates, firestore.LastUpdateTime(read))
}

// Set writes a document whether or not it exists.
func (c *Commit) Set(document *firestore.DocumentRef, fields map[string]any) {
	c.batch.Set(document, fields)
}

// Raise makes a number in a document, which need not exist, at least n.
func (c *Commit) Raise(document *firestore.DocumentRef, field string, n int) {
	c.batch.Set(document, map[string]any{field: firestore.FieldTransformMaximum(n)}, firestore.MergeAll)
}

// Change replaces some fields of a document that must be there.
func (c *Commit) Change(document *firestore.DocumentRef, fields ...firestore.Update) {
	c.batch.Update(document, fields)
}

// Delete removes a document that must not have been changed since it was read.
func (c *Commit) Delete(document *firestore.DocumentSnapshot) {
	c.batch.Delete(document.Ref, firestore.LastUpdateTime(document.UpdateTime))
}

// Run carries out all writes, or none, and returns the new revision of the last
// document. Exists and changed say what it means that a document is there, or was
// changed since it was read; nil: that cannot be.
func (c *Commit) Run(ctx context.Context, exists, changed error) (revision string, err error) {
	if c.err != nil {
		return "", c.err
	}
	ctx, cancel := context.WithTimeout(ctx, CallTimeout)
	defer cancel()
	results, err := c.batch.Commit(ctx)
	switch {
	case err == nil:
		return Revision(results[len(results)-1].UpdateTime), nil
	case exists != nil && status.Code(err) == codes.AlreadyExists:
		return "", errs.Wrap(errs.KindOf(exists), err, "%s", errs.Message(exists))
	case changed != nil &&
		(status.Code(err) == codes.FailedPrecondition || status.Code(err) == codes.NotFound):
		// changed, or gone
		return "", errs.Wrap(errs.KindOf(changed), err, "%s", errs.Message(changed))
	}
	return "", Error(err, "%s", c.What)
}

// Revision is the mark of a document's version: when it was written.
func Revision(updated time.Time) string { return updated.UTC().Format(time.RFC3339Nano) }

// Package planner is the function that people talk to. It turns an instruction into a
// stored plan, previews a plan over a table, takes approvals and undos, and shows what came
// of an execution. It writes plans, decisions, tables and uploads, and changes no product.
//
// NewHandler holds every call; the deployed function wires it to Firestore and Gemini on
// its first request.
package planner

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"slices"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

func init() { functions.HTTP("Planner", web.Deployed("planner", build).ServeHTTP) }

// build makes the deployed function: plans and executions in Firestore, and plans
// made by Gemini where it can be reached.
func build(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	c, err := ReadConfig(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	store, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return nil, err
	}
	caller, approver, err := callers(nil, c)
	if err != nil {
		return nil, err
	}
	tables, buckets, err := openBuckets(ctx, c)
	if err != nil {
		return nil, err
	}
	fetch, err := fetchBy(c.ShopsURL)
	if err != nil {
		return nil, err
	}
	plans, asksGemini, err := OpenPlanner(ctx, c.Gemini, gemini.Options{}, log)
	if err != nil {
		return nil, err
	}
	return NewHandler(Dependencies{
		Store:          store,
		Planner:        plans,
		AsksGemini:     asksGemini,
		ApprovalAlways: c.ApprovalAlways,
		Tables:         tables,
		Buckets:        buckets,
		Uploader:       c.Uploaders.Check,
		InboxBucket:    c.InboxBucket,
		Settings:       c.Settings,
		Caller:         caller,
		Approver:       approver,
		Decisions:      c.Decisions,
		Roles:          c.Roles,
		Notifies:       c.Notifies,
		Fetch:          fetch,
		ShopKind:       c.ShopKind,
	}), nil
}

// openBuckets opens the tables that are held, the inbox that they are handed in to, and
// where what an undo takes back is read.
func openBuckets(
	ctx context.Context, c Config,
) (tables *tablestore.Tables, buckets execution.Buckets, err error) {
	if c.TablesBucket == "" {
		return nil, buckets, nil
	}
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return nil, buckets, err
	}
	buckets.Inbox = gcs.New(client, c.InboxBucket)
	if c.AuditBucket != "" {
		buckets.Outbox, buckets.Audit = gcs.New(client, c.OutboxBucket), gcs.New(client, c.AuditBucket)
	}
	tables, err = OpenTables(ctx, gcs.New(client, c.TablesBucket))
	return tables, buckets, err
}

// OpenTables returns the tables that are held in a bucket of Cloud Storage. Large ones
// are sent to the bucket itself.
func OpenTables(ctx context.Context, in *gcs.Bucket) (*tablestore.Tables, error) {
	receiver, err := gcs.NewReceiver(ctx, in)
	if err != nil {
		return nil, err
	}
	tables := tablestore.New(receiver)
	tables.OpenUpload = receiver.Receive
	return tables, nil
}

type verified = func(*http.Request) (string, error)

// callers verify who calls, and who decides about proposals: a person is the same one
// with a token and through the pages.
func callers(client *http.Client, c Config) (caller, approver verified, err error) {
	people, err := identity.NewVerifier(client, append(slices.Clone(c.Audiences), identity.GcloudAudience)...)
	if err != nil {
		return nil, nil, err
	}
	own := people
	if !c.GcloudTokens {
		if own, err = identity.NewVerifier(client, c.Audiences...); err != nil {
			return nil, nil, err
		}
	}
	if caller, err = c.Pages.Behind(client, people.Caller); err != nil {
		return nil, nil, err
	}
	approver, err = c.Pages.Behind(client, own.Caller)
	return caller, approver, err
}

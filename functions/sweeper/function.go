// Package sweeper is the deployed function Sweeper: a clock calls it, and it
// delivers whatever is due to the same protocol as the executor's events. It
// calls no model.
package sweeper

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/web"
)

// timeout is below the half hour after which the platform and the clock give a
// call up: long enough for the largest tables, of which a sweep begins none
// that it could not finish.
const timeout = 29 * time.Minute

func init() { functions.HTTP("Sweeper", web.DeployedWithin("sweeper", timeout, build).ServeHTTP) }

// build makes the deployed function over Firestore and Cloud Storage.
func build(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	c, err := ReadConfig(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	store, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return nil, err
	}
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return nil, err
	}
	inbox := gcs.New(client, c.Inbox, gcs.Options{})
	audit := gcs.New(client, c.Audit, gcs.Options{})
	d := Dependencies{Inbox: inbox, Executor: execution.New(execution.Ports{
		Ledger: store, Inbox: inbox, Outbox: gcs.New(client, c.Outbox, gcs.Options{}), Audit: audit,
	}, c, log)}
	if key := c.AuditKey.Reveal(); key != "" {
		signed, err := tree.New(store, audit, key)
		if err != nil {
			return nil, err
		}
		d.Sign = signed.Append
	}
	return NewHandler(d), nil
}

// Package sweeper is the deployed function Sweeper. A clock calls it once a minute, and it
// delivers whatever is due by the same protocol as the executor's events. It calls no model.
package sweeper

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/cloudstores"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/web"
)

// timeout is below the half hour after which the platform and the clock give a
// call up: long enough for the largest tables, of which a sweep begins none
// that it could not finish.
const timeout = 29 * time.Minute

func init() { functions.HTTP("Sweeper", web.DeployedWithin("sweeper", timeout, build).ServeHTTP) }

// build makes the deployed function over Firestore and Cloud Storage.
func build(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	c, notices, err := ReadConfig(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	stores, err := cloudstores.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return NewHandler(Dependencies{
		Inbox:    stores.Inbox.List,
		Round:    stores.Ledger.InboxRound,
		SetRound: stores.Ledger.SetInboxRound,
		Executor: stores.Executor(log),
		Sign:     stores.Sign,
		Tell:     messages.NewSender(stores.Ledger, notices, log).Run,
	}), nil
}

// ReadConfig reads how plans are carried out and where the webhook is. Its error lists
// every problem.
func ReadConfig(lookup config.Lookup) (execution.Config, messages.Config, error) {
	c, err := execution.ReadConfig(lookup)
	r := config.Read(lookup)
	notices := messages.ReadConfig(r)
	return c, notices, errors.Join(err, r.Err())
}

// Package shops is the deployed function Shops. It alone reaches the shop and has its
// keys. The planner calls it to fetch the catalogue, and a clock calls it to write what
// completed executions changed. It carries no plan out and calls no model.
package shops

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/kinds"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

// timeout is below the half hour after which the platform and the clock give a call up.
const timeout = 29 * time.Minute

func init() { functions.HTTP("Shops", web.DeployedWithin("shops", timeout, build).ServeHTTP) }

// Config is what the function reads from its environment.
type Config struct {
	Project  string // GOOGLE_CLOUD_PROJECT
	Database string // FIRESTORE_DATABASE, default "(default)"
	Inbox    string // INBOX_BUCKET: the tables that were fetched, as they were handed in
	Outbox   string // OUTBOX_BUCKET: those of undos on an output
	Audit    string // AUDIT_BUCKET: the changes files; results are written beside them
	Tables   string // TABLES_BUCKET: what is fetched is held there
	// Shop (SHOP_KIND, SHOP_URL, SHOP_KEY, SHOP_SECRET) is the shop.
	Shop *kinds.Config
}

// ReadConfig reads the variables named at each field of Config. Its error lists every
// problem.
func ReadConfig(lookup config.Lookup) (Config, error) {
	r := config.Read(lookup)
	c := Config{
		Project:  r.Required("GOOGLE_CLOUD_PROJECT"),
		Database: r.String("FIRESTORE_DATABASE", "(default)"),
		Inbox:    r.Required("INBOX_BUCKET"),
		Outbox:   r.Required("OUTBOX_BUCKET"),
		Audit:    r.Required("AUDIT_BUCKET"),
		Tables:   r.Required("TABLES_BUCKET"),
		Shop:     kinds.ReadConfig(r),
	}
	if c.Shop == nil {
		r.Problem("SHOP_KIND is not set")
	}
	return c, r.Err()
}

// build makes the deployed function over Firestore and Cloud Storage.
func build(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	c, err := ReadConfig(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	records, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return nil, err
	}
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return nil, err
	}
	to, err := c.Shop.Open()
	if err != nil {
		return nil, err
	}
	open := func(name string) *gcs.Bucket { return gcs.New(client, name) }
	publisher := shop.New(records, open(c.Inbox), open(c.Outbox), open(c.Audit), to, log)
	tables := tablestore.New(open(c.Tables))
	tables.Bounded = true // the account may create there, and nothing else
	return newHandler(publisher, tables), nil
}

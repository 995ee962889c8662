package planner

import (
	"context"
	_ "embed" // the description of the calls
	"net/http"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

// OpenAPI describes every call in OpenAPI 3.1.
//
//go:embed openapi.json
var OpenAPI []byte

// Dependencies are what the handler works with.
type Dependencies struct {
	Store   ledger.Store
	Planner planning.Planner
	// AsksGemini says that Planner asks Gemini. GET /v1/me tells it.
	AsksGemini bool
	// ApprovalAlways says that every change here needs an approval.
	ApprovalAlways bool
	// InboxBucket is where tables are uploaded, as it is shown to people.
	InboxBucket string
	// UploadCommand is the command that uploads a table for an execution; nil
	// is gcloud's.
	UploadCommand func(executionID string) string
	// Tables are the tables that are held; nil: none are here.
	Tables *tablestore.Tables
	// Buckets are where held tables are handed in for plans, and where what is proposed
	// and what an undo takes back is read; nil: that is not done here.
	execution.Buckets
	// Uploader refuses who may not hand tables in; nil: whoever may call may.
	Uploader func(by string) error
	// MaxTableBytes is the largest table that is sent to be held; 0 is what a
	// preview takes, plannerapi.MaxPreviewBytes.
	MaxTableBytes int64
	// Settings are those of a table whose preview asks for no others.
	Settings table.Settings
	// Caller says who sends a request, as it was verified; nil knows nobody.
	Caller func(*http.Request) (string, error)
	// Approver is Caller for those who decide about proposals; nil is Caller.
	Approver  func(*http.Request) (string, error)
	Decisions ledger.Decisions
	Roles     Roles
	// Notifies says that a webhook is told what waits for an approval.
	Notifies bool
	// Fetch fetches the shop's catalogue for somebody and holds it as a table, whose id it
	// returns; nil: no shop is connected.
	Fetch func(ctx context.Context, by string) (table string, err error)
	// ShopKind is the kind of that shop, such as woocommerce.
	ShopKind string
	Now      func() time.Time // nil is time.Now
}

// handler answers the planner's calls.
type handler struct {
	Dependencies
	reader  reader.Reader // makes drafts
	looking chan struct{} // has room for as many as keep what they look at in memory at a time
}

// maxLooking is how many keep what they look at in memory at a time: a table in a request,
// or what an undo takes back.
const maxLooking = 2

// NewHandler returns the planner's calls, /v1/... and /openapi.json. It belongs
// inside a web.Service, which gives requests their ids and log lines.
func NewHandler(d Dependencies) http.Handler { return routes(d) }

// GcloudUpload is the command that uploads a table for an execution to an inbox
// in Cloud Storage. The trailing slash makes gcloud look whether the folder is
// an object, and list it, before it sends anything.
func GcloudUpload(inbox, executionID string) string {
	return "gcloud storage cp products.csv gs://" + inbox + "/" + executionID + "/"
}

func routes(d Dependencies) *web.Router {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Caller == nil {
		d.Caller = func(*http.Request) (string, error) {
			return "", errs.New(errs.Denied,
				"This planner does not verify its callers, so nobody can decide about proposals here.")
		}
	}
	if d.Approver == nil {
		d.Approver = d.Caller
	}
	if d.UploadCommand == nil {
		d.UploadCommand = func(executionID string) string { return GcloudUpload(d.InboxBucket, executionID) }
	}
	if d.MaxTableBytes == 0 {
		d.MaxTableBytes = plannerapi.MaxPreviewBytes
	}
	h := handler{d, reader.New(), make(chan struct{}, maxLooking)}
	router := web.NewRouter()
	router.Handle("GET /v1/me", web.Bare(h.me))
	router.Handle("GET /v1/people", web.Bare(h.people))
	router.Handle("POST /v1/tables", h.holdTable)
	router.Handle("POST /v1/tables:upload", web.Bare(h.receiveTable))
	router.Handle("GET /v1/tables/{table}", h.getTable)
	router.Handle("GET /v1/tables/{table}/content", web.Bare(h.tableContent))
	router.Handle("PUT /v1/tables/{table}/settings", web.Bare(h.sayTable))
	router.Handle("DELETE /v1/tables/{table}", web.Bare(h.deleteTable))
	router.Handle("GET /v1/products", h.listProducts)
	router.Handle("POST /v1/drafts", web.Bare(h.makeDraft))
	router.Handle("GET /v1/plans", h.listPlans)
	router.Handle("POST /v1/plans", web.Bare(h.createPlan))
	router.Handle("POST /v1/plans:preview", h.previewRules)
	router.Handle("POST /v1/plans:validate", web.Bare(h.validatePlan))
	router.Handle("GET /v1/plans/{execution_id}", web.Bare(withID(h.getPlan)))
	router.Handle("PUT /v1/plans/{execution_id}", withID(h.putPlan))
	router.Handle("POST /v1/plans/{execution_id}:preview", withID(h.preview))
	router.Handle("POST /v1/plans/{execution_id}:execute", withID(h.executePlan))
	router.Handle("GET /v1/executions", h.listExecutions)
	router.Handle("GET /v1/executions/{execution_id}", web.Bare(withID(h.getExecution)))
	router.Handle("POST /v1/executions/{execution_id}:propose", web.Bare(withID(h.proposeExecution)))
	router.Handle("POST /v1/executions/{execution_id}:approve", web.Bare(withID(h.approveExecution)))
	router.Handle("POST /v1/executions/{execution_id}:reject", web.Bare(withID(h.rejectExecution)))
	router.Handle("POST /v1/executions/{execution_id}:withdraw", web.Bare(withID(h.withdrawExecution)))
	router.Handle("POST /v1/executions/{execution_id}:remind", web.Bare(withID(h.remindExecution)))
	router.Handle("POST /v1/executions/{execution_id}:imported", web.Bare(withID(h.noteImported)))
	router.Handle("POST /v1/executions/{execution_id}:undo", web.Bare(withID(h.undoExecution)))
	router.Handle("GET /v1/executions/{execution_id}/changes", withID(h.listChanges))
	router.Handle("GET /v1/skus/{sku}/changes", h.listSKUChanges)
	router.Handle("POST /v1/shops/{shop}:fetch", web.Bare(h.fetchShop))
	router.Handle("GET /v1/postings", h.listPostings)
	router.Handle("GET /v1/postings/{execution_id}", web.Bare(withID(h.getPosting)))
	router.Handle("POST /v1/postings/{execution_id}:retry", web.Bare(withID(h.retryPosting)))
	router.Handle("GET /v1/schema/execution_plan.json",
		web.Document("application/schema+json", plan.SchemaJSON))
	router.Handle("GET /openapi.json", web.Document("application/json", OpenAPI))
	return router
}

// now is in whole microseconds, which is what stores keep: what is answered now
// is what they will answer later.
func (h handler) now() time.Time { return h.Now().UTC().Truncate(time.Microsecond) }

// withID gives a handler the execution id of the path, once it is known to be
// one: ids become the names of documents and folders.
func withID(
	handle func(w http.ResponseWriter, r *http.Request, executionID string) (any, error),
) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		id := r.PathValue("execution_id")
		if err := plan.CheckExecutionID(id); err != nil {
			return nil, err
		}
		return handle(w, r, id)
	}
}

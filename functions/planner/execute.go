package planner

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// executeRequest asks for a plan to be carried out on a held table.
type executeRequest struct {
	table   string
	intent  string
	preview string // the hash of what the caller saw; "": nothing is compared
}

// previewHash is the form of a preview's hash.
var previewHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (e *executeRequest) read(body *strictjson.Object) {
	e.table, _ = body.Required("table").String()
	field := body.Optional("intent")
	var given bool
	if e.intent, given = field.String(); given && e.intent != execution.IntentApply &&
		e.intent != execution.IntentPropose {
		field.Problem("must be %s or %s", execution.IntentApply, execution.IntentPropose)
	}
	hash := body.Optional("preview_sha256")
	if e.preview, given = hash.String(); given && !previewHash.MatchString(e.preview) {
		hash.Problem("must be the preview_sha256 that a preview answered")
	}
}

// Uploaders are the callers who may hand tables in through the planner, as they may
// put them into the inbox themselves.
type Uploaders []string

// Check refuses whoever may not. Its kind is errs.Denied.
func (u Uploaders) Check(by string) error {
	if slices.ContainsFunc(u, func(uploader string) bool { return strings.EqualFold(uploader, by) }) {
		return nil
	}
	return errs.New(errs.Denied, "%s may not hand tables in here: UPLOADERS names who may, person by person: the planner knows no members of groups.", by)
}

// executePlan answers POST /v1/plans/{execution_id}:execute.
func (h handler) executePlan(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	var request executeRequest
	if err := web.ReadObject(w, r, request.read); err != nil {
		return nil, err
	}
	var given map[string]string
	if err := web.ReadQuery(r, func(q *web.Query) { given = h.readSettings(q) }); err != nil {
		return nil, err
	}
	p := h.person(r)
	if err := cmp.Or(p.unknown, p.refusal(plannerapi.ActExecute)); err != nil {
		return nil, err
	}
	stored, record, err := h.canExecute(r, executionID)
	if err != nil {
		return nil, err
	}
	done := errs.New(errs.Conflict,
		"The plan %s was carried out already. Make a new plan of the same instruction for another table.",
		executionID)
	found, err := h.tableOf(r, request.table)
	switch {
	case errs.KindOf(err) == errs.NotFound && record.Status == ledger.Completed:
		return nil, done
	case err != nil:
		return nil, err
	}
	source, err := h.sourceOf(r.Context(), found, given)
	if err != nil {
		return nil, err
	}
	metadata := maps.Clone(found.Settings)
	maps.Copy(metadata, given)
	metadata[execution.ExecutionIDKey], metadata[execution.UploadedByKey] = executionID, p.name
	if err := execution.SayPreparedBy(metadata, found.PreparedBy(p.name)); err != nil {
		return nil, err
	}
	if request.intent == execution.IntentPropose {
		metadata[execution.IntentKey] = execution.IntentPropose
	}
	if err := source.checkForShop(stored.Plan); err != nil {
		return nil, err
	}
	if found.Shop != nil {
		metadata[execution.ShopURLKey] = found.Shop.URL
		metadata[execution.ShopCurrencyKey] = found.Shop.Currency
	}
	folder := execution.HandedInFolder + executionID + "/" + found.ID + "/"
	name := folder + found.File
	switch {
	case record.Status == ledger.Failed: // the same table may be tried again, with other settings
		name = folder + strconv.Itoa(record.Attempt) + "/" + found.File
	case strings.HasPrefix(record.Source.Object, folder):
		name = record.Source.Object
	case record.Status == ledger.Completed:
		return nil, done
	}
	if request.preview != "" {
		if err := source.checkPreview(r.Context(), stored.Plan, request.preview); err != nil {
			return nil, err
		}
	}
	object, err := h.Tables.HandIn(r.Context(), found.Table, h.Inbox, name, metadata)
	if errs.KindOf(err) == errs.Conflict {
		object, err = h.handedIn(r.Context(), name, metadata, err)
	}
	if err != nil {
		return nil, err
	}
	web.Log(r.Context()).InfoContext(r.Context(), "handed in",
		"object", object.Name, "generation", object.Generation, "by", p.name)
	return web.Reply{Status: http.StatusAccepted, Value: plannerapi.HandedIn{
		Upload:   ledger.Upload{Bucket: object.Bucket, Object: object.Name, Generation: object.Generation},
		Warnings: strictjson.NotNil(h.sameTable(r.Context(), found.Digest, executionID)),
	}}, nil
}

// handedIn is the very same that was handed in before, by somebody who asks again for the
// answer; else the refusal, with what was wanted then where something lies there.
func (h handler) handedIn(
	ctx context.Context, name string, metadata map[string]string, refusal error,
) (bucket.Object, error) {
	first, err := h.Inbox.Stat(ctx, name)
	switch {
	case err != nil:
		return first, refusal
	case maps.Equal(first.Metadata, metadata):
		return first, nil
	}
	what := "applied"
	if first.Metadata[execution.IntentKey] == execution.IntentPropose {
		what = "proposed"
	}
	return first, errs.Wrap(errs.Conflict, refusal, "This table was handed in for the plan %s already, by %s, to be %s: see what became of it. Nothing was done twice.",
		metadata[execution.ExecutionIDKey], cmp.Or(first.Metadata[execution.UploadedByKey], "somebody"), what)
}

// canExecute refuses a plan that is not there, and returns it with its record; that is empty
// where nothing was begun of it.
func (h handler) canExecute(
	r *http.Request, executionID string,
) (plans.Stored, ledger.Execution, error) {
	if h.Inbox == nil {
		return plans.Stored{}, ledger.Execution{}, web.NotImplemented(
			"This planner hands no tables in: put the table into the inbox yourself.")
	}
	stored, err := h.storedPlan(r.Context(), executionID)
	if err != nil {
		return stored, ledger.Execution{}, err
	}
	record, err := h.Store.Execution(r.Context(), executionID)
	if errs.KindOf(err) == errs.NotFound {
		return stored, ledger.Execution{}, nil
	}
	return stored, record, err
}

package console

import (
	"encoding/csv"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/web"
)

// settings are some, in the order in which they are shown.
type settings []shownSetting

// addTo adds them to a query.
func (s settings) addTo(query url.Values) {
	for _, given := range s {
		query.Set(given.Name, given.Value)
	}
}

// decided are the decisions that were given.
func decided(given url.Values) (all settings) {
	for _, name := range decisions {
		value := strings.TrimSpace(given.Get(string(name)))
		if value != "" {
			all = append(all, shownSetting{Name: string(name), Value: value})
		}
	}
	return all
}

// chosen are the columns that were chosen from the header.
func chosen(roles, titles []string) (pairs []string) {
	for i, title := range titles[:min(len(titles), len(roles))] {
		if title != "" { // there is none
			pairs = append(pairs, roles[i]+"="+title)
		}
	}
	return pairs
}

// withListed adds entries to a list as CSV writes it.
func withListed(given string, more []string) string {
	var text strings.Builder
	list := csv.NewWriter(&text)
	_ = list.Write(more) // into memory
	list.Flush()
	return strings.Trim(given+","+strings.TrimSpace(text.String()), ",")
}

// started reports whether the plan has an execution that may go through; after
// a failed one the plan is as good as new.
func (c *Console) started(r *http.Request, id string) (bool, error) {
	var found plannerapi.Execution
	err := c.Planner.Get(r.Context(), executionPath(id, ""), &found)
	if errs.KindOf(err) == errs.NotFound {
		return false, nil
	}
	return found.Status != ledger.Failed, err
}

// dropTable holds a table and leads to what is in it, or to what the plan that it was
// dropped on would do to it.
func (c *Console) dropTable(w http.ResponseWriter, r *http.Request) error {
	held, err := c.hold(w, r)
	if errs.KindOf(err) == errs.Invalid && r.PathValue("id") == "" { // mend it and upload it again, there
		return c.refuseFile(w, r, err)
	} else if err != nil {
		return err
	}
	c.leadOn(w, r, held, r.PathValue("id"))
	return nil
}

// leadTo leads to a plan over a table, or to a new change of it where there is no plan.
func leadTo(w http.ResponseWriter, r *http.Request, plan, table string) {
	to := "/new"
	if plan != "" {
		to = "/plans/" + plan
	}
	query := url.Values{"table": {table}}
	decided(r.PostForm).addTo(query)
	seeOther(w, r, to, query)
}

// handOver asks for a held table to be carried out, or proposed.
type handOver struct {
	Table  string `json:"table"`
	Intent string `json:"intent"`
	// PreviewSHA256 is of the preview that the page showed; "" where it showed none.
	PreviewSHA256 string `json:"preview_sha256,omitempty"`
}

// previewChanged reports whether nothing was done because it would not have been what a
// preview showed.
func previewChanged(err error) bool {
	refused, ok := errors.AsType[*web.Refused](err)
	return ok && refused.Code == plannerapi.CodePreviewChanged
}

// execute has the planner hand a held table in for a plan, and returns the upload. Where
// the planner does not let this reader, who has rights of their own uses these: the planner
// knows no members of groups.
func (c *Console) execute(
	r *http.Request, id string, asked handOver, settings url.Values,
) (ledger.Upload, error) {
	var handedIn plannerapi.HandedIn
	err := c.Planner.Send(
		r.Context(), http.MethodPost, planPath(id, ":execute")+queryOf(settings), asked, &handedIn,
	)
	if errs.KindOf(err) != errs.Denied || !c.OwnRights {
		return handedIn.Upload, err
	}
	found, err := c.table(r, asked.Table)
	if err != nil {
		return ledger.Upload{}, err
	}
	if _, err := c.storedPlan(r.Context(), id); err != nil { // whose folder it is put into
		return ledger.Upload{}, err
	}
	metadata := maps.Clone(found.Settings)
	for name := range settings {
		metadata[name] = settings.Get(name)
	}
	if err := c.checkPreview(r, id, asked, metadata); err != nil {
		return ledger.Upload{}, err
	}
	if asked.Intent == execution.IntentPropose {
		metadata[execution.IntentKey] = asked.Intent
	}
	return c.handIn(r, id, found.StoredTable, metadata)
}

// checkPreview refuses to hand in what would do something else than the page showed, when
// it is read by these settings.
func (c *Console) checkPreview(r *http.Request, id string, asked handOver, settings map[string]string) error {
	if asked.PreviewSHA256 == "" {
		return nil
	}
	query := url.Values{}
	for name, value := range settings {
		query.Set(name, value)
	}
	var now plannerapi.Preview
	path := planPath(id, ":preview") + queryOf(query)
	err := c.Planner.Send(r.Context(), http.MethodPost, path, map[string]string{"table": asked.Table}, &now)
	switch {
	case err != nil && errs.KindOf(err) != errs.Invalid:
		return err
	case now.PreviewSHA256 != asked.PreviewSHA256:
		failure := web.Failure{Code: plannerapi.CodePreviewChanged, Message: plannerapi.PreviewChanged}
		return &web.Refused{Failure: failure, Status: http.StatusConflict}
	}
	return nil
}

// maxNames is how many tables of one name a plan's folder may hold.
const maxNames = 100

// handIn uploads a held table to the folder of its plan. A name that is taken gets
// a number, for what was handed in before is never overwritten.
func (c *Console) handIn(
	r *http.Request, id string, held plannerapi.StoredTable, metadata map[string]string,
) (ledger.Upload, error) {
	extension := path.Ext(held.File)
	stem := strings.TrimSuffix(held.File, extension)
	for n := 1; n <= maxNames; n++ {
		name := id + "/" + held.File
		if n > 1 {
			name = id + "/" + stem + "-" + strconv.Itoa(n) + extension
		}
		if _, err := c.Inbox.Stat(r.Context(), name); err == nil {
			continue
		}
		content, err := c.Planner.Open(
			r.Context(), http.MethodGet, tablePath(held.Table)+"/content", "", "", nil,
		)
		if err != nil {
			return ledger.Upload{}, err
		}
		contentType, _ := files.ContentType(name)
		options := bucket.CreateOptions{ContentType: contentType, Metadata: metadata}
		object, err := bucket.Put(r.Context(), c.Inbox, name, options, content)
		content.Close()
		if errs.KindOf(err) != errs.Conflict {
			return ledger.Upload{
				Bucket:     object.Bucket,
				Object:     object.Name,
				Generation: object.Generation,
			}, err
		}
	}
	return ledger.Upload{}, errs.New(errs.Conflict,
		"%d files named %s were sent for this change already. Give this one another name.",
		maxNames, held.File)
}

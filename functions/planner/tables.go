package planner

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

func (h handler) checkTables() error {
	if h.Tables == nil {
		return web.NotImplemented("This planner holds no tables: its operator names the bucket for them with TABLES_BUCKET.")
	}
	return nil
}

// holdTable answers POST /v1/tables. The table is looked through as it comes in.
func (h handler) holdTable(w http.ResponseWriter, r *http.Request) (any, error) {
	if isJSON(r) {
		return h.holdOutput(w, r)
	}
	body, err := web.Body(w, r, h.MaxTableBytes, files.ContentTypes()...)
	if err != nil {
		return nil, err
	}
	var file string
	var given map[string]string
	err = web.ReadQuery(r, func(q *web.Query) {
		file, _ = q.Text("file")
		given = h.readSettings(q)
	})
	if err != nil {
		return nil, err
	}
	sent, err := h.sent(r, file, given)
	if err != nil {
		return nil, err
	}
	header, body, err := tablestore.ReadHeader(body)
	if err != nil {
		return nil, err
	}
	if sent.Settings, sent.Remembered, err = h.withLayout(r.Context(), header, given); err != nil {
		return nil, err
	}
	settings, err := h.settings(sent.Settings)
	if err != nil {
		return nil, err
	}
	answer, err := h.Tables.Hold(r.Context(), body, sent, settings)
	return web.Reply{
		Status: http.StatusCreated,
		Value:  answer,
	}, readByLayout(table.On(err, setting.QueryParameter), sent.Remembered)
}

// defaultFile is what a table is called whose sender gives it no name.
const defaultFile = "products.csv"

// sent is what the request says of the table that it brings, or announces.
func (h handler) sent(r *http.Request, file string, settings map[string]string) (tablestore.Sent, error) {
	p := h.person(r)
	if err := cmp.Or(h.checkTables(), p.unknown, p.refusal(plannerapi.ActPlan)); err != nil {
		return tablestore.Sent{}, err
	}
	sent := tablestore.Sent{By: p.name, File: cmp.Or(file, defaultFile), Settings: settings}
	return sent, tablestore.CheckFile(sent.File)
}

// receiveTable answers POST /v1/tables:upload.
func (h handler) receiveTable(w http.ResponseWriter, r *http.Request) (any, error) {
	var size int
	var origin, file string
	var given map[string]string
	err := web.ReadObject(w, r, func(body *strictjson.Object) {
		size, _ = body.Required("bytes").Int(1, math.MaxInt)
		origin, _ = body.Optional("origin").String()
		file, _ = body.Optional("file").String()
		given = settingsIn(func(name string) (string, bool) { return body.Optional(name).String() })
	})
	if err != nil {
		return nil, err
	}
	sent, err := h.sent(r, file, given)
	if err != nil {
		return nil, err
	}
	if _, err := h.settings(given); err != nil {
		return nil, err
	}
	id, address, err := h.Tables.Receive(r.Context(), sent, int64(size), origin)
	return web.Reply{
		Status: http.StatusCreated,
		Value:  plannerapi.TableUpload{Table: id, ExpiresAt: h.now().Add(tablestore.For), UploadURL: address},
	}, err
}

// getTable answers GET /v1/tables/{table}.
func (h handler) getTable(w http.ResponseWriter, r *http.Request) (any, error) {
	var given map[string]string
	if err := web.ReadQuery(r, func(q *web.Query) { given = h.readSettings(q) }); err != nil {
		return nil, err
	}
	found, err := h.findTable(r, r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	settings, err := h.settingsOf(found, given)
	if err != nil {
		return nil, err
	}
	if found, settings, err = h.atFirstSight(r.Context(), found, given, settings); err != nil {
		return nil, err
	}
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		h.streamTable(w, r, found, settings)
		return nil, nil
	}
	answer, err := h.Tables.Show(r.Context(), found, settings, nil)
	return answer, table.On(err, setting.QueryParameter)
}

// sayTable answers PUT /v1/tables/{table}/settings: from then on the table is read so by
// every call that names it. What is left out is the configuration's again.
func (h handler) sayTable(w http.ResponseWriter, r *http.Request) (any, error) {
	var said map[string]string
	err := web.ReadObject(w, r, func(body *strictjson.Object) {
		said = settingsIn(func(name string) (string, bool) { return body.Optional(name).String() })
	})
	if err != nil {
		return nil, err
	}
	found, err := h.findTable(r, r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	settings, err := h.settings(said)
	if err != nil {
		return nil, err
	}
	// one that cannot be read so is not
	if _, err := h.Tables.Show(r.Context(), found, settings, nil); err != nil {
		return nil, table.On(err, setting.QueryParameter)
	}
	by := h.person(r).name
	if found, err = h.Tables.Say(r.Context(), found, by, said); err != nil {
		return nil, err
	}
	if err := h.rememberLayout(r.Context(), found, by, said); err != nil {
		return nil, err
	}
	return h.Tables.Show(r.Context(), found, settings, nil)
}

// settingsIn are the settings of a table that are given.
func settingsIn(text func(name string) (value string, given bool)) map[string]string {
	settings := map[string]string{}
	for _, setting := range setting.All {
		if value, given := text(string(setting.Name)); given {
			settings[string(setting.Name)] = value
		}
	}
	return settings
}

// readSettings reads those among a request's parameters.
func (h handler) readSettings(q *web.Query) map[string]string {
	given := settingsIn(q.Text)
	_, problems := h.apply(given)
	for _, problem := range problems {
		q.Problem(problem.Path, "%s", problem.Message)
	}
	return given
}

// settings are those that are given, and else the configuration's.
func (h handler) settings(given map[string]string) (table.Settings, error) {
	settings, problems := h.apply(given)
	return settings, web.Problems(problems)
}

func (h handler) apply(given map[string]string) (settings table.Settings, problems []strictjson.Problem) {
	settings = h.Settings
	for name, value := range given {
		next, err := settings.With(map[string]string{name: value})
		if refused, is := errors.AsType[*setting.Error](err); is {
			problems = append(problems, strictjson.Problem{
				Path:    string(refused.Name),
				Message: refused.Message,
			})
			continue
		}
		settings = next
	}
	slices.SortFunc(problems, func(a, b strictjson.Problem) int { return strings.Compare(a.Path, b.Path) })
	return settings, problems
}

// progressEvery is how often a reader is told how far a table was looked through.
const progressEvery = 200 * time.Millisecond

// streamTable answers with server-sent events: progress, and in the end the table or
// the error.
func (h handler) streamTable(
	w http.ResponseWriter, r *http.Request, found tablestore.Table, settings table.Settings,
) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	send := func(event string, data any) {
		// a reader that is gone cannot be told
		_, _ = w.Write(slices.Concat([]byte("event: "+event+"\ndata: "), strictjson.Line(data), []byte("\n")))
		_ = control.Flush()
	}
	var last time.Time
	answer, err := h.Tables.Show(r.Context(), found, settings, func(bytes int64) {
		if now := h.Now(); now.Sub(last) >= progressEvery {
			last = now
			send("progress", map[string]int64{"bytes_read": bytes, "bytes": found.Size})
		}
	})
	if err != nil {
		send("error", web.ErrorBody(r.Context(), table.On(err, setting.QueryParameter)))
		return
	}
	send("table", answer)
}

// tableContent answers GET /v1/tables/{table}/content with the table as it was sent.
func (h handler) tableContent(w http.ResponseWriter, r *http.Request) (any, error) {
	found, err := h.findTable(r, r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	in, err := h.Tables.Open(r.Context(), found)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	contentType, _ := files.ContentType(found.File)
	web.SendFile(w, found.File, contentType, in)
	return nil, nil
}

// deleteTable answers DELETE /v1/tables/{table}.
func (h handler) deleteTable(w http.ResponseWriter, r *http.Request) (any, error) {
	found, err := h.findTable(r, r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	if err := h.Tables.Drop(r.Context(), found); err != nil {
		return nil, err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil, nil
}

// findTable finds a held table for the caller: who sent it, or one who is named as an
// approver.
func (h handler) findTable(r *http.Request, id string) (tablestore.Table, error) {
	who, err := h.Caller(r)
	if err := cmp.Or(h.checkTables(), err); err != nil {
		return tablestore.Table{}, err
	}
	return h.Tables.Find(
		r.Context(), id, who, len(h.Decisions.Approvers) > 0 && h.Decisions.CheckApprover(who) == nil,
	)
}

// tableInUse is a held table with the settings that it was sent with.
type tableInUse struct {
	tablestore.Table
	settings table.Settings
}

// tableOf finds the held table that a request names.
func (h handler) tableOf(r *http.Request, id string) (*tableInUse, error) {
	found, err := h.findTable(r, id)
	if err != nil {
		return nil, err
	}
	settings, err := h.settingsOf(found, nil)
	return &tableInUse{found, settings}, err
}

// isJSON reports whether a request says that it brings JSON.
func isJSON(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/json"
}

// settingsOf are those by which a held table is read: those that are given, else
// those that it was sent with, else the configuration's.
func (h handler) settingsOf(found tablestore.Table, given map[string]string) (table.Settings, error) {
	values := maps.Clone(found.Settings)
	maps.Copy(values, given)
	return h.settings(values)
}

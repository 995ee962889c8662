package planner

import (
	"cmp"
	"io"
	"maps"
	"math"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/held"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// withTables gives a handler the held tables, where there are any here.
func (h handler) withTables(handle web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if h.Tables == nil {
			return errNoTables()
		}
		return handle(w, r)
	}
}

func errNoTables() error {
	return web.NotImplemented("This planner holds no tables: its operator names the bucket for them with TABLES_BUCKET.")
}

// holdTable answers POST /v1/tables. The table is looked through as it comes in.
func (h handler) holdTable(w http.ResponseWriter, r *http.Request) error {
	body, err := web.Body(w, r, h.MaxTableBytes, table.ContentTypes()...)
	if err != nil {
		return err
	}
	answer, err := h.heldTable(r, body)
	if err != nil {
		return cmp.Or(web.Drain(body), err)
	}
	web.WriteJSON(w, http.StatusCreated, answer)
	return nil
}

func (h handler) heldTable(r *http.Request, body io.Reader) (plannerapi.HeldTable, error) {
	values, err := query(r, settingNames("file")...)
	if err != nil {
		return plannerapi.HeldTable{}, err
	}
	sent, err := h.sent(r, values)
	if err != nil {
		return plannerapi.HeldTable{}, err
	}
	settings, err := h.settings(values)
	if err != nil {
		return plannerapi.HeldTable{}, err
	}
	source := &web.KeptError{Reader: body}
	answer, err := h.Tables.Hold(r.Context(), source, sent, settings)
	if source.Err != nil {
		return plannerapi.HeldTable{}, source.Err
	}
	return answer, table.On(err, table.QueryParameter)
}

// defaultFile is what a table is called whose sender gives it no name.
const defaultFile = "products.csv"

// sent is what the request says of the table that it brings, or announces. What else
// the values have are its settings.
func (h handler) sent(r *http.Request, values map[string]string) (held.Sent, error) {
	p := h.person(r)
	if err := cmp.Or(p.unknown, p.refusal(plannerapi.ActPlan)); err != nil {
		return held.Sent{}, err
	}
	settings := maps.Clone(values)
	delete(settings, "file")
	sent := held.Sent{By: p.name, File: cmp.Or(values["file"], defaultFile), Settings: settings}
	return sent, held.CheckFile(sent.File)
}

// settingNames are the names of a table's settings, and others.
func settingNames(others ...string) []string {
	for _, setting := range table.SettingNames {
		others = append(others, string(setting.Name))
	}
	return others
}

// receiveTable answers POST /v1/tables:upload.
func (h handler) receiveTable(w http.ResponseWriter, r *http.Request) error {
	var size int
	var origin string
	values := map[string]string{}
	err := web.ReadObject(w, r, func(body *strictjson.Object) {
		size, _ = body.Required("bytes").Int(1, math.MaxInt)
		origin, _ = body.Optional("origin").String()
		readSettings(values, "file")(body)
	})
	if err != nil {
		return err
	}
	sent, err := h.sent(r, values)
	if err != nil {
		return err
	}
	if _, err := h.settings(values); err != nil {
		return err
	}
	id, address, err := h.Tables.Receive(r.Context(), sent, int64(size), origin)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusCreated, plannerapi.TableUpload{Table: id, ExpiresAt: h.now().Add(held.For), UploadURL: address})
	return nil
}

// getTable answers GET /v1/tables/{table}.
func (h handler) getTable(w http.ResponseWriter, r *http.Request) error {
	found, values, err := h.tableOfPath(r, settingNames()...)
	if err != nil {
		return err
	}
	settings, err := h.settingsOf(found, values)
	if err != nil {
		return err
	}
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		h.streamTable(w, r, found, settings)
		return nil
	}
	answer, err := h.Tables.Show(r.Context(), found, settings, nil)
	if err != nil {
		return table.On(err, table.QueryParameter)
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// sayTable answers PUT /v1/tables/{table}/settings: from then on the table is read so by
// every call that names it. What is left out is the configuration's again.
func (h handler) sayTable(w http.ResponseWriter, r *http.Request) error {
	values := map[string]string{}
	if err := web.ReadObject(w, r, readSettings(values)); err != nil {
		return err
	}
	found, _, err := h.tableOfPath(r)
	if err != nil {
		return err
	}
	settings, err := h.settings(values)
	if err != nil {
		return err
	}
	if _, err := h.Tables.Show(r.Context(), found, settings, nil); err != nil { // one that cannot be read so is not
		return table.On(err, table.QueryParameter)
	}
	if found, err = h.Tables.Say(r.Context(), found, values); err != nil {
		return err
	}
	answer, err := h.Tables.Show(r.Context(), found, settings, nil)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// readSettings reads the settings that a body has, and those others.
func readSettings(into map[string]string, others ...string) func(*strictjson.Object) {
	return func(body *strictjson.Object) {
		for _, name := range settingNames(others...) {
			if value, given := body.Optional(name).String(); given {
				into[name] = value
			}
		}
	}
}

// progressEvery is how often a reader is told how far a table was looked through.
const progressEvery = 200 * time.Millisecond

// streamTable answers with server-sent events: progress, and in the end the table or
// the error.
func (h handler) streamTable(w http.ResponseWriter, r *http.Request, found held.Table, settings table.Settings) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	send := func(event string, data any) {
		_, _ = w.Write(slices.Concat([]byte("event: "+event+"\ndata: "), strictjson.Line(data), []byte("\n"))) // a reader that is gone cannot be told
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
		send("error", web.ErrorBody(r.Context(), table.On(err, table.QueryParameter)))
		return
	}
	send("table", answer)
}

// tableContent answers GET /v1/tables/{table}/content with the table as it was sent.
func (h handler) tableContent(w http.ResponseWriter, r *http.Request) error {
	found, _, err := h.tableOfPath(r)
	if err != nil {
		return err
	}
	in, err := h.Tables.Open(r.Context(), found)
	if err != nil {
		return err
	}
	defer in.Close()
	contentType, _ := table.ContentType(found.File)
	web.SendFile(w, found.File, contentType, in)
	return nil
}

// deleteTable answers DELETE /v1/tables/{table}.
func (h handler) deleteTable(w http.ResponseWriter, r *http.Request) error {
	found, _, err := h.tableOfPath(r)
	if err != nil {
		return err
	}
	if err := h.Tables.Drop(r.Context(), found); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h handler) tableOfPath(r *http.Request, known ...string) (held.Table, map[string]string, error) {
	values, err := query(r, known...)
	if err != nil {
		return held.Table{}, nil, err
	}
	found, err := h.findTable(r, r.PathValue("table"))
	return found, values, err
}

// findTable finds a held table for the caller: who sent it, or one who is named as an
// approver.
func (h handler) findTable(r *http.Request, id string) (held.Table, error) {
	who, err := h.Caller(r)
	if err != nil {
		return held.Table{}, err
	}
	return h.Tables.Find(r.Context(), id, who, len(h.Decisions.Approvers) > 0 && h.Decisions.CheckApprover(who) == nil)
}

// tableInUse is a held table with the settings that it was sent with.
type tableInUse struct {
	held.Table
	settings table.Settings
}

// tableOf finds the held table that a request names.
func (h handler) tableOf(r *http.Request, id string) (*tableInUse, error) {
	if h.Tables == nil {
		return nil, errNoTables()
	}
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
func (h handler) settingsOf(found held.Table, given map[string]string) (table.Settings, error) {
	values := maps.Clone(found.Settings)
	maps.Copy(values, given)
	return h.settings(values)
}

package console

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// tablePath is the path of a held table.
func tablePath(id string) string { return "/v1/tables/" + url.PathEscape(id) }

// tableView is a held table with how it is read where that was said on the page.
type tableView struct {
	plannerapi.HeldTable
	Settings []setting
}

// Given are the settings that were given for it.
func (t tableView) Given() []setting {
	return slices.DeleteFunc(slices.Clone(t.Settings), func(s setting) bool { return s.Value == "" })
}

// needed are the roles that most plans look at, in shop people's words.
var needed = []struct {
	Role  table.Role
	Words string
}{
	{table.RoleSKU, "the SKU, or what you call the article's number"}, {table.RolePrice, "the price"},
	{table.RoleCategory, "the category"}, {table.RoleInStock, "whether it is in stock, or how many there are"},
}

// openRole is a role whose column is to be chosen, or confirmed where it was guessed.
type openRole struct {
	Role, Words, Guess string
}

// Plain reports whether the table is of no platform that is known.
func (t tableView) Plain() bool { return t.Read.Profile == "" || t.Read.Profile == "plain" }

// group are names of one role, the most frequent first.
type group struct {
	Title string
	Names []table.Spelling
	Total int
}

// Groups are the names of the table by role.
func (t tableView) Groups() []group {
	n := t.Names
	return slices.DeleteFunc([]group{
		{"Categories", n.Categories, n.Total.Categories}, {"Brands", n.Brands, n.Total.Brands}, {"Tags", n.Tags, n.Total.Tags},
	}, func(g group) bool { return len(g.Names) == 0 })
}

// Open are the roles that no column is known to have, or only one that was guessed.
func (t tableView) Open() (open []openRole) {
	for _, one := range needed {
		at := slices.IndexFunc(t.Read.Columns, func(c plannerapi.TableColumn) bool { return c.Role == one.Role })
		switch {
		case at < 0:
			open = append(open, openRole{Role: string(one.Role), Words: one.Words})
		case t.Read.Columns[at].Found != "":
			open = append(open, openRole{string(one.Role), one.Words, t.Read.Columns[at].Title})
		}
	}
	return open
}

// table reads a held table as the address says.
func (c *Console) table(r *http.Request, id string, given url.Values) (tableView, error) {
	shown := tableView{Settings: settingsOf(given)}
	query := url.Values{}
	for _, one := range shown.Given() {
		query.Set(one.Name, one.Value)
	}
	err := c.Planner.Get(r.Context(), tablePath(id)+queryOf(query), &shown.HeldTable)
	if errs.KindOf(err) == errs.NotFound {
		err = errs.Wrap(errs.NotFound, err, "The table is not held any more: one is kept for a day. Drop it again; plans that were made over it are kept.")
	}
	return shown, err
}

// hold keeps the table of a form for those who look at it, and has the planner hold it.
func (c *Console) hold(w http.ResponseWriter, r *http.Request) (held plannerapi.HeldTable, err error) {
	if c.Uploads != "" {
		return c.pass(w, r)
	}
	kept, file, err := c.drafts.receive(w, r)
	if err != nil {
		return held, err
	}
	defer file.Close()
	if held, err = c.sendOn(r, kept.File, io.NewSectionReader(file, 0, kept.Size)); err != nil {
		return held, err
	}
	c.drafts.rename(kept.Token, held.Table)
	return held, nil
}

// pass has the planner hold the table of a form as it comes in: nothing of it is kept
// here, where there may be little room and several of us.
func (c *Console) pass(w http.ResponseWriter, r *http.Request) (held plannerapi.HeldTable, err error) {
	part, name, err := tableIn(w, r, plannerapi.MaxPreviewBytes)
	if err != nil {
		return held, err
	}
	incoming := &source{Reader: part}
	held, err = c.sendOn(r, name, incoming)
	if incoming.err != nil {
		return held, broken(incoming.err, plannerapi.MaxPreviewBytes)
	}
	return held, err
}

func (c *Console) sendOn(r *http.Request, name string, content io.Reader) (held plannerapi.HeldTable, err error) {
	contentType, _ := table.ContentType(name)
	return held, c.Planner.Do(r.Context(), http.MethodPost, "/v1/tables"+queryOf(url.Values{"file": {name}}), contentType, content, &held)
}

// source keeps why it could not be read.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != io.EOF {
		s.err = err
	}
	return n, err
}

// openUpload answers with the address to which the browser sends a table, for our module.
func (c *Console) openUpload(w http.ResponseWriter, r *http.Request) {
	name := fileName(field(w, r, "file"))
	size, err := strconv.ParseInt(r.PostFormValue("bytes"), 10, 64)
	if err != nil {
		web.WriteError(w, r, errs.Wrap(errs.Invalid, err, "The page did not say how large the table is. Load it again."))
		return
	}
	opened, err := c.upload(r, name, size)
	if err != nil {
		web.WriteError(w, r, err)
		return
	}
	web.WriteJSON(w, http.StatusCreated, opened)
}

// upload has the planner open an upload.
func (c *Console) upload(r *http.Request, name string, size int64) (opened plannerapi.TableUpload, err error) {
	return opened, c.Planner.Send(r.Context(), http.MethodPost, "/v1/tables:upload", map[string]any{"file": name, "bytes": size, "origin": c.PublicURL}, &opened)
}

// sentTable leads from a table that the browser has sent to what is in it.
func (c *Console) sentTable(w http.ResponseWriter, r *http.Request) error {
	found, err := c.table(r, r.PathValue("id"), nil)
	if err != nil {
		return err
	}
	remember(w, r, found.HeldTable)
	seeOther(w, r, "/", "table", found.Table)
	return nil
}

// heldCookie remembers the newest tables of a browser, so that one can go on with
// one of them: their ids give nobody a right.
const heldCookie, maxRemembered = "tables", 5

// remembered is a table that this browser has sent.
type remembered struct {
	Table, File string
	ExpiresAt   time.Time
}

func rememberedIn(r *http.Request) (all []remembered) {
	cookie, err := r.Cookie(heldCookie)
	if err != nil {
		return nil
	}
	for one := range strings.SplitSeq(cookie.Value, ".") {
		values, err := url.ParseQuery(one)
		expires, errTime := time.Parse("20060102T150405Z", values.Get("e"))
		if err == nil && errTime == nil && time.Now().Before(expires) {
			all = append(all, remembered{values.Get("t"), values.Get("f"), expires})
		}
	}
	return all
}

func remember(w http.ResponseWriter, r *http.Request, held plannerapi.HeldTable) {
	all := slices.Insert(rememberedIn(r), 0, remembered{held.Table, held.File, held.ExpiresAt})
	var texts []string
	for _, one := range all[:min(len(all), maxRemembered)] {
		values := url.Values{"t": {one.Table}, "f": {one.File}, "e": {one.ExpiresAt.UTC().Format("20060102T150405Z")}}
		texts = append(texts, strings.ReplaceAll(values.Encode(), ".", "%2E"))
	}
	http.SetCookie(w, &http.Cookie{Name: heldCookie, Value: strings.Join(texts, "."), Path: "/", MaxAge: 24 * 60 * 60, HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// begin holds a table and leads to what is in it.
func (c *Console) begin(w http.ResponseWriter, r *http.Request) error {
	held, err := c.hold(w, r)
	if err != nil {
		return err
	}
	remember(w, r, held)
	seeOther(w, r, "/", "table", held.Table)
	return nil
}

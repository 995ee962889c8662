package console

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

// tablePath is the path of a held table.
func tablePath(id string) string { return "/v1/tables/" + url.PathEscape(id) }

// tableView is a held table.
type tableView struct{ plannerapi.StoredTable }

// TooLarge reports whether the table can only be looked at as a proposal.
func (t tableView) TooLarge() bool { return t.Bytes > plannerapi.MaxPreviewBytes }

// has reports whether a column of the table is known to have a role.
func (t tableView) has(role recognize.Role) bool {
	return slices.ContainsFunc(t.Read.Columns, func(c plannerapi.TableColumn) bool { return c.Role == role })
}

// shownSetting is how a table is read where that is not to be found in it.
type shownSetting struct {
	Name, Value string
	Label, Help string
	Choices     []string // the values that there are; nil where it is written
	readings    []dialect.Reading
}

// Words are what people call one of the values. An encoding is shown by what a cell of the
// table says in it.
func (s shownSetting) Words(value string) string {
	for _, reading := range s.readings {
		if s.Name == "encoding" && string(reading.Encoding) == value {
			return value + ": " + reading.Says
		}
	}
	return cmp.Or(valueWords[s.Name+" "+value], value)
}

// readFirst orders encodings by whether a cell of the table can be read in them.
func (s shownSetting) readFirst(a, b string) int {
	unread := func(value string) int {
		if slices.ContainsFunc(s.readings,
			func(r dialect.Reading) bool { return string(r.Encoding) == value }) {
			return 0
		}
		return 1
	}
	return unread(a) - unread(b)
}

// settingWords are the label of each setting, and what there is to say of what is written.
var settingWords = map[string][2]string{
	"columns":           {"Which column is what", `such as "sku=Variant SKU, price=Preis". There are sku, category, brand, tags, name, price, cost, sale_price, compare_at, in_stock and quantity`},
	"profile":           {"The platform whose export it is", ""},
	"delimiter":         {"What stands between two columns", ""},
	"line_end":          {"What ends a line", ""},
	"encoding":          {"How its letters are stored", ""},
	"header":            {"The first row", ""},
	"stock_words":       {"The words for in stock and out of it", `such as "in=Disponibile,out=Esaurito"`},
	"odd_rows":          {"A row with a cell that cannot be read", ""},
	"price_form":        {"How prices write the number 1234.56", ""},
	"blank_price":       {"A row without a price", ""},
	"blank_stock":       {"A row that says nothing of its stock", ""},
	"in_stock_quantity": {"The quantity of what is put in stock", "where there is none of it"},
	"sale_dates":        {"The dates of sales that are looked at", ""},
}

var valueWords = map[string]string{
	"header first": "has the titles", "header none": "is a product: columns have numbers",
	"odd_rows refuse": "has the table refused", "odd_rows leave": "is left alone",
	"blank_price error": "is refused", "blank_price keep": "is left alone",
	"blank_stock error": "is refused", "blank_stock in": "is in stock", "blank_stock out": "is out of stock",
	"sale_dates clear": "are blanked", "sale_dates ignore": "are left",
}

// ReadSettings are all settings of reading it, with the values that were said.
func (t tableView) ReadSettings() (all []shownSetting) {
	for _, known := range setting.All {
		if slices.Contains(decisions, known.Name) {
			continue
		}
		name := string(known.Name)
		said := shownSetting{
			Name:     name,
			Value:    t.Settings[name],
			Label:    settingWords[name][0],
			Help:     settingWords[name][1],
			readings: t.Read.Readings,
		}
		if known.Values != nil {
			said.Choices = known.Values()
			if name == "encoding" {
				slices.SortStableFunc(said.Choices, said.readFirst)
			}
			if said.Value != "" && !slices.Contains(said.Choices, said.Value) { // said in another way
				said.Choices = append(said.Choices, said.Value)
			}
		}
		all = append(all, said)
	}
	return all
}

// decisions are the settings that are said of a plan over a table, not of the table.
var decisions = []setting.Name{"unmatched", "near_names"}

// columnChoice is a table's columns to choose one from.
type columnChoice struct {
	Columns []plannerapi.TableColumn
	Guess   string // the title that is chosen already
}

// Choose offers the columns that have a title.
func (t tableView) Choose(guess string) columnChoice {
	titled := slices.DeleteFunc(slices.Clone(t.Read.Columns), func(c plannerapi.TableColumn) bool {
		return c.Title == ""
	})
	return columnChoice{titled, guess}
}

// table reads a held table.
func (c *Console) table(r *http.Request, id string) (shown tableView, err error) {
	err = c.Planner.Get(r.Context(), tablePath(id), &shown.StoredTable)
	if errs.KindOf(err) == errs.NotFound {
		err = errs.Wrap(errs.NotFound, err, "A file is kept for a day, and this one is gone. Upload it again: changes that were made with it are kept.")
	}
	return shown, err
}

// maxTableBytes is the most that is taken of a table.
const maxTableBytes = 4 << 30

// hold has the planner hold the table of a form. Where the browser could send a large
// one itself, a form's is small.
func (c *Console) hold(w http.ResponseWriter, r *http.Request) (held plannerapi.StoredTable, err error) {
	most := int64(maxTableBytes)
	if c.Uploads != "" {
		most = plannerapi.MaxPreviewBytes
	}
	part, name, err := tableIn(w, r, most)
	if err != nil {
		return held, err
	}
	content := &web.ErrorReader{ReadCloser: part}
	if c.asItComes(r.ContentLength) {
		held, err = c.sendOn(r, name, nil, content)
	} else {
		held, err = c.holdLarge(r, name, content)
	}
	if content.Err != nil {
		return held, broken(content.Err, most)
	}
	if err == nil {
		c.remember(w, r, held)
	}
	return held, err
}

// asItComes reports whether the planner takes a table of so many bytes as it comes in:
// nothing of it is kept here.
func (c *Console) asItComes(size int64) bool {
	return size <= plannerapi.MaxPreviewBytes || c.AnySize
}

// holdLarge has the planner hold a table whose size is not known yet: it lies in a file
// without a name until then.
func (c *Console) holdLarge(
	r *http.Request, name string, content io.Reader,
) (held plannerapi.StoredTable, err error) {
	file, err := os.CreateTemp("", "planwright-console-") // has mode 0600
	if err != nil {
		return held, errs.Wrap(errs.Unavailable, err, "The table cannot be kept while it is sent: is the disk full, or the temporary folder (TMPDIR) closed to this user?")
	}
	defer file.Close()
	if err := os.Remove(file.Name()); err != nil {
		return held, err
	}
	size, err := io.Copy(file, content)
	if err != nil {
		return held, err
	}
	return c.send(r, name, nil, io.NewSectionReader(file, 0, size), size)
}

// send has the planner hold a table of so many bytes, to be read by those settings. A
// large one is sent to its bucket; a planner that has no uploads of their own, and says
// so, takes that as it comes, too.
func (c *Console) send(
	r *http.Request, name string, settings url.Values, content io.Reader, size int64,
) (held plannerapi.StoredTable, err error) {
	if c.asItComes(size) {
		return c.sendOn(r, name, settings, content)
	}
	opened, err := c.upload(r, name, settings, size)
	if errs.KindOf(err) == errs.Conflict {
		return c.sendOn(r, name, settings, content)
	} else if err != nil {
		return held, err
	}
	if err := sendTo(r, opened.UploadURL, content, size); err != nil {
		return held, err
	}
	found, err := c.table(r, opened.Table)
	return found.StoredTable, err
}

// sendTo sends a table to the address of an upload.
func sendTo(r *http.Request, address string, content io.Reader, size int64) error {
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPut, address, content)
	if err != nil {
		return err
	}
	request.ContentLength = size
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return errs.Wrap(errs.Unavailable, err, "The table could not be sent. Try again.")
	}
	answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return errs.New(errs.Unavailable,
			"The table could not be sent: Cloud Storage answered with %d. Try again.", answer.StatusCode)
	}
	return nil
}

// tableIn finds the table in a form, of at most so many bytes, and its name.
func tableIn(w http.ResponseWriter, r *http.Request, most int64) (*multipart.Part, string, error) {
	r.Body = web.Limited(w, r, most+1<<20)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, "", errs.Wrap(errs.Invalid, err, "Choose a table first.")
	}
	for {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return nil, "", errs.New(errs.Invalid, "Choose a table first.")
		case err != nil:
			return nil, "", broken(err, most)
		case part.FormName() == "table" && part.FileName() != "":
			name := fileName(part.FileName())
			if _, isTable := files.ContentType(name); !isTable {
				_, _ = io.Copy(io.Discard, part) // so that the answer reaches the sender
				return nil, "", errs.New(errs.Invalid, "%s %s, and drop that.", name, files.WhyNoTable(name))
			}
			return part, name, nil
		}
	}
}

// broken is why the table of a form, of at most so many bytes, did not come whole.
func broken(err error, most int64) error {
	_, tooBig := errors.AsType[*http.MaxBytesError](err)
	if tooBig && most < maxTableBytes {
		return errs.Wrap(errs.Invalid, err, "The table is larger than %d MiB, the most that a form may send here. Allow scripts on this page: a table of up to 4 GiB is then sent in parts.", most>>20)
	}
	if tooBig {
		return errs.Wrap(errs.Invalid, err, "The table is larger than 4 GiB, the most that is taken here. Split it, or apply the plan with planwright apply.")
	}
	return errs.Wrap(errs.Invalid, err, "The table broke off before its end. Drop it again.")
}

// fileName is the last part of a name that a browser gives, without what no
// object's name may have.
func fileName(given string) string {
	given = given[strings.LastIndexAny(given, `/\`)+1:]
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(given, "")), ".")
}

func (c *Console) sendOn(
	r *http.Request, name string, settings url.Values, content io.Reader,
) (held plannerapi.StoredTable, err error) {
	contentType, _ := files.ContentType(name)
	query := url.Values{"file": {name}}
	maps.Copy(query, settings)
	return held, c.Planner.Do(
		r.Context(), http.MethodPost, "/v1/tables"+queryOf(query), contentType, content, &held,
	)
}

// openUpload answers with the address to which the browser sends a table, for our module.
func (c *Console) openUpload(w http.ResponseWriter, r *http.Request) {
	name := fileName(field(w, r, "file"))
	size, err := strconv.ParseInt(r.PostFormValue("bytes"), 10, 64)
	if err != nil {
		web.WriteError(w, r, errs.Wrap(errs.Invalid, err,
			"The page did not say how large the table is. Load it again."))
		return
	}
	opened, err := c.upload(r, name, nil, size)
	if err != nil {
		web.WriteError(w, r, err)
		return
	}
	web.WriteJSON(w, http.StatusCreated, opened)
}

// upload has the planner open an upload.
func (c *Console) upload(
	r *http.Request, name string, settings url.Values, size int64,
) (opened plannerapi.TableUpload, err error) {
	body := map[string]any{"file": name, "bytes": size, "origin": c.PublicURL}
	for setting := range settings {
		body[setting] = settings.Get(setting)
	}
	return opened, c.Planner.Send(r.Context(), http.MethodPost, "/v1/tables:upload", body, &opened)
}

// sentTable leads from a table that the browser has sent to what is in it.
func (c *Console) sentTable(w http.ResponseWriter, r *http.Request) error {
	found, err := c.table(r, r.PathValue("id"))
	if err != nil {
		return err
	}
	c.remember(w, r, found.StoredTable)
	c.leadOn(w, r, found.StoredTable, r.URL.Query().Get("plan"))
	return nil
}

// heldCookie remembers the newest tables of a browser, so that one can go on with
// one of them: their ids give nobody a right. It outlives the tables, to say which file is
// to be uploaded again.
const (
	heldCookie    = "tables"
	maxRemembered = 5
	rememberedFor = 30 * 24 * time.Hour
)

// remembered is a table that this browser has sent.
type remembered struct {
	Table, File string
	Rows        int64 // 0 where they were not counted
	ExpiresAt   time.Time
}

// Expired reports whether the table is held no more.
func (f remembered) Expired() bool { return !time.Now().Before(f.ExpiresAt) }

// SentAt is when it was sent.
func (f remembered) SentAt() time.Time { return f.ExpiresAt.Add(-tablestore.For) }

// cookieTime is how the cookie writes a time.
const cookieTime = "20060102T150405Z"

// allRemembered are those of a browser, the newest first, also those that are held no more.
func allRemembered(r *http.Request) (all []remembered) {
	cookie, err := r.Cookie(heldCookie)
	if err != nil {
		return nil
	}
	for table := range strings.SplitSeq(cookie.Value, ".") {
		values, err := url.ParseQuery(table)
		expires, errTime := time.Parse(cookieTime, values.Get("e"))
		if err != nil || errTime != nil {
			continue
		}
		rows, _ := strconv.ParseInt(values.Get("n"), 10, 64)
		all = append(all, remembered{values.Get("t"), values.Get("f"), rows, expires})
	}
	return all
}

// rememberedIn are those that are still held.
func rememberedIn(r *http.Request) []remembered {
	return slices.DeleteFunc(allRemembered(r), remembered.Expired)
}

// lastFile is the newest file of a browser; nil where it has sent none.
func lastFile(r *http.Request) *remembered {
	if all := allRemembered(r); len(all) > 0 {
		return &all[0]
	}
	return nil
}

func (c *Console) remember(w http.ResponseWriter, r *http.Request, held plannerapi.StoredTable) {
	all := slices.Insert(rememberedIn(r), 0, remembered{held.Table, held.File, held.Rows, held.ExpiresAt})
	var texts []string
	for _, table := range all[:min(len(all), maxRemembered)] {
		values := url.Values{
			"t": {table.Table},
			"f": {table.File},
			"n": {strconv.FormatInt(table.Rows, 10)},
			"e": {table.ExpiresAt.UTC().Format(cookieTime)},
		}
		texts = append(texts, strings.ReplaceAll(values.Encode(), ".", "%2E"))
	}
	http.SetCookie(w, &http.Cookie{
		Name: heldCookie, Value: strings.Join(texts, "."), Path: "/", MaxAge: int(rememberedFor.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: strings.HasPrefix(c.PublicURL, "https:"),
	})
}

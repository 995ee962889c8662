package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/web"
)

// checkPage is Check the file: all that is open about reading it, asked once.
type checkPage struct {
	Table tableView
	Plan  string // that the file is for; "" where it is none
	Back  string // the state of New change that it is checked from; "" where it is none
	Not   string // why this seems to be no product file; "" where it does
	Roles []checkedRole
	Open  []string // questions about how the whole file is written
	Odd   []oddCells
	Stock *stockColumn // nil where the words of stock are known
}

// checkedRole is a row of the page: a role, the column that is read as it, and the others.
type checkedRole struct {
	Role, Label, Help string
	Needed            bool
	Guessed           bool // nobody said that it is this column
	Column            string
	Samples           []string
	Columns           []plannerapi.TableColumn
}

// oddCells are rows with a cell that cannot be read.
type oddCells struct {
	Text  string
	Cells []faults.Fault // some of them
	All   bool           // no row can be read
}

// LeavesOdd reports whether rows that cannot be read are left alone unless somebody says
// otherwise: not where that would be all.
func (p checkPage) LeavesOdd() bool {
	return !slices.ContainsFunc(p.Odd, func(o oddCells) bool { return o.All })
}

// stockColumn is the column of stock with its own words.
type stockColumn struct {
	Title   string
	Words   []names.Spelling
	In, Out string
}

// checkedRoles are the roles of the page, in its order.
var checkedRoles = []struct {
	Role        recognize.Role
	Label, Help string
	Needed      bool
}{
	{recognize.RoleSKU, "SKU", "or article number", true},
	{recognize.RoleName, "Name", "", false},
	{recognize.RoleBrand, "Brand", "", false},
	{recognize.RoleCategory, "Category", "", false},
	{recognize.RolePrice, "Price", "what customers pay", true},
	{recognize.RoleCompareAt, "Price before a sale", "the one that is struck through", false},
	{recognize.RoleSalePrice, "Sale price", "", false},
	{recognize.RoleCost, "Cost", "", false},
	{recognize.RoleInStock, "Stock", "a word or how many", false},
}

// about is what a remark on a file is about.
func about(w plannerapi.TableWarning, code string, what ...string) bool {
	return w.Code == code && len(w.Arguments) > 0 && slices.Contains(what, w.Arguments[0])
}

// isOdd reports whether a remark is on rows that may be left alone.
func isOdd(w plannerapi.TableWarning) bool {
	return about(w, overview.RemarkOddRows, overview.OddPrice, overview.OddStock, overview.OddCells) ||
		about(w, overview.RemarkSaleUnreadable, overview.SalePriceOdd)
}

// isWritten reports whether a remark is on how the whole file is written.
func isWritten(w plannerapi.TableWarning) bool {
	return about(
		w, overview.RemarkQuestion, overview.AboutPrices, overview.AboutEncoding, overview.AboutHeader,
	)
}

// needsCheck reports whether something about the file is open that nobody has answered yet,
// of it or of an earlier one with the same columns.
func (t tableView) needsCheck() bool {
	if len(t.Settings) > 0 {
		return false
	}
	warns := func(w plannerapi.TableWarning) bool { return isWritten(w) || isOdd(w) }
	return notProducts(t) != "" || slices.ContainsFunc(t.roles(), checkedRole.open) ||
		slices.ContainsFunc(t.Warnings, warns)
}

// open reports whether somebody has to say which column it is.
func (r checkedRole) open() bool { return r.Needed && (r.Column == "" || r.Guessed) }

// roles are those of the page with the columns that are read as them.
func (t tableView) roles() (all []checkedRole) {
	columns := t.Choose("").Columns
	for _, role := range checkedRoles {
		one := checkedRole{
			Role:    string(role.Role),
			Label:   role.Label,
			Help:    role.Help,
			Needed:  role.Needed,
			Columns: columns,
		}
		at := slices.IndexFunc(columns, func(c plannerapi.TableColumn) bool { return c.Role == role.Role })
		if at >= 0 {
			one.Column = columns[at].Title
			one.Samples = columns[at].Samples
			one.Guessed = columns[at].Found != ""
		}
		if role.Role == recognize.RoleSKU && at < 0 && len(columns) > 0 && t.Read.Profile != "plain" {
			one.Needed = false // the platform tells rows apart by other columns
		}
		all = append(all, one)
	}
	return all
}

// orderTitles are words of the titles of an export of orders, none of which is a product's.
var orderTitles = []string{
	"lineitem", "order id", "order number", "order date", "billing", "shipping address", "financial status",
	"customer email",
}

// notProducts says why a file seems to be no product file; "" where it does.
func notProducts(t tableView) string {
	found := 0
	for _, word := range orderTitles {
		if slices.ContainsFunc(t.Read.Columns,
			func(c plannerapi.TableColumn) bool { return strings.Contains(strings.ToLower(c.Title), word) }) {
			found++
		}
	}
	priced := slices.ContainsFunc(t.Read.Columns, func(c plannerapi.TableColumn) bool {
		return c.Role == recognize.RolePrice || slices.ContainsFunc(c.Samples, func(cell string) bool {
			return strings.ContainsAny(cell, "0123456789")
		})
	})
	switch {
	case found >= 2:
		return "This looks like an export of orders. Upload an export of your products instead."
	case len(t.Read.Columns) < 2:
		return "This is not a table: it has one column alone. Export your products as CSV."
	case !priced:
		return "No column of this file has numbers, so there are no prices in it. Upload an export of your products with their prices."
	}
	return ""
}

// check shows how a file is read, for somebody to say what is open.
func (c *Console) check(w http.ResponseWriter, r *http.Request) error {
	return c.showCheck(w, r, http.StatusOK, checkPage{
		Plan: r.URL.Query().Get("plan"),
		Back: r.URL.Query().Get("back"),
	})
}

func (c *Console) showCheck(w http.ResponseWriter, r *http.Request, status int, shown checkPage) (err error) {
	if shown.Table, err = c.table(r, r.PathValue("id")); err != nil {
		return err
	}
	shown.Not, shown.Roles = notProducts(shown.Table), shown.Table.roles()
	for _, warning := range shown.Table.Warnings {
		if isWritten(warning) {
			shown.Open = append(shown.Open, fileWarning(warning))
		}
		if isOdd(warning) {
			odd := oddCells{Text: fileWarning(warning), All: warning.Rows == shown.Table.Rows}
			if odd.Cells, err = c.oddCells(r, shown.Table, warning); err != nil {
				return err
			}
			shown.Odd = append(shown.Odd, odd)
		}
	}
	if shown.Stock, err = c.stockColumn(r, shown.Table); err != nil {
		return err
	}
	c.render(w, r, status, "check", page{
		Title: "Check the file",
		Here:  "new",
		Table: &shown.Table,
		Body:  shown,
	})
	return nil
}

// maxStockWords is how many words a column of stock has at most: one with more has
// quantities, or is none.
const maxStockWords = 12

// stockColumn is the column that is read as stock where its words may have to be said: none
// of its cells is a number. The planner counts them as if they were brands.
func (c *Console) stockColumn(r *http.Request, t tableView) (*stockColumn, error) {
	at := slices.IndexFunc(t.Read.Columns, func(c plannerapi.TableColumn) bool {
		return c.Role == recognize.RoleInStock
	})
	asked := slices.ContainsFunc(t.Warnings, func(w plannerapi.TableWarning) bool {
		return about(w, overview.RemarkOddRows, overview.OddStock)
	})
	if at < 0 || !asked && t.Settings["stock_words"] == "" {
		return nil, nil
	}
	found := &stockColumn{Title: t.Read.Columns[at].Title}
	var counted plannerapi.StoredTable
	query := url.Values{"columns": {withListed("", []string{"brand=" + found.Title})}}
	if err := c.Planner.Get(r.Context(), tablePath(t.Table)+queryOf(query), &counted); err != nil {
		return nil, nil // the words stay unknown; the rows are listed all the same
	}
	if found.Words = counted.Names.Brands; len(found.Words) == 0 || len(found.Words) > maxStockWords {
		return nil, nil
	}
	for _, pair := range listed(t.Settings["stock_words"]) {
		switch name, word, _ := strings.Cut(pair, "="); strings.TrimSpace(name) {
		case "in":
			found.In = word
		case "out":
			found.Out = word
		}
	}
	return found, nil
}

// codeRagged is of a row with another number of cells than the header.
const codeRagged = "field_count"

// oddCells are the cells that a remark is on, as a rule over all prices, or all stock, would
// be refused for them.
func (c *Console) oddCells(r *http.Request, t tableView, w plannerapi.TableWarning) ([]faults.Fault, error) {
	rule := map[string]any{
		"filter":  map[string]any{},
		"action":  map[string]any{"type": "percent_increase", "value": 1},
		"options": map[string]any{},
	}
	switch {
	case about(w, overview.RemarkOddRows, overview.OddStock):
		rule["filter"] = map[string]any{"in_stock": true}
	case w.Code == overview.RemarkSaleUnreadable:
		rule["filter"] = map[string]any{"on_sale": true}
	}
	body := map[string]any{"table": t.Table, "operations": []any{rule}}
	err := c.Planner.Send(
		r.Context(), http.MethodPost, "/v1/plans:preview?odd_rows=refuse", body, &plannerapi.Preview{},
	)
	refused, isRefused := errors.AsType[*web.Refused](err)
	if !isRefused {
		return nil, err
	}
	var cells []faults.Fault
	if err := json.Unmarshal(refused.Details, &cells); err != nil {
		return nil, nil // it was refused for something else
	}
	ragged := about(w, overview.RemarkOddRows, overview.OddCells)
	return slices.DeleteFunc(cells, func(f faults.Fault) bool {
		return f.Row <= 1 || f.Code == "" || ragged != (f.Code == codeRagged)
	}), nil
}

// readSo has a held table be read as a form says, on every page, and leads back to the
// plan of the form, or to the table. Saying something, if only what was found, settles what
// was open: the file and later ones with its columns are not asked about again.
func (c *Console) readSo(w http.ResponseWriter, r *http.Request) error {
	plan, id := field(w, r, "plan"), r.PathValue("id")
	found, err := c.table(r, id)
	if err != nil {
		return err
	}
	said := found.settingsOf(r.PostForm)
	if err := c.Planner.Send(r.Context(), http.MethodPut, tablePath(id)+"/settings", said,
		&plannerapi.StoredTable{}); err != nil {
		return err
	}
	if found, err = c.table(r, id); err != nil {
		return err
	}
	// of a column that was not read before
	if r.PostForm.Has("checked") && !r.PostForm.Has("odd_rows") &&
		slices.ContainsFunc(found.Warnings, isOdd) {
		seeOther(w, r, "/tables/"+id+"/check", url.Values{"plan": {plan}})
		return nil
	}
	if back := r.PostForm.Get("back"); strings.HasPrefix(back, "/new?") {
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
	leadTo(w, r, plan, id)
	return nil
}

// CheckPath is where the file is checked, and leads back from to the page as it is now.
func (p newPage) CheckPath() string {
	return "/tables/" + p.Table.Table + "/check" + queryOf(url.Values{"back": {p.address()}})
}

// settingsOf are the settings that a form says. Columns that are read as the form says already
// are left to be found; of those that were guessed the form decides.
func (t tableView) settingsOf(form url.Values) map[string]string {
	said := map[string]string{}
	for _, known := range setting.All {
		if value := strings.TrimSpace(form.Get(string(known.Name))); value != "" {
			said[string(known.Name)] = value
		}
	}
	columns := cmp.Or(said["columns"], t.Settings["columns"])
	read := t.roles()
	for i, role := range form["role"] {
		if i >= len(form["title"]) {
			break
		}
		at := slices.IndexFunc(read, func(r checkedRole) bool { return r.Role == role })
		if at >= 0 && read[at].Column == form["title"][i] && !read[at].Guessed {
			continue
		}
		columns = withColumns(columns, []string{role}, []string{form["title"][i]})
	}
	if columns != "" {
		said["columns"] = columns
	}
	if in, out := form.Get("word_in"), form.Get("word_out"); in != "" && out != "" {
		said["stock_words"] = withListed("", []string{"in=" + in, "out=" + out})
	}
	if form.Has("checked") && said["odd_rows"] == "" {
		said["odd_rows"] = string(setting.OddRowsRefuse)
	}
	return said
}

// leadOn leads from a file that was sent to what is open about it, or on to its plan or a
// new change.
func (c *Console) leadOn(w http.ResponseWriter, r *http.Request, held plannerapi.StoredTable, plan string) {
	if (tableView{held}).needsCheck() {
		seeOther(w, r, "/tables/"+held.Table+"/check", url.Values{"plan": {plan}})
		return
	}
	leadTo(w, r, plan, held.Table)
}

package console

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

// pager has the addresses of the pages before and behind one; "" where there is none.
// A page's address has the tokens of all before it, so that one can go back.
type pager struct{ Before, Behind string }

// maxBefore is how many pages one can go back.
const maxBefore = 100

// pages are those around a page at a path, with the same query.
func pages(path string, same url.Values, after []string, next string) (p pager) {
	at := func(tokens []string) string {
		query := maps.Clone(same)
		query["after"] = tokens[max(0, len(tokens)-maxBefore):]
		return path + queryOf(query)
	}
	if len(after) > 0 {
		p.Before = at(after[:len(after)-1])
	}
	if next != "" {
		p.Behind = at(append(slices.Clone(after), next))
	}
	return p
}

// last is the token of the page that is asked for; "" for the first.
func last(after []string) string {
	if len(after) == 0 {
		return ""
	}
	return after[len(after)-1]
}

// look is which of the rows that would change are looked at, and in which order.
type look struct {
	Search, Sort, From, To string
	after                  []string
	Pager                  pager
	CSV                    string // the address of all of them
}

func lookIn(asked url.Values) look {
	text := func(name string) string { return strings.TrimSpace(asked.Get(name)) }
	return look{Search: text("search"), Sort: text("sort"), From: text("from"), To: text("to"), after: asked["after"]}
}

// All reports whether no row is left out.
func (l look) All() bool { return l.Search == "" && l.From == "" && l.To == "" }

// Few reports whether so many rows are to be seen at a glance, all of them as they stand.
func (l look) Few(found int64) bool { return l.All() && l.Sort == "" && found <= 10 }

// query asks the planner for a page.
func (l look) query() url.Values {
	return url.Values{"search": {l.Search}, "sort": {l.Sort}, "moved_from": {l.From}, "moved_to": {l.To}, "page_token": {last(l.after)}, "page_size": {"25"}}
}

// page sets the addresses of the pages around this one, and of all rows as a file.
func (l *look) page(path string, same url.Values, next string) {
	for name, value := range map[string]string{"search": l.Search, "sort": l.Sort, "from": l.From, "to": l.To} {
		same.Set(name, value)
	}
	l.Pager = pages(path, same, l.after, next)
	l.CSV = path + "/changes.csv" + queryOf(maps.Clone(same))
}

// sendCSV answers with a table of the planner's as it comes.
func (c *Console) sendCSV(w http.ResponseWriter, r *http.Request, method, path, id string, body any) error {
	var content io.Reader
	contentType := ""
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content, contentType = strings.NewReader(string(text)), "application/json"
	}
	in, err := c.Planner.Open(r.Context(), method, path, "text/csv", contentType, content)
	if err != nil {
		return err
	}
	defer in.Close()
	web.SendFile(w, id+".changes.csv", "text/csv; charset=utf-8", in)
	return nil
}

// changesCSV answers with all that an execution changed, or proposes to change.
func (c *Console) changesCSV(w http.ResponseWriter, r *http.Request) error {
	query := lookIn(r.URL.Query()).query()
	query.Del("page_token")
	id := r.PathValue("id")
	var found plannerapi.Record
	if err := c.Planner.Get(r.Context(), executionPath(id, ""), &found); err != nil {
		return err
	}
	if found.Status == ledger.Completed {
		return c.sendChanges(w, r, id)
	}
	return c.sendCSV(w, r, http.MethodGet, executionPath(id, "/changes")+queryOf(query), id, nil)
}

// sendChanges answers with all that an execution changed, as a table: a page of them at a
// time. What cannot be read to its end breaks off.
func (c *Console) sendChanges(w http.ResponseWriter, r *http.Request, id string) error {
	var list plannerapi.Changes[plannerapi.SeenChange]
	read := func() error {
		query := url.Values{"page_token": {list.NextPageToken}, "page_size": {"200"}}
		list = plannerapi.Changes[plannerapi.SeenChange]{}
		return c.Planner.Get(r.Context(), executionPath(id, "/changes")+queryOf(query), &list)
	}
	if err := read(); err != nil {
		return err
	}
	from, into := io.Pipe()
	go func() {
		to := csv.NewWriter(into)
		err := to.Write([]string{"row", "sku", "price_before", "price_after", "sale_before", "sale_after", "stock_before", "stock_after"})
		for err == nil {
			for _, change := range list.Changes {
				_ = to.Write(changeCells(change)) // its error stays until it is asked for
			}
			if err = to.Error(); err != nil || list.NextPageToken == "" {
				break
			}
			err = read()
		}
		to.Flush()
		into.CloseWithError(err)
	}()
	defer from.Close() // or the writer would wait for a reader that is gone
	web.SendFile(w, id+".changes.csv", "text/csv; charset=utf-8", from)
	return nil
}

// changeCells are the cells of a change in a table.
func changeCells(change plannerapi.SeenChange) []string {
	before, after := change.Before, change.After
	return plannerapi.SpreadsheetRow([]string{
		strconv.FormatInt(change.Row, 10), change.SKU, priceText(before.Price), priceText(after.Price),
		before.SaleWords(), after.SaleWords(), before.StockWords(), after.StockWords(),
	})
}

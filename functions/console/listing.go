package console

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

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

// pageSize is how many products a page of a change shows.
const (
	pageSize     = 50
	pageSizeText = "50"
)

// listing says which products of a change are looked at, and in which order.
type listing struct {
	Tab, Search, Only, Sort string
	Found                   int64 // that are asked for, on all pages
	Pager                   pager
	path                    string
	after                   []string
	rows                    int // on this page
}

func listingOf(path string, asked url.Values) listing {
	text := func(name string) string { return strings.TrimSpace(asked.Get(name)) }
	return listing{
		Tab:    text("tab"),
		Search: text("search"),
		Only:   text("only"),
		Sort:   text("sort"),
		path:   path,
		after:  asked["after"],
	}
}

// fields are what is asked for, as the page's address has it.
func (l listing) fields() url.Values {
	return url.Values{"tab": {l.Tab}, "search": {l.Search}, "only": {l.Only}, "sort": {l.Sort}}
}

// query asks the planner for a page.
func (l listing) query() url.Values {
	return url.Values{
		"search":     {l.Search},
		"only":       {l.Only},
		"sort":       {l.Sort},
		"page_token": {last(l.after)},
		"page_size":  {pageSizeText},
	}
}

// page notes what the planner has answered.
func (l *listing) page(found int64, next string, rows int) {
	l.Found, l.rows = found, rows
	l.Pager = pages(l.path, l.fields(), l.after, next)
}

// From and To are the first and the last product of the page, counted from 1.
func (l listing) From() int64 { return int64(len(l.after))*pageSize + 1 }
func (l listing) To() int64   { return l.From() + int64(l.rows) - 1 }

// All reports whether no product is left out.
func (l listing) All() bool { return l.Search == "" && l.Only == "" }

// with is the address of the first page with another value of a field.
func (l listing) with(name, value string) string {
	fields := l.fields()
	fields.Set(name, value)
	return l.path + queryOf(fields) + "#products"
}

// CSV is the address of all that are asked for, as a table.
func (l listing) CSV() string { return l.path + "/changes.csv" + queryOf(l.fields()) }

// Everything is the address of all products.
func (l listing) Everything() string { return l.path + "#products" }

// link is one of several ways to look at a list.
type link struct {
	Value, Name, Address string
	Here                 bool
}

// Orders are the orders of the products.
func (l listing) Orders() (all []link) {
	for _, one := range []choice{
		{"", "As in the file"}, {"rise", "Largest rise first"}, {"fall", "Largest fall first"},
	} {
		all = append(all, link{one.Value, one.Name, l.with("sort", one.Value), l.Sort == one.Value})
	}
	return all
}

// kinds are the products that can be looked at alone.
var kinds = []choice{
	{"", "All"}, {"dearer", "Dearer"}, {"cheaper", "Cheaper"}, {"large", "More than 20%"},
	{"sale", "On sale"},
}

// Kinds are the ways to look at some of the products.
func (l listing) Kinds() (all []link) {
	for _, one := range kinds {
		all = append(all, link{one.Value, one.Name, l.with("only", one.Value), l.Only == one.Value})
	}
	return all
}

// sendCSV answers with a table of the planner's as it comes.
func (c *Console) sendCSV(w http.ResponseWriter, r *http.Request, method, path, name string, body any) error {
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
	web.SendFile(w, name+".csv", "text/csv; charset=utf-8", in)
	return nil
}

// changesCSV answers with all that a change did, or would do.
func (c *Console) changesCSV(w http.ResponseWriter, r *http.Request) error {
	query := listingOf("", r.URL.Query()).query()
	query.Del("page_token")
	id := r.PathValue("id")
	var found plannerapi.Record
	if err := c.Planner.Get(r.Context(), executionPath(id, ""), &found); err != nil {
		return err
	}
	if found.Proposal == nil {
		query.Set("figures", "true")
	}
	return c.sendCSV(w, r, http.MethodGet,
		executionPath(id, "/changes")+queryOf(query), fileNameOf(found, "changes"), nil)
}

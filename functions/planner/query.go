package planner

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// query reads the parameters behind the path. One that is not known or given
// twice is a problem: a misspelt page_token would start a list again.
func query(r *http.Request, known ...string) (map[string]string, error) {
	values := map[string]string{}
	var problems []strictjson.Problem
	for name, given := range r.URL.Query() {
		switch {
		case !slices.Contains(known, name):
			problems = append(problems, strictjson.Problem{Path: strictjson.Shorten(name), Message: "is not a known parameter; known are " + cmp.Or(strings.Join(known, ", "), "none here")})
		case len(given) > 1:
			problems = append(problems, strictjson.Problem{Path: name, Message: "is given more than once"})
		default:
			values[name] = given[0]
		}
	}
	slices.SortFunc(problems, func(a, b strictjson.Problem) int { return strings.Compare(a.Path, b.Path) })
	return values, web.Problems(problems)
}

// bare refuses parameters for a route that has none.
func bare(handle web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if _, err := query(r); err != nil {
			return err
		}
		return handle(w, r)
	}
}

// page reads page_size and page_token, and other parameters of a list.
func page(r *http.Request, others ...string) (ledger.Page, map[string]string, error) {
	values, err := query(r, append(others, "page_size", "page_token")...)
	if err != nil {
		return ledger.Page{}, nil, err
	}
	size, err := web.WholeNumber(r.URL.Query(), "page_size", 0, ledger.MaxPageSize)
	return ledger.Page{Token: values["page_token"], Size: size}, values, err
}

package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/strictjson"
)

// Query is the parameters behind a path, read as strictjson.Object reads the fields
// of a body: those that are asked for are known, and what is wrong is collected.
type Query struct {
	given    url.Values
	known    []string
	problems []strictjson.Problem
}

// ReadQuery reads the parameters behind a path. Everything that is wrong with them is
// one 422. One that is not known, or is given twice, is a problem too: a misspelt
// page_token would start a list again.
func ReadQuery(r *http.Request, read func(*Query)) error {
	q := &Query{given: r.URL.Query()}
	read(q)
	for name, values := range q.given {
		switch {
		case !slices.Contains(q.known, name):
			q.Problem(
				strictjson.Shorten(name),
				"is not a known parameter; known are %s",
				cmp.Or(strings.Join(q.known, ", "), "none here"),
			)
		case len(values) > 1:
			q.Problem(name, "is given more than once")
		}
	}
	slices.SortStableFunc(
		q.problems,
		func(a, b strictjson.Problem) int { return strings.Compare(a.Path, b.Path) },
	)
	return Problems(q.problems)
}

// AllowUnknown passes over parameters that are not asked for.
func (q *Query) AllowUnknown() {
	for name := range q.given {
		q.known = append(q.known, name)
	}
}

// Text returns the value of a parameter, and whether it is given.
func (q *Query) Text(name string) (value string, given bool) {
	q.known = append(q.known, name)
	return q.given.Get(name), q.given.Has(name)
}

// WholeNumber returns the value of a parameter, from 1 to most; missing where it is
// not given.
func (q *Query) WholeNumber(name string, missing, most int) int {
	text, _ := q.Text(name)
	if text == "" {
		return missing
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > most {
		q.Problem(name, "must be a whole number from 1 to %d, but is %s", most, strictjson.Shorten(text))
	}
	return number
}

// Problem notes what is wrong with a parameter.
func (q *Query) Problem(name, format string, args ...any) {
	q.problems = append(q.problems, strictjson.Problem{Path: name, Message: fmt.Sprintf(format, args...)})
}

// Bare refuses parameters for a handler that has none.
func Bare(handle Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		if err := ReadQuery(r, func(*Query) {}); err != nil {
			return nil, err
		}
		return handle(w, r)
	}
}

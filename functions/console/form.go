package console

import (
	"net/http"
	"net/url"

	"github.com/planwright/planwright/shared/web"
)

// maxForm is the most that a form without a table may hold.
const maxForm = 1 << 20

// field reads one field of a form that is bounded.
func field(w http.ResponseWriter, r *http.Request, name string) string {
	r.Body = web.Limited(w, r, maxForm)
	return r.PostFormValue(name)
}

// seeOther leads from what was done to the page that shows it.
func seeOther(w http.ResponseWriter, r *http.Request, path string, query url.Values) {
	http.Redirect(w, r, path+queryOf(query), http.StatusSeeOther)
}
